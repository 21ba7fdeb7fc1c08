import { readFileSync } from 'node:fs';
import type { Brand } from '../brand/brand.ts';
import type { HolidayChanges } from '../time/calendar.ts';
import { errorMessage } from '../values/thrown.ts';
import { BRAND_VARIABLES, brandFindings, brandOf } from './brand.ts';
import { bankHolidaysOf, CALENDAR_VARIABLES, holidayFindings } from './calendar.ts';
import { DATABASE_VARIABLES } from './database.ts';
import { type Finding, problem } from './finding.ts';
import { CONTACT_VARIABLES, FIRM_VARIABLES, type Firm, firmOf } from './firm.ts';
import { ISSUER_VARIABLES, type IssuerConfig, issuerOf, modulrFindings } from './issuer.ts';
import { KEPT_VARIABLES } from './kept.ts';
import { KEY_VARIABLES } from './keys.ts';
import { mayMailInTheClear, NOTICE_VARIABLES } from './notices.ts';
import { type ConsoleSignIn, consoleSignInOf, OPERATOR_VARIABLES } from './operators.ts';
import {
  addresses,
  duration,
  type Env,
  host,
  integer,
  oneOf,
  refuseStray,
  text,
  url,
  type ValuesOf,
  variable,
} from './readers.ts';
import { type Engines, engineFindings, enginesOf, ROLE_VARIABLES, type Role } from './roles.ts';
import { consoleFindings, liveFindings, togetherFindings } from './rules.ts';
import { SAFEGUARDING_VARIABLES, type Safeguarding } from './safeguarding.ts';
import { type IssuerMode, SANDBOX_VARIABLES } from './sandbox.ts';
import { readFormerScheme, SCHEME_NAMES, type SchemeName } from './schemes.ts';
import { FOLDER_VARIABLES, withSecretsOfFiles } from './secrets.ts';

/** What the request log keeps: docs/rules/api.md#request-ids. */
export const REQUEST_LOG = ['changes', 'all'] as const;

/** Everything that can be set, validated once; the only place that reads the environment. */
export interface Config {
  mode: 'sandbox' | 'live';
  roles: readonly Role[];
  engines: Engines;
  host: string;
  port: number;
  /** Maximum concurrent HTTP connections. */
  maxConnections: number;
  /** Where operators reach this process: its metrics. */
  operatorHost: string;
  operatorPort: number;
  consoleSignIn: ConsoleSignIn;
  /** Whether traces and logs are sent to an OpenTelemetry collector. */
  telemetry: boolean;
  /** Proxies whose `X-Forwarded-For` is trusted; null: none. */
  trustProxy: readonly string[] | null;
  /** Where merchants and customers reach the service, without a trailing slash. */
  baseUrl: string;
  dataDir: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** The same database, by the login that owns it: for `migrate`. Null: it uses `databaseUrl`. */
  migrateUrl: string | null;
  databaseConnections: number;
  redisUrl: string | null;
  logLevel: string;
  rateLimitPerMinute: number;
  /** `changes`: successful reads are left out of the merchants' request log. */
  requestLog: (typeof REQUEST_LOG)[number];
  /** Id → 32 bytes; the first key seals. Null: kept in a file under dataDir (sandbox only). */
  encryptionKeys: ReadonlyMap<string, Buffer> | null;
  blindIndexKey: Buffer | null;
  /** Id → 32 bytes, or null for the key derived from the blind index key; the first signs. Null: the derived one alone. */
  signingKeys: ReadonlyMap<string, Buffer | null> | null;
  /** Path of the JSON file with the bank connections. Null: the sandbox's own. */
  banksFile: string | null;
  issuer: IssuerConfig | null;
  brand: Brand;
  /** Who provides the service, as customers are told. */
  firm: Firm;
  paymentScheme: SchemeName;
  /** What the calendar of bank holidays has besides, and lacks: ISO dates. */
  bankHolidays: HolidayChanges;
  safeguarding: Safeguarding;
  /** How long after the end of the relationship customers are erased. Null: only by hand. */
  customersKeptFor: Temporal.Duration | null;
  linkLifetime: Temporal.Duration;
  /** Above this amount, two people must agree on what happens to unallocated money. */
  fourEyesAbovePence: number;
  /** Who holds the wallet at the issuer that fees are transferred to; null: nobody, and live merchants have no fees. */
  feeWalletHolder: string | null;
  webhookTimeoutMs: number;
  /** The mail server. Null: notices are kept, and nothing is sent. */
  smtpUrl: string | null;
  /** Whether it gets nothing without TLS. */
  smtpNeedsTls: boolean;
  /** The sender of every email: an address, perhaps with a name. */
  mailFrom: string | null;
  /** The gateway that sends text messages to customers. Null: none are sent. */
  sms: { url: string; token: string } | null;
  sandboxBankPort: number;
  sandboxBankPagesPort: number;
  sandboxIssuerPort: number;
  /** Behaviours of the sandbox's e-money issuer, besides the usual ones. */
  sandboxIssuerModes: readonly IssuerMode[];
}

