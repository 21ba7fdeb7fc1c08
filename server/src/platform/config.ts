import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** The kinds of VRP a bank connection may use (REFERENCE of the standard: VRPType). */
export const VRP_TYPES = ['CVRP1', 'CVRP2', 'CVRP3', 'Sweeping', 'Other'] as const;
/** Ways of real issuers that the sandbox's e-money issuer has when they are switched on. */
export const ISSUER_MODES = [
  'no_end_to_end_id',
  'new_event_ids',
  'pending_transfers',
  'expiring_keys',
  'short_pay_ins',
  'returned_payouts',
  'recalled_pay_ins',
] as const;
export type IssuerMode = (typeof ISSUER_MODES)[number];
export const ROLES = ['api', 'portal', 'engine'] as const;
export type Role = (typeof ROLES)[number];

/** Everything that can be set, validated once; the only place that reads the environment. */
export interface Config {
  mode: 'sandbox' | 'live';
  roles: readonly Role[];
  host: string;
  port: number;
  /** Proxies whose `X-Forwarded-For` is believed; null: nobody's. */
  trustProxy: readonly string[] | null;
  /** Where merchants and customers reach the service, without a trailing slash. */
  baseUrl: string;
  dataDir: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  databaseConnections: number;
  redisUrl: string | null;
  logLevel: string;
  rateLimitPerMinute: number;
  /** Id → 32 bytes; the first seals. Null: kept in a file under dataDir (sandbox only). */
  encryptionKeys: ReadonlyMap<string, Buffer> | null;
  blindIndexKey: Buffer | null;
  /** The bank connections: a JSON file. Null: the sandbox's own. */
  banksFile: string | null;
  issuer: { url: string; keyId: string; secret: string; notificationSecret: string } | null;
  vrpType: (typeof VRP_TYPES)[number];
  linkLifetime: Temporal.Duration;
  webhookTimeoutMs: number;
  sandboxBankPort: number;
  sandboxBankPagesPort: number;
  sandboxIssuerPort: number;
  /** How the sandbox's e-money issuer behaves, beside the usual. */
  sandboxIssuerModes: readonly IssuerMode[];
}

/** The configuration is wrong; the message names every wrong variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The settings that name a port, and where the configuration holds it. */
const PORTS = {
  PORT: 'port',
  SANDBOX_BANK_PORT: 'sandboxBankPort',
  SANDBOX_BANK_PAGES_PORT: 'sandboxBankPagesPort',
  SANDBOX_ISSUER_PORT: 'sandboxIssuerPort',
} as const;
export type PortSetting = keyof typeof PORTS;

/** Somebody else listens on a port of ours; the message names the setting that moves us to another one. */
export class PortTaken extends ConfigError {
  readonly setting: PortSetting;

  constructor(port: number, setting: PortSetting) {
    super(`port ${port} is in use: stop what runs there, or set ${setting}`);
    this.setting = setting;
  }
}

/** Whether the operator leaves this port to us: 0 means any free one. */
export function isOursToChoose(config: Config, setting: PortSetting): boolean {
  return config[PORTS[setting]] === 0;
}

/** One variable: what it means, its default, and how its text is read. `read` throws with a sentence. */
interface Variable<T> {
  about: string;
  fallback: string | null;
  read: (text: string) => T;
}

const variable = <T>(
  about: string,
  fallback: string | null,
  read: (text: string) => T,
): Variable<T> => ({
  about,
  fallback,
  read,
});

const text = (value: string): string => value;

function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < least || number > most)
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return number;
  };
}

