import { format } from 'node:util';
import pino from 'pino';
import { remembering } from '../values/instants.ts';
import { LOG_EVENTS, type LogEventCode } from './log-events.ts';

/**
 * The fields of a line, which are snake_case like all that leaves the service: a row that is spread into a line does not compile.
 * `reqId` is the HTTP library's own name.
 */
type LoggedFields<F> = {
  [K in keyof F]: K extends 'reqId' | Lowercase<string & K> ? F[K] : never;
};

/** The service's log. From `warn` on, a line has a code, and its level and sentence come from `LOG_EVENTS`. */
export interface Log {
  /** Writes an event: `log.report('payment.outcome_overdue', { payment_id })`. */
  report<F extends object>(code: LogEventCode, fields?: F & LoggedFields<F>): void;
  readonly info: pino.LogFn;
  readonly debug: pino.LogFn;
  /** For the HTTP library, which writes its own lines: from `warn` on they are reported as `http.library_reported`. */
  readonly ofLibrary: pino.Logger;
}

const SECRETS =
  'authorization|cookie|secret|token|password|api_?key|jwk|grant|consent_?url|' +
  'phone|account_?number|sort_?code';
/** Names of fields that must never appear in a log, wherever they are in a logged object. */
const REDACTED = new RegExp(`(${SECRETS})$|^link$`, 'i');
/** The fields of our lines are always the same few. */
const isRedacted = remembering((name: string) => REDACTED.test(name));
const CENSOR = '[redacted]';
const MAX_DEPTH = 10;

/** Makes a structured log, one JSON object per line. `base`: what every line says besides. */
export function makeLog(
  level: string,
  destination?: pino.DestinationStream,
  base: { engine: number } | null = null,
): Log {
  const lines = makeLines(level, base, destination);
  return {
    report: (code, fields) => write(lines, code, fields ?? {}),
    info: lines.info.bind(lines),
    debug: lines.debug.bind(lines),
    ofLibrary: lines,
  };
}

function write(lines: pino.Logger, event: LogEventCode, fields: object): void {
  const { level, message } = LOG_EVENTS[event];
  lines[level]({ event, ...fields }, message);
}

function makeLines(
  level: string,
  base: { engine: number } | null,
  destination?: pino.DestinationStream,
): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (object) => redactFields(object) },
    serializers: { err: (error: unknown) => error }, // a plain object by now
    hooks: { logMethod: assignCode },
  };
  return pino(options, destination ?? standardOutput());
}

const WARN = pino.levels.values.warn ?? 0;

/** Reports a library's line from `warn` on under one of our codes, because libraries know none. */
function assignCode(
  this: pino.Logger,
  args: Parameters<pino.LogFn>,
  method: pino.LogFn,
  level: number,
): void {
  const [first, ...rest] = args as unknown[];
  const isOurs = typeof first === 'object' && first !== null && 'event' in first;
  if (level < WARN || isOurs) method.apply(this, args);
  else if (typeof first !== 'object')
    write(this, 'http.library_reported', { said: format(...args) });
  else if (first instanceof Error && rest.length === 0)
    write(this, 'http.library_reported', { err: first, said: first.message });
  else {
    const fields = first instanceof Error ? { err: first } : first;
    write(this, 'http.library_reported', { ...fields, said: format(...rest) });
  }
}

/** Returns the destination of the log; if its reader goes away, lines are discarded and the service continues. */
function standardOutput(): pino.DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  output.on('error', () => {
    output.write = () => true;
  });
  return output;
}

/** Returns a copy without what must not be logged. Class instances are left to their `toJSON`. */
function redact(value: unknown, depth: number): unknown {
  if (value instanceof Error) return errorFields(value, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return redactFields(value, depth);
}

/** Returns an error with its fields, except `detail`: there PostgreSQL quotes the row that a constraint rejected. */
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

/** Returns a copy of a line's fields without what must not be logged. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    copy[name] = isRedacted(name) ? CENSOR : redact(value, depth + 1);
  return copy;
}