/** The configuration is wrong. The message has a line for each wrong setting, beginning with its name. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The settings that name a port, and their fields in the configuration. */
const PORTS = {
  PORT: 'port',
  OPERATOR_PORT: 'operatorPort',
  SANDBOX_BANK_PORT: 'sandboxBankPort',
  SANDBOX_BANK_PAGES_PORT: 'sandboxBankPagesPort',
  SANDBOX_ISSUER_PORT: 'sandboxIssuerPort',
} as const;
export type PortSetting = keyof typeof PORTS;

/** Another process listens on one of our ports; the message names the setting that changes the port. */
export class PortInUse extends ConfigError {
  readonly setting: PortSetting;

  constructor(port: number, setting: PortSetting) {
    super(`port ${port} is in use: stop what runs there, or set ${setting}`);
    this.setting = setting;
  }
}

/** Whether the operator leaves the choice of this port to us: 0 means any free port. */
export function isOursToChoose(config: Config, setting: PortSetting): boolean {
  return config[PORTS[setting]] === 0;
}

/** Every variable, in the order of docs/reference/settings.md, which is written from this table. */
export const VARIABLES = {
  MODE: variable('sandbox, or live', 'sandbox', oneOf(['sandbox', 'live'] as const)),
  ...ROLE_VARIABLES,
  HOST: variable('the address to listen on; not localhost, which is two', '127.0.0.1', host),
  PORT: variable('the port of the API and the portal', '4000', integer(0, 65535)),
  ...OPERATOR_VARIABLES,
  MAX_CONNECTIONS: variable(
    'the most HTTP connections at once; further ones are closed',
    '2000',
    integer(10, 100_000),
  ),
  TRUST_PROXY: variable(
    'the proxies in front, addresses or ranges separated by commas, or none: who may say where a request came from',
    null,
    addresses,
  ),
  BASE_URL: variable('the public address of the service', null, url(['http:', 'https:'])),
  DATA_DIR: variable('where the embedded database and the sandbox keep their data', '.data', text),
  ...DATABASE_VARIABLES,
  LOG_LEVEL: variable(
    'fatal, error, warn, info, debug or trace',
    'info',
    oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const),
  ),
  RATE_LIMIT_PER_MINUTE: variable(
    'requests a minute for one API key',
    '1000',
    integer(1, 1_000_000),
  ),
  REQUEST_LOG: variable(
    "what a merchant's request log keeps: changes and refused requests, or all, reads that succeed included",
    'changes',
    oneOf(REQUEST_LOG),
  ),
  ...FOLDER_VARIABLES,
  ...KEY_VARIABLES,
  BANKS_FILE: variable('the bank connections, a JSON file', null, text),
  ...ISSUER_VARIABLES,
  ...BRAND_VARIABLES,
  ...FIRM_VARIABLES,
  ...CONTACT_VARIABLES,
  PAYMENT_SCHEME: variable(
    'the payment scheme under which banks are asked',
    'commercial',
    oneOf(SCHEME_NAMES),
  ),
  ...CALENDAR_VARIABLES,
  ...SAFEGUARDING_VARIABLES,
  ...KEPT_VARIABLES,
  LINK_LIFETIME: variable('how long a consent link works', 'P7D', duration),
  FOUR_EYES_ABOVE_PENCE: variable(
    'above so many pence two people must agree on what becomes of unallocated money',
    '10000',
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
  FEE_WALLET_HOLDER: variable(
    "the operator's legal name, in which the issuer opens the wallet for fees; live merchants have none without it",
    null,
    text,
  ),
  WEBHOOK_TIMEOUT_MS: variable(
    'how long a merchant may take to answer a webhook',
    '10000',
    integer(100, 60_000),
  ),
  ...NOTICE_VARIABLES,
  ...SANDBOX_VARIABLES,
} as const;

type Values = ValuesOf<typeof VARIABLES>;

/** Returns the value of a variable with a default, which is never null. */
function required<T>(value: T | null): T {
  if (value === null) throw new ConfigError('a variable without a default was taken for one with');
  return value;
}

function readAll(given: Env): { values: Values; findings: Finding[]; wrong: Set<string> } {
  const { env, findings, wrong: unread } = withSecretsOfFiles(given);
  const wrong = new Set<string>(unread);
  const values: Record<string, unknown> = {};
  for (const [setting, { read, fallback }] of Object.entries(VARIABLES)) {
    const given = env[setting] === undefined || env[setting] === '' ? fallback : env[setting];
    try {
      if (given !== null && given !== undefined) refuseStray(given);
      values[setting] = given === null || given === undefined ? null : read(given);
    } catch (error) {
      wrong.add(setting);
      values[setting] = null;
      findings.push(problem(setting, errorMessage(error)));
    }
  }
  return { values: values as Values, findings, wrong };
}

