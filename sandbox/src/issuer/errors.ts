/** A refusal with a stable code; `status` is the HTTP status it travels with. */
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

/** The refusal of an idempotency key that was used before for something else. */
export function idempotencyConflict(key: string): IssuerError {
  return new IssuerError(
    409,
    'idempotency_conflict',
    `The idempotency key ${key} was used before for another request`,
  );
}
