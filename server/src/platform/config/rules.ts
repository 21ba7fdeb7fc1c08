import { type DatabaseValues, databaseFindings } from './database.ts';
import { type Finding, problem, warning } from './finding.ts';
import { FIRM_SETTINGS, FIRM_VARIABLES, type FirmValues } from './firm.ts';
import type { KEY_VARIABLES } from './keys.ts';
import { mailFindings, type NoticeValues } from './notices.ts';
import type { OperatorValues } from './operators.ts';
import { LOOPBACK, type ValuesOf } from './readers.ts';

// Checks settings beyond their format, from their values alone; files and the database are checked elsewhere.

/** The settings that the rules read, by name; null: not set, or not readable. */
export interface Settings
  extends FirmValues,
    OperatorValues,
    DatabaseValues,
    NoticeValues,
    ValuesOf<typeof KEY_VARIABLES> {
  ROLES: readonly string[] | null;
  HOST: string | null;
  BASE_URL: string | null;
  TRUST_PROXY: readonly string[] | null;
  FOUR_EYES_ABOVE_PENCE: number | null;
  LOG_LEVEL: string | null;
  BANKS_FILE: string | null;
  ISSUER_URL: string | null;
  ISSUER_KEY_ID: string | null;
  ISSUER_SECRET: string | null;
  ISSUER_NOTIFICATION_SECRET: string | null;
  ISSUER_PREVIOUS_NOTIFICATION_SECRET: string | null;
}

type Setting = keyof Settings;

