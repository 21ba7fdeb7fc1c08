import pg from 'pg';

/** SQLSTATEs that mean "not now" and not "never": the caller should retry. */
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
/** pg's own messages for a connection that is gone, was never made, or was lost between two statements. */
const NO_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client .* is not queryable)/;

/** Whether the database is there and takes no connections for now (`ALLOW_CONNECTIONS false`), as while it is restored. */
const refusesConnections = ({ code, severity }: pg.DatabaseError): boolean =>
  code === '55000' && severity === 'FATAL';

/** Whether an error means that the database is unavailable: nothing was done, or the outcome is unknown. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError)
    return UNAVAILABLE.test(error.code ?? '') || refusesConnections(error);
  if (error instanceof AggregateError) return error.errors.some(isUnavailable); // one per address of a host
  if ('code' in error && CONNECTION_ERRORS.has(String(error.code))) return 'syscall' in error;
  return NO_CONNECTION.test(error.message);
}
