import pg from 'pg';

/** SQLSTATEs that say "not now" and not "never": worth another try by the caller. */
const UNAVAILABLE = /^(08|53|57P0|40|57014|55P03|25006)/;
const CONNECTION_ERRORS = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** What pg says itself of a connection that is gone, was never made, or was lost between two statements. */
const NO_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable)/;

/** Whether an error says that the database cannot be asked just now: nothing was done, or it is not known. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isUnavailable); // one for each address of a host
  if ('code' in error && CONNECTION_ERRORS.has(String(error.code))) return 'syscall' in error;
  return NO_CONNECTION.test(error.message);
}
