import { remembering } from '../../values/instants.ts';

/** Replaces a value that must not be read in a log. */
export const REDACTED = '[redacted]';

const MAX_DEPTH = 32;

/** Fields that contain a secret, or a customer's or a merchant's account or phone; `api_key` and `apiKey` are one name. */
const SECRET_NAMES =
  /secret|passw|token|credential|accountnumber|sortcode|iban|phone|consenturl|portalurl|email/;
/** What people wrote of a dispute, what a bank says a holder is called, and the query of a saved view: sealed at rest too. */
const SEALED_TEXTS = /^(note|answer|bankname|query)$/;
/** What a merchant knows about a customer. */
const OF_A_CUSTOMER = /^(name|notes)$/;
const SECRET_NAME_ENDS = /(key|pin|otp|cookie|authorization)$/;

/** Secrets recognised by their form, wherever they are: keys, webhook secrets, bearer tokens, and phone numbers. */
const SECRET_FORMS: readonly RegExp[] = [
  /\brk_(test|live)_[0-9A-Za-z]+/g,
  /\bwhsec_[\w+/=-]+/g,
  /\bBearer\s+[\x21-\x7e]+/gi,
  /(?:\+|%2B)\d[\d ()-]{6,18}\d/gi,
];

/** What each of those, and an address, has in it: nearly every text has none, and one search says so. */
const MAY_HOLD_SECRET = /rk_|whsec_|bearer|\+|%2b|https?:/i;

const URL_FORM = /\bhttps?:\/\/[^\s"'<>]+/g;
/** A path segment that is as long as a secret and is not one of our ids. */
const SECRET_SEGMENT =
  /^(?!(mer|cus|sch|con|pay|wal|trf|set|evt|end|del|key|req|usr|inv)_)[\w.~%-]{24,}$/;

const plainOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
const plainOfUsual = remembering(plainOf);
/** The names of our own fields are shorter. What a caller makes up may be as long as a body, and is not kept. */
const USUAL_LENGTH = 40;

const plainName = (name: string): string =>
  name.length > USUAL_LENGTH ? plainOf(name) : plainOfUsual(name);

const isSecretPlain = (plain: string): boolean =>
  SECRET_NAMES.test(plain) || SEALED_TEXTS.test(plain) || SECRET_NAME_ENDS.test(plain);
const isSecretUsual = remembering(isSecretPlain);

/** Returns a path without segments that may be a link's secret, and without its query. */
export function redactPath(path: string): string {
  const [bare = ''] = path.split(/[?#]/);
  return redactForms(bare)
    .split('/')
    .map((part) => (SECRET_SEGMENT.test(part) ? REDACTED : part))
    .join('/');
}

/** Keeps where a URL leads, and removes what grants access. */
function redactUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return REDACTED;
  return `${url.protocol}//${url.host}${redactPath(url.pathname)}${url.search === '' ? '' : `?${REDACTED}`}`;
}

function redactForms(text: string): string {
  return SECRET_FORMS.reduce((left, form) => left.replace(form, REDACTED), text);
}

/** Returns a text without the secrets that are recognised by their form. */
export function redactText(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  return redactForms(text.replace(URL_FORM, redactUrl));
}

/** Redacts every value below and keeps the shape. */
function blank(value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((one) => blank(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redactText(name), blank(inner, depth + 1)]),
  );
}

/** Whether a field of this object is a secret because of the fields beside it. */
function isSecretHere(name: string, fields: Readonly<Record<string, unknown>>): boolean {
  const plain = plainName(name);
  // `{type: 'phone', value}` and malformed versions of it: only a user id, and an amount's number, may be read
  if (plain === 'value') return typeof fields[name] === 'string' && fields.type !== 'user_id';
  if (plain === 'name') return 'account_number' in fields || 'sort_code' in fields; // the account's holder
  if (plain === 'customer') return typeof fields[name] === 'string';
  if (plain === 'url') return 'expires_at' in fields; // a link that gives access to anyone who has it
  if (plain === 'csv') return true; // a file of customers
  if (plain === 'body') return 'subject_id' in fields; // an event as it is sent, perhaps with an account
  return plain.length > USUAL_LENGTH ? isSecretPlain(plain) : isSecretUsual(plain);
}

/**
 * Returns a body as a log may keep it: secrets, account details and phone numbers are redacted by field name and by form, at
 * any depth; the shape stays. The sentences of an error's `details` stay, because they are ours. `isCustomer`: the body is about
 * a customer, so names and notes in it are redacted too; those below `customer` always are.
 */
export function redact(value: unknown, depth = 0, isCustomer = false): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((one) => redact(one, depth + 1, isCustomer));
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [
      redactText(name),
      isSecretHere(name, fields) || (isCustomer && OF_A_CUSTOMER.test(plainName(name)))
        ? blank(inner, depth + 1)
        : redact(inner, depth + 1, isCustomer || plainName(name) === 'customer'),
    ]),
  );
}

/** Redacts a request's or response's body: customers' bodies carry their names and notes at the top. */
export function redactBody(url: string, body: unknown): unknown {
  return redact(body, 0, /\/customers\b/.test(url));
}

/** Redacts an error's envelope: its details name fields, and say in our words what is wrong with them. */
export function redactError(envelope: { error?: { details?: unknown } }): unknown {
  const { details } = envelope.error ?? {};
  if (typeof details !== 'object' || details === null) return redact(envelope);
  const sentences = Object.entries(details).map(([name, text]) => [
    redactText(name),
    redactText(String(text)),
  ]);
  const bare = redact({ ...envelope, error: { ...envelope.error, details: undefined } }) as {
    error: object;
  };
  return { ...bare, error: { ...bare.error, details: Object.fromEntries(sentences) } };
}

/** Returns the beginning of a text, at most `bytes` bytes of UTF-8. */
export function cut(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  const whole = new TextEncoder().encode(text);
  if (whole.length <= bytes) return text;
  const room = bytes - 3; // for the ellipsis
  return `${new TextDecoder().decode(whole.subarray(0, room)).replace(/\uFFFD+$/, '')}…`;
}
