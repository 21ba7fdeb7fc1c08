/** The embedded PostgreSQL cannot be started; the message is one line that says why and what to do. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';
}

/** Returns the system's code of an error (`EACCES`, `ENOENT`), or its message if it has none. */
export function causeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return error.code;
  return error instanceof Error ? error.message : String(error);
}