function oneOf<T extends string>(choices: readonly T[]): (value: string) => T {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

function url(protocols: readonly string[]): (value: string) => string {
  return (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new Error(`must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return value.replace(/\/+$/, '');
  };
}

function key32(value: string): Buffer {
  // Node would skip what is no base64: a key with a typing error would pass for another key.
  if (!/^[\w+/-]{43}=?$/.test(value)) throw new Error('must be 32 bytes in base64');
  return Buffer.from(value, 'base64');
}

function keyRing(value: string): ReadonlyMap<string, Buffer> {
  const entries = value.split(',').map((part): [string, Buffer] => {
    const [id, key, ...rest] = part.trim().split(':');
    if (!id || !/^\w+$/.test(id) || key === undefined || rest.length > 0)
      throw new Error(
        'must be <id>:<32 bytes in base64>, several parted by commas, the sealing one first',
      );
    return [id, key32(key)];
  });
  const ring = new Map(entries);
  if (ring.size < entries.length) throw new Error('must not name two keys by the same id');
  return ring;
}

function duration(value: string): Temporal.Duration {
  try {
    const read = Temporal.Duration.from(value);
    if (read.sign > 0) return read;
  } catch {
    // Told below.
  }
  throw new Error('must be an ISO 8601 duration such as P7D');
}

function addresses(value: string): readonly string[] {
  return value.split(',').map((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
      throw new Error('must be IP addresses or ranges such as 10.0.0.0/8, parted by commas');
    return part.trim();
  });
}

function roles(value: string): readonly Role[] {
  return value.split(',').map((role) => oneOf(ROLES)(role.trim()));
}

function issuerModes(value: string): readonly IssuerMode[] {
  const words = value.split(',').map((word) => word.trim());
  return [...new Set(words)].map((word) => {
    const mode = ISSUER_MODES.find((known) => known === word);
    if (mode === undefined)
      throw new Error(`must name modes, and "${word}" is none: ${ISSUER_MODES.join(', ')}`);
    return mode;
  });
}

/** Every variable, in the order of the operators' guide, which a test compares with this table. */
export const VARIABLES = {
  MODE: variable('sandbox, or live', 'sandbox', oneOf(['sandbox', 'live'] as const)),
  ROLES: variable('what this process does: api, portal, engine', 'api,portal,engine', roles),
  HOST: variable('the address to listen on', '127.0.0.1', text),
  PORT: variable('the port of the API and the portal', '4000', integer(0, 65535)),
  TRUST_PROXY: variable(
    'the proxies in front, addresses or ranges parted by commas: who may say where a request came from',
    null,
    addresses,
  ),
  BASE_URL: variable('the public address of the service', null, url(['http:', 'https:'])),
  DATA_DIR: variable('where the embedded database and the sandbox keep their data', '.data', text),
  DATABASE_URL: variable(
    'a PostgreSQL 15 or newer instead of the embedded one',
    null,
    url(['postgres:', 'postgresql:']),
  ),
  DATABASE_CONNECTIONS: variable('the most connections one process opens', '20', integer(3, 1000)),
  REDIS_URL: variable('counts the rate limit across processes', null, url(['redis:', 'rediss:'])),
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
  ENCRYPTION_KEYS: variable(
    '<id>:<32 bytes in base64>, several parted by commas; the first seals',
    null,
    keyRing,
  ),
  BLIND_INDEX_KEY: variable(
    '32 bytes in base64, never changed: finds sealed phone and account numbers',
    null,
    key32,
  ),
  BANKS_FILE: variable('the bank connections, a JSON file', null, text),
  ISSUER_URL: variable('the e-money issuer', null, url(['http:', 'https:'])),
  ISSUER_KEY_ID: variable('our key at the e-money issuer', null, text),
  ISSUER_SECRET: variable('signs our requests to the issuer', null, text),
  ISSUER_NOTIFICATION_SECRET: variable("checks the issuer's notifications", null, text),
  VRP_TYPE: variable('the kind of VRP asked for at the bank', 'CVRP1', oneOf(VRP_TYPES)),
  LINK_LIFETIME: variable('how long a consent link works', 'P7D', duration),
  WEBHOOK_TIMEOUT_MS: variable(
    'how long a merchant may take to answer a webhook',
    '10000',
    integer(100, 60_000),
  ),
  SANDBOX_BANK_PORT: variable("the sandbox bank's back channel", '4001', integer(0, 65535)),
  SANDBOX_BANK_PAGES_PORT: variable("the sandbox bank's pages", '4002', integer(0, 65535)),
  SANDBOX_ISSUER_PORT: variable('the sandbox e-money issuer', '4003', integer(0, 65535)),
  SANDBOX_ISSUER_MODES: variable(
    'how the sandbox e-money issuer behaves: comma-separated modes',
    null,
    issuerModes,
  ),
} as const;

type Values = { [K in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[K]['read']> | null };

function readAll(env: Readonly<Record<string, string | undefined>>): Values {
  const wrong: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { read, fallback }] of Object.entries(VARIABLES)) {
    const given = env[name] === undefined || env[name] === '' ? fallback : env[name];
    try {
      values[name] = given === null || given === undefined ? null : read(given);
    } catch (error) {
      wrong.push(`${name} ${error instanceof Error ? error.message : 'is wrong'}`);
    }
  }
  if (wrong.length > 0) throw new ConfigError(wrong.join('; '));
  return values as Values;
}

/** A variable with a default always has a value. */
function sure<T>(value: T | null): T {
  if (value === null) throw new ConfigError('a variable without a default was taken for one with');
  return value;
}

function issuerOf(v: Values): Config['issuer'] {
  const parts = [v.ISSUER_URL, v.ISSUER_KEY_ID, v.ISSUER_SECRET, v.ISSUER_NOTIFICATION_SECRET];
  if (parts.every((part) => part === null)) return null;
  if (parts.some((part) => part === null))
    throw new ConfigError(
      'ISSUER_URL, ISSUER_KEY_ID, ISSUER_SECRET and ISSUER_NOTIFICATION_SECRET go together',
    );
  return {
    url: sure(v.ISSUER_URL),
    keyId: sure(v.ISSUER_KEY_ID),
    secret: sure(v.ISSUER_SECRET),
    notificationSecret: sure(v.ISSUER_NOTIFICATION_SECRET),
  };
}

function checkLive(config: Config): void {
  if (config.mode !== 'live') return;
  const missing = [
    config.encryptionKeys === null && 'ENCRYPTION_KEYS',
    config.blindIndexKey === null && 'BLIND_INDEX_KEY',
    config.banksFile === null && 'BANKS_FILE',
    config.issuer === null && 'ISSUER_URL',
    !config.baseUrl.startsWith('https://') && 'BASE_URL (https)',
  ].filter((name) => name !== false);
  if (missing.length > 0) throw new ConfigError(`MODE=live needs ${missing.join(', ')}`);
}

/** Reads and checks the whole configuration. Throws ConfigError naming every wrong variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const v = readAll(env);
  const port = sure(v.PORT);
  const config: Config = {
    mode: sure(v.MODE),
    roles: sure(v.ROLES),
    host: sure(v.HOST),
    port,
    trustProxy: v.TRUST_PROXY,
    baseUrl: v.BASE_URL ?? `http://localhost:${port}`,
    dataDir: sure(v.DATA_DIR),
    databaseUrl: v.DATABASE_URL,
    databaseConnections: sure(v.DATABASE_CONNECTIONS),
    redisUrl: v.REDIS_URL,
    logLevel: sure(v.LOG_LEVEL),
    rateLimitPerMinute: sure(v.RATE_LIMIT_PER_MINUTE),
    encryptionKeys: v.ENCRYPTION_KEYS,
    blindIndexKey: v.BLIND_INDEX_KEY,
    banksFile: v.BANKS_FILE,
    issuer: issuerOf(v),
    vrpType: sure(v.VRP_TYPE),
    linkLifetime: sure(v.LINK_LIFETIME),
    webhookTimeoutMs: sure(v.WEBHOOK_TIMEOUT_MS),
    sandboxBankPort: sure(v.SANDBOX_BANK_PORT),
    sandboxBankPagesPort: sure(v.SANDBOX_BANK_PAGES_PORT),
    sandboxIssuerPort: sure(v.SANDBOX_ISSUER_PORT),
    sandboxIssuerModes: v.SANDBOX_ISSUER_MODES ?? [],
  };
  checkLive(config);
  return config;
}

/** The version of the service, from its package. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  }
).version;
