/** Returns the code of an error, of the system (`ENOENT`) or of PostgreSQL (`55P03`); empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** Returns the message of an error, or the text of anything else that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of an error, or its message if it has none: for a line that is short and reveals little. */
export function causeOf(error: unknown): string {
  return errorCode(error) || errorMessage(error);
}
