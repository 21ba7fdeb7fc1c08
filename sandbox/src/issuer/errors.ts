/** An error with a stable code; `status` is its HTTP status. */
export class IssuerError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'IssuerError';
    this.status = status;
    this.code = code;
  }
}

/** Returns the error for an idempotency key that was reused with other content. */
export function idempotencyConflict(key: string): IssuerError {
  return new IssuerError(
    409,
    'idempotency_conflict',
    `The idempotency key ${key} was used before for another request`,
  );
}
