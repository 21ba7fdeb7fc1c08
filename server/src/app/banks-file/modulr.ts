import Type, { type Static } from 'typebox';
import type { ModulrConfig } from '../../banks/modulr/config.ts';
import { isPlaceholder } from '../../platform/config/rules.ts';
import { SCHEMES } from '../../platform/config/schemes.ts';

/** Half of Modulr's 8,000 in ten minutes: the other half is left to an issuer's connection. */
const DEFAULT_REQUESTS = 4000;
const MODULR_REQUESTS = 8000;

/** An entry of the banks' file for Modulr, through which customers of many banks pay. */
export const ModulrEntry = Type.Object(
  {
    kind: Type.Literal('modulr'),
    bank_id: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,20}$' }),
    base_url: Type.String(),
    key_id: Type.String({ minLength: 1 }),
    secret_file: Type.String({ minLength: 1 }),
    merchant_category_code: Type.String({ pattern: '^[0-9]{3,4}$' }),
    payment_scheme: Type.Optional(Type.Enum(['commercial', 'sweeping'])),
    vrp_type: Type.Optional(Type.Enum(['CVRP1', 'Sweeping'])),
    funds_confirmation: Type.Optional(Type.Boolean()),
    requests: Type.Optional(Type.Integer({ minimum: 100, maximum: MODULR_REQUESTS })),
  },
  { additionalProperties: false },
);
export type ModulrEntry = Static<typeof ModulrEntry>;

/** Returns what is wrong where an entry names its scheme by the field's former name too. */
export function twoSchemes(entry: { payment_scheme?: string; vrp_type?: string }): string[] {
  if (entry.payment_scheme === undefined || entry.vrp_type === undefined) return [];
  return ['has payment_scheme and vrp_type, its former name: leave out vrp_type'];
}

/** Reads a file that the banks' file names, as `field`. Returns an empty text if it cannot. */
export type ReadText = (file: string, field: string) => string;

/** Returns the connection of an entry, whose rate `processes` share; adds what is wrong with it to `problems`. */
export function examineModulr(
  entry: ModulrEntry,
  text: ReadText,
  problems: string[],
  processes: number,
): ModulrConfig {
  const { base_url: baseUrl, key_id: keyId } = entry;
  const scheme = entry.payment_scheme ?? 'commercial';
  const vrpType = entry.vrp_type ?? SCHEMES[scheme].vrpType;
  problems.push(...twoSchemes(entry));
  if (URL.parse(baseUrl)?.protocol !== 'https:')
    problems.push('has no good base_url: write an address that begins with https://');
  if (/[-/]token\/?$/.test(baseUrl))
    problems.push('has the base_url of requests without a signature: write the one for HMAC');
  if (isPlaceholder(keyId)) problems.push('has a placeholder as key_id: write the real value');
  const secret = text(entry.secret_file, 'secret_file').trim();
  if (secret === '')
    problems.push('has no secret in secret_file: write the HMAC secret of the key');
  return {
    bankId: entry.bank_id,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    keyId,
    secret,
    vrpType: `UK.OBIE.VRPType.${vrpType}`,
    merchantCategoryCode: entry.merchant_category_code,
    confirmsFunds: entry.funds_confirmation ?? true,
    requests: Math.floor((entry.requests ?? DEFAULT_REQUESTS) / processes),
  };
}