/**
 * Requires MODE where DATABASE_URL is set, so that a forgotten setting does not turn a live service into a sandbox. The
 * embedded database is the sandbox's.
 */
function modeFindings(env: Env, v: Values): Finding[] {
  if (v.DATABASE_URL === null || (env.MODE ?? '') !== '') return [];
  return [problem('MODE', 'must be set where DATABASE_URL is set: MODE=live, or MODE=sandbox')];
}

/**
 * Checks everything that the settings alone can show. Returns every problem at once, and the configuration if there is none.
 */
export function examineConfig(env: Env): {
  config: Config | null;
  findings: Finding[];
  /** Set even if other settings are wrong. */
  banksFile: string | null;
} {
  const former = readFormerScheme(env);
  const { values: v, findings: unread, wrong } = readAll(former.env);
  const findings = [
    ...former.findings,
    ...unread,
    ...modeFindings(env, v),
    ...togetherFindings(v, wrong),
    ...modulrFindings(v, wrong),
    ...consoleFindings(v, wrong),
    ...holidayFindings(v),
    ...brandFindings(v),
    ...engineFindings(v),
    ...(v.MODE === 'live' ? liveFindings(v, wrong) : []),
  ];
  const isWrong = findings.some(({ level }) => level === 'problem');
  return { config: isWrong ? null : configOf(v), findings, banksFile: v.BANKS_FILE };
}

/** Reads and checks the whole configuration. Throws ConfigError with a line for every problem. */
export function readConfig(env: Env): Config {
  const { config, findings } = examineConfig(env);
  if (config === null) throw new ConfigError(problemLines(findings).join('\n'));
  return config;
}

/** Returns one line per problem, beginning with the name of its setting. */
export function problemLines(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ level }) => level === 'problem')
    .map(({ setting, says }) => `${setting} ${says}`);
}

function configOf(v: Values): Config {
  const port = required(v.PORT);
  const engines = enginesOf(v);
  return {
    mode: required(v.MODE),
    roles: required(v.ROLES),
    engines,
    host: required(v.HOST),
    port,
    operatorHost: required(v.OPERATOR_HOST),
    operatorPort: required(v.OPERATOR_PORT),
    consoleSignIn: consoleSignInOf(v),
    telemetry: v.OTEL_EXPORTER_OTLP_ENDPOINT !== null && v.OTEL_SDK_DISABLED === 'false',
    maxConnections: required(v.MAX_CONNECTIONS),
    trustProxy: v.TRUST_PROXY === null || v.TRUST_PROXY.length === 0 ? null : v.TRUST_PROXY,
    baseUrl: v.BASE_URL ?? `http://localhost:${port}`,
    dataDir: required(v.DATA_DIR),
    databaseUrl: v.DATABASE_URL,
    migrateUrl: v.MIGRATE_DATABASE_URL,
    databaseConnections: required(v.DATABASE_CONNECTIONS),
    redisUrl: v.REDIS_URL,
    logLevel: required(v.LOG_LEVEL),
    rateLimitPerMinute: required(v.RATE_LIMIT_PER_MINUTE),
    requestLog: required(v.REQUEST_LOG),
    encryptionKeys: v.ENCRYPTION_KEYS,
    blindIndexKey: v.BLIND_INDEX_KEY,
    signingKeys: v.SIGNING_KEYS,
    banksFile: v.BANKS_FILE,
    issuer: issuerOf(v, engines.count),
    brand: brandOf(v),
    firm: firmOf(v),
    paymentScheme: required(v.PAYMENT_SCHEME),
    bankHolidays: bankHolidaysOf(v),
    safeguarding: { seat: required(v.SAFEGUARDING_SEAT), at: required(v.SAFEGUARDING_AT) },
    customersKeptFor: v.CUSTOMERS_KEPT_FOR === 'off' ? null : required(v.CUSTOMERS_KEPT_FOR),
    linkLifetime: required(v.LINK_LIFETIME),
    fourEyesAbovePence: required(v.FOUR_EYES_ABOVE_PENCE),
    feeWalletHolder: v.FEE_WALLET_HOLDER,
    webhookTimeoutMs: required(v.WEBHOOK_TIMEOUT_MS),
    smtpUrl: v.SMTP_URL,
    smtpNeedsTls: !mayMailInTheClear(v),
    mailFrom: v.MAIL_FROM,
    sms: v.SMS_URL === null ? null : { url: v.SMS_URL, token: required(v.SMS_TOKEN) },
    sandboxBankPort: required(v.SANDBOX_BANK_PORT),
    sandboxBankPagesPort: required(v.SANDBOX_BANK_PAGES_PORT),
    sandboxIssuerPort: required(v.SANDBOX_ISSUER_PORT),
    sandboxIssuerModes: v.SANDBOX_ISSUER_MODES ?? [],
  };
}

/** The version of the service, from its package. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  }
).version;