const SETTING_GROUPS: readonly (readonly Setting[])[] = [
  ['ISSUER_URL', 'ISSUER_KEY_ID', 'ISSUER_SECRET', 'ISSUER_NOTIFICATION_SECRET'],
  ['ENCRYPTION_KEYS', 'BLIND_INDEX_KEY'],
  ['OPERATOR_SSO_ISSUER', 'OPERATOR_SSO_CLIENT_ID', 'OPERATOR_SSO_CLIENT_SECRET', 'OPERATOR_URL'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['SMS_URL', 'SMS_TOKEN'],
];
/** Settings that need another one. */
const DEPENDENT_SETTINGS: readonly (readonly [Setting, Setting])[] = [
  ['SIGNING_KEYS', 'BLIND_INDEX_KEY'],
  ['ISSUER_PREVIOUS_NOTIFICATION_SECRET', 'ISSUER_NOTIFICATION_SECRET'],
];
/** Secrets that only processes with the role api use: the others need not have them. */
export const API_SECRETS = [
  'ISSUER_NOTIFICATION_SECRET',
  'ISSUER_PREVIOUS_NOTIFICATION_SECRET',
  'OPERATOR_SSO_CLIENT_SECRET',
] as const satisfies Setting[];
const SHORTEST_SECRET = 24;
const MIN_CHARACTERS = 8;
const MIN_BYTES = 8;
const PLACEHOLDER =
  /change[-_ ]?(me|this|it)|replace[-_ ]?(me|this|with)|placeholder|your[-_ ]|insert[-_ ]|<[^>]*>/i;

/** The domains that RFC 2606 reserves for examples. */
const EXAMPLE = /(^|[.@/])(example([.](com|net|org))?)([/?#:]|$)/i;

const RANDOM =
  "write 32 random bytes: node -e \"console.log(require('node:crypto').randomBytes(32).toString('base64'))\"";

/** The settings that live mode requires, and what to write. */
const NEEDED: readonly (readonly [Setting, string])[] = [
  ['BASE_URL', 'write the address that merchants and customers see, which begins with https://'],
  [
    'TRUST_PROXY',
    'write the addresses of the proxies that end TLS in front of this service, or none',
  ],
  ['DATABASE_URL', 'write the address of a PostgreSQL: the embedded one is for the sandbox alone'],
  ['ENCRYPTION_KEYS', 'write <id>:<32 random bytes in base64>, such as k1:…'],
  ['BLIND_INDEX_KEY', RANDOM],
  ['BANKS_FILE', 'write the path of the file of bank connections'],
  ['ISSUER_URL', "write the e-money issuer's address, which begins with https://"],
  ['ISSUER_KEY_ID', 'write the name of our key at the e-money issuer'],
  ['ISSUER_SECRET', 'write the secret of that key'],
  ['ISSUER_NOTIFICATION_SECRET', "write the secret that signs the issuer's notifications"],
  ...FIRM_SETTINGS.map((name) => [name, `write ${FIRM_VARIABLES[name].about}`] as const),
];

/** The settings that live mode requires. */
export const LIVE_SETTINGS: readonly string[] = NEEDED.map(([name]) => name);

/** Whether a value is a placeholder from an example. */
export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value);

/** Finds the missing settings among those that go together. `wrong`: settings that were set but could not be read. */
export function togetherFindings(v: Settings, wrong: ReadonlySet<string>): Finding[] {
  const alone = DEPENDENT_SETTINGS.filter(
    ([name, other]) => v[name] !== null && v[other] === null && !wrong.has(other),
  );
  const lonely = alone.map(([name, other]) => problem(name, `is set without ${other}: set both`));
  const incomplete = SETTING_GROUPS.flatMap((names) => {
    const isSet = names.some((name) => v[name] !== null || wrong.has(name));
    const missing = names.filter((name) => v[name] === null && !wrong.has(name) && isUsed(v, name));
    if (!isSet) return [];
    return missing.map((name) => problem(name, `must be set too: ${names.join(', ')} go together`));
  });
  return [...incomplete, ...lonely];
}

/** Whether a process of these roles uses a setting. */
const isUsed = (v: Settings, name: Setting): boolean =>
  v.ROLES === null || v.ROLES.includes('api') || !API_SECRETS.some((secret) => secret === name);

/** Finds a console that nobody could sign in to. `wrong`: settings that were set but could not be read. */
export function consoleFindings(v: Settings, wrong: ReadonlySet<string>): Finding[] {
  const setting = 'OPERATOR_KEY_SIGN_IN';
  if (v[setting] !== 'off' || v.OPERATOR_SSO_ISSUER !== null || wrong.has('OPERATOR_SSO_ISSUER'))
    return [];
  return [
    problem(
      setting,
      'must not be off without OPERATOR_SSO_ISSUER: nobody could sign in to the console',
    ),
  ];
}

/** Returns the problems and warnings that these settings have in live mode. */
export function liveFindings(v: Settings, wrong: ReadonlySet<string>): Finding[] {
  return [
    ...missing(v, wrong),
    ...addresses(v),
    ...placeholders(v),
    ...examples(v),
    ...secrets(v),
    ...keys(v),
    ...listening(v),
    ...databaseFindings(v),
    ...mailFindings(v),
    ...fourEyes(v),
  ];
}

function missing(v: Settings, wrong: ReadonlySet<string>): Finding[] {
  const told = new Set(togetherFindings(v, wrong).map(({ setting }) => setting));
  return NEEDED.filter(
    ([name]) => v[name] === null && !wrong.has(name) && !told.has(name) && isUsed(v, name),
  ).map(([name, what]) => problem(name, `must be set in live mode: ${what}`));
}

function addresses(v: Settings): Finding[] {
  const found: Finding[] = [];
  for (const setting of ['BASE_URL', 'ISSUER_URL'] as const) {
    const value = v[setting];
    if (value === null) continue;
    const url = new URL(value);
    if (url.protocol !== 'https:')
      found.push(problem(setting, 'must begin with https:// in live mode'));
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
      found.push(
        problem(setting, 'must have no user, query or fragment: write host and path alone'),
      );
    if (LOOPBACK.test(url.hostname))
      found.push(warning(setting, `names this machine alone (${url.hostname})`));
  }
  return found;
}

function placeholders(v: Settings): Finding[] {
  const names = [
    ...['BASE_URL', 'DATABASE_URL', 'ISSUER_URL', 'ISSUER_KEY_ID', 'BANKS_FILE'],
    ...['ISSUER_SECRET', 'ISSUER_NOTIFICATION_SECRET', 'ISSUER_PREVIOUS_NOTIFICATION_SECRET'],
    ...['SMS_URL', 'SMS_TOKEN'],
  ] as ('BASE_URL' | 'DATABASE_URL' | 'ISSUER_URL' | 'ISSUER_KEY_ID' | 'ISSUER_SECRET')[];
  return names
    .filter((name) => isPlaceholder(v[name] ?? ''))
    .map((name) => problem(name, 'is a placeholder: write the real value'));
}

function examples(v: Settings): Finding[] {
  return (['BASE_URL', 'ISSUER_URL', ...FIRM_SETTINGS, 'SECURITY_CONTACT'] as const)
    .filter((name) => EXAMPLE.test(v[name] ?? ''))
    .map((name) => problem(name, 'is an example: write the real value'));
}

function secrets(v: Settings): Finding[] {
  const found: Finding[] = [];
  for (const setting of [
    'ISSUER_SECRET',
    'ISSUER_NOTIFICATION_SECRET',
    'ISSUER_PREVIOUS_NOTIFICATION_SECRET',
  ] as const) {
    const value = v[setting];
    if (value === null || isPlaceholder(value)) continue;
    if (value.length < SHORTEST_SECRET)
      found.push(
        problem(
          setting,
          `is too short: write a secret of at least ${SHORTEST_SECRET} characters, agreed with the issuer`,
        ),
      );
    else if (new Set(value).size < MIN_CHARACTERS)
      found.push(
        problem(setting, 'is easy to guess: write a random secret, agreed with the issuer'),
      );
  }
  if (v.ISSUER_SECRET !== null && v.ISSUER_SECRET === v.ISSUER_NOTIFICATION_SECRET)
    found.push(
      problem(
        'ISSUER_NOTIFICATION_SECRET',
        'must differ from ISSUER_SECRET: who may check notifications could sign our requests',
      ),
    );
  return found;
}

function keys(v: Settings): Finding[] {
  const found: Finding[] = [];
  const isWeak = (key: Buffer): boolean => new Set(key).size < MIN_BYTES;
  for (const [id, key] of v.ENCRYPTION_KEYS ?? []) {
    if (isWeak(key))
      found.push(problem('ENCRYPTION_KEYS', `has a key, ${id}, that is not random: ${RANDOM}`));
    if (v.BLIND_INDEX_KEY?.equals(key))
      found.push(
        problem('BLIND_INDEX_KEY', `must differ from the key ${id} of ENCRYPTION_KEYS: ${RANDOM}`),
      );
  }
  if (v.BLIND_INDEX_KEY !== null && isWeak(v.BLIND_INDEX_KEY))
    found.push(problem('BLIND_INDEX_KEY', `is not random: ${RANDOM}`));
  return [...found, ...signingKeys(v, isWeak)];
}

function signingKeys(v: Settings, isWeak: (key: Buffer) => boolean): Finding[] {
  if (v.SIGNING_KEYS === null)
    return [
      warning(
        'SIGNING_KEYS',
        'is not set: cookies are signed, and second factors encrypted, with a key made of BLIND_INDEX_KEY, which never changes',
      ),
    ];
  const found: Finding[] = [];
  const others = [...(v.ENCRYPTION_KEYS?.values() ?? []), v.BLIND_INDEX_KEY];
  for (const [id, key] of v.SIGNING_KEYS) {
    if (key === null) continue;
    if (isWeak(key))
      found.push(problem('SIGNING_KEYS', `has a key, ${id}, that is not random: ${RANDOM}`));
    if (others.some((other) => other?.equals(key) === true))
      found.push(
        problem('SIGNING_KEYS', `has a key, ${id}, that is used for something else: ${RANDOM}`),
      );
  }
  return found;
}

/** £1,000 and £1,000,000. */
const MUCH_FOR_ONE = 100_000;
const TOO_MUCH_FOR_ONE = 100_000_000;

function fourEyes({ FOUR_EYES_ABOVE_PENCE: pence }: Settings): Finding[] {
  if (pence === null || pence <= MUCH_FOR_ONE) return [];
  const setting = 'FOUR_EYES_ABOVE_PENCE';
  const pounds = `£${Math.floor(pence / 100).toLocaleString('en-GB')}`;
  return pence > TOO_MUCH_FOR_ONE
    ? [
        problem(
          setting,
          `must be at most ${TOO_MUCH_FOR_ONE}: one person would decide on ${pounds}`,
        ),
      ]
    : [warning(setting, `lets one person alone decide on up to ${pounds}`)];
}

/** The widest ranges that are a network: 10.0.0.0/8, and fc00::/7. */
const WIDEST_4 = 8;
const WIDEST_6 = 7;

/** Whether a range is far more than the proxies in front of a service. */
function isTooWide(range: string): boolean {
  const [address = '', bits] = range.split('/');
  if (bits === undefined) return false;
  return Number(bits) < (address.includes(':') ? WIDEST_6 : WIDEST_4);
}

function listening(v: Settings): Finding[] {
  const found: Finding[] = [];
  const wide = v.TRUST_PROXY?.find(isTooWide);
  if (wide !== undefined)
    found.push(
      problem(
        'TRUST_PROXY',
        `must not trust ${wide}, which is most of the internet: write the addresses of the proxies in front, or none`,
      ),
    );
  if (v.HOST !== null && !LOOPBACK.test(v.HOST))
    found.push(
      warning('HOST', `${v.HOST} takes plain HTTP from outside: let only the proxy reach it`),
    );
  if (v.OPERATOR_HOST !== null && !LOOPBACK.test(v.OPERATOR_HOST))
    found.push(
      warning(
        'OPERATOR_HOST',
        `${v.OPERATOR_HOST} takes plain HTTP from outside for the operators’ API, console and metrics: let only operators and Prometheus reach it`,
      ),
    );
  if (v.LOG_LEVEL === 'silent' || v.LOG_LEVEL === 'fatal')
    found.push(warning('LOG_LEVEL', `${v.LOG_LEVEL} hides what wants somebody to look`));
  return found;
}
