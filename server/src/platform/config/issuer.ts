import { type Finding, problem, warning } from './finding.ts';
import { integer, oneOf, text, url, type ValuesOf, variable } from './readers.ts';

/** The protocols of e-money issuers. */
const ISSUERS = ['recollect', 'modulr'] as const;
/** How Modulr's notifications prove where they come from: docs/guides/modulr.md#notifications. */
const SIGNATURES = ['request', 'none'] as const;

/** The e-money issuer. */
export interface IssuerConfig {
  url: string;
  keyId: string;
  secret: string;
  notificationSecret: string;
  /** Accepted too, while that secret is replaced. */
  previousNotificationSecret?: string | null;
  /** What Modulr needs besides; absent: the issuer speaks our own protocol. */
  modulr?: ModulrConfig;
}

export interface ModulrConfig {
  customerId: string;
  productCode: string | null;
  webhookSignature: (typeof SIGNATURES)[number];
  requests: number;
}

export const ISSUER_VARIABLES = {
  ISSUER: variable(
    "the e-money issuer's protocol: recollect, which is our own, or modulr",
    'recollect',
    oneOf(ISSUERS),
  ),
  ISSUER_URL: variable('the e-money issuer', null, url(['http:', 'https:'])),
  ISSUER_KEY_ID: variable('our key at the e-money issuer', null, text),
  ISSUER_SECRET: variable('signs our requests to the issuer', null, text),
  ISSUER_NOTIFICATION_SECRET: variable("checks the issuer's notifications", null, text),
  ISSUER_PREVIOUS_NOTIFICATION_SECRET: variable(
    "accepted for the issuer's notifications too, while that secret is replaced",
    null,
    text,
  ),
  MODULR_CUSTOMER_ID: variable('the Modulr customer in whose name wallets are', null, text),
  MODULR_PRODUCT_CODE: variable(
    'the product code of these accounts, if Modulr gave one',
    null,
    text,
  ),
  MODULR_WEBHOOK_SIGNATURE: variable(
    "how Modulr's notifications are signed: request, as requests are, or none",
    'request',
    oneOf(SIGNATURES),
  ),
  MODULR_REQUESTS: variable(
    "this process's share of Modulr's 8,000 requests in ten minutes, that of its further engines included",
    '8000',
    integer(100, 8000),
  ),
} as const;

export type IssuerValues = ValuesOf<typeof ISSUER_VARIABLES>;

/** Returns the issuer; null: it is not set. `processes` share its rate. Only for settings without findings. */
export function issuerOf(v: IssuerValues, processes: number): IssuerConfig | null {
  if (v.ISSUER_URL === null) return null;
  return {
    url: v.ISSUER_URL,
    keyId: v.ISSUER_KEY_ID ?? '',
    secret: v.ISSUER_SECRET ?? '',
    notificationSecret: v.ISSUER_NOTIFICATION_SECRET ?? '',
    previousNotificationSecret: v.ISSUER_PREVIOUS_NOTIFICATION_SECRET,
    ...(v.ISSUER === 'modulr' && { modulr: modulrOf(v, processes) }),
  };
}

const modulrOf = (v: IssuerValues, processes: number): ModulrConfig => ({
  customerId: v.MODULR_CUSTOMER_ID ?? '',
  productCode: v.MODULR_PRODUCT_CODE,
  webhookSignature: v.MODULR_WEBHOOK_SIGNATURE ?? 'request',
  requests: Math.floor((v.MODULR_REQUESTS ?? 8_000) / processes),
});

/** The length of a webhook's secret, which Modulr fixes. */
const WEBHOOK_SECRET_LENGTH = 32;
const WEBHOOK_SECRETS = [
  'ISSUER_NOTIFICATION_SECRET',
  'ISSUER_PREVIOUS_NOTIFICATION_SECRET',
] as const;

/** Finds what Modulr needs and lacks. `wrong`: settings that were set but could not be read. */
export function modulrFindings(v: IssuerValues, wrong: ReadonlySet<string>): Finding[] {
  if (v.ISSUER !== 'modulr')
    return v.MODULR_CUSTOMER_ID !== null && !wrong.has('ISSUER')
      ? [problem('MODULR_CUSTOMER_ID', 'is set without ISSUER=modulr: set both')]
      : [];
  const found: Finding[] = [];
  if (v.ISSUER_URL === null && !wrong.has('ISSUER_URL'))
    found.push(problem('ISSUER', 'is modulr, and needs ISSUER_URL: the address of its API'));
  if (v.MODULR_CUSTOMER_ID === null)
    found.push(problem('MODULR_CUSTOMER_ID', 'must be set where ISSUER is modulr: C and digits'));
  for (const setting of WEBHOOK_SECRETS) {
    const length = v[setting]?.length ?? WEBHOOK_SECRET_LENGTH;
    if (length !== WEBHOOK_SECRET_LENGTH)
      found.push(
        problem(setting, "must have 32 characters where ISSUER is modulr, as Modulr's webhooks do"),
      );
  }
  if (v.MODULR_WEBHOOK_SIGNATURE === 'none')
    found.push(
      warning(
        'MODULR_WEBHOOK_SIGNATURE',
        'is none: anybody may make us ask Modulr about a payment, so let only its addresses reach /notifications/issuer',
      ),
    );
  return found;
}
