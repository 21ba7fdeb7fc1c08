import { Value } from 'typebox/value';
import { changeScheme, readScheme } from '../../../merchants/scheme-service.ts';
import { SCHEME_FIELDS, schemeOf, viewScheme } from '../../../operators/merchants/scheme-view.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { withPlatform } from '../session/offline.ts';

/** Options of `merchant scheme`; without a field, it is only shown. `none` empties a field. */
export interface SchemeOptions {
  useCase?: string;
  categoryCode?: string;
  paymentContext?: string;
  purposeCode?: string;
  reason?: string;
}

type Name = keyof typeof SCHEME_FIELDS;

/** `merchant scheme`. Throws ConfigError for an option that is no value of its field, 404 `not_found`. */
export async function schemeCommand(
  config: Config,
  merchantId: string,
  { reason = '', ...options }: SchemeOptions,
): Promise<object> {
  const fields = fieldsOf(options);
  const isChange = Object.keys(fields).length > 0;
  if (isChange && reason.trim() === '')
    throw new ConfigError('--reason must say why; it is kept in the audit trail');
  return withPlatform(config, async ({ db, clock }) => {
    const asked = { now: clock.now(), merchantId };
    if (isChange)
      await db.transaction((tx) => changeScheme({ tx, ...asked }, schemeOf(fields), reason));
    const scheme = await db.read((tx) => readScheme(tx, merchantId));
    return { merchant_id: merchantId, ...viewScheme(scheme) };
  });
}

/** Returns the fields given, as the API names them. */
function fieldsOf(options: Omit<SchemeOptions, 'reason'>): Parameters<typeof schemeOf>[0] {
  const given = {
    use_case: options.useCase,
    category_code: options.categoryCode,
    payment_context: options.paymentContext,
    purpose_code: options.purposeCode,
  };
  const entries = (Object.keys(given) as Name[]).flatMap((name) => {
    const text = given[name];
    if (text === undefined) return [];
    const value = text === 'none' ? null : text;
    if (!Value.Check(SCHEME_FIELDS[name], value))
      throw new ConfigError(`--${name.replaceAll('_', '-')} cannot be ${text}`);
    return [[name, value] as const];
  });
  return Object.fromEntries(entries) as Parameters<typeof schemeOf>[0];
}
