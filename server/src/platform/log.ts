import pino from 'pino';

export type Log = pino.Logger;

const SECRETS =
  'authorization|cookie|secret|token|password|api_?key|jwk|grant|consent_?url|' +
  'phone|account_?number|sort_?code';
/** Names of what must never stand in a log, wherever they appear in a logged object. */
const REDACTED = new RegExp(`(${SECRETS})$|^link$`, 'i');
const CENSOR = '[redacted]';
const DEEPEST = 10;

/** Structured logs, one JSON object a line. */
export function makeLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (object) => redactFields(object, 0) },
    serializers: { err: (error: unknown) => error }, // it is a plain object by now
  };
  return pino(options, destination ?? standardOutput());
}

/** Where logs go; when nobody reads them any more, they are written to nobody, and the service goes on. */
function standardOutput(): pino.DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  output.on('error', () => {
    output.write = () => true;
  });
  return output;
}

/** A copy without what must not be logged. Objects of a class are left to their `toJSON`. */
function redact(value: unknown, depth: number): unknown {
  if (value instanceof Error) return errorFields(value, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return redactFields(value, depth);
}

/** An error with what hangs on it, except `detail`: there PostgreSQL quotes the row that a constraint refused. */
function errorFields(error: Error, depth: number): Record<string, unknown> {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const {
    cause: _toldByTheMessage,
    detail: _row,
    ...fields
  } = { ...error } as Record<string, unknown>;
  const errors = error instanceof AggregateError ? { errors: redact(error.errors, depth) } : {};
  return { ...redactFields(fields, depth), ...errors, type, message, stack };
}

function redactFields(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    copy[name] = REDACTED.test(name) ? CENSOR : redact(value, depth + 1);
  return copy;
}
