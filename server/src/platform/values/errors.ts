/** The stable codes of API errors; each has a page in docs/errors. The HTTP statuses are used only at the edge. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  second_factor_required: 403,
  proof_required: 403,
  sso_required: 403,
  address_not_allowed: 403,
  key_limit_exceeded: 403,
  not_found: 404,
  customer_not_found: 404,
  method_not_allowed: 405,
  consent_required: 409,
  consent_decided: 409,
  schedule_cancelled: 409,
  schedule_paused: 409,
  schedule_ended: 409,
  merchant_suspended: 409,
  idempotency_conflict: 409,
  request_in_progress: 409,
  payment_not_retryable: 409,
  limit_exceeded: 409,
  occurrence_passed: 409,
  payment_not_refundable: 409,
  refund_exceeds_payment: 409,
  payment_not_disputable: 409,
  payment_disputed: 409,
  dispute_ended: 409,
  dispute_not_yours: 409,
  dispute_refund_waits: 409,
  insufficient_balance: 409,
  settlement_not_retryable: 409,
  endpoint_not_enabled: 409,
  too_many_endpoints: 409,
  no_pending_secret: 409,
  clock_busy: 409,
  last_owner: 409,
  operation_refused: 409,
  customer_without_email: 409,
  reminded_already: 409,
  customer_in_use: 409,
  customer_erased: 409,
  act_outdated: 409,
  act_over: 409,
  act_done_already: 409,
  cursor_gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  headers_too_large: 431,
  rate_limit_exceeded: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** An error with a public message; `details` maps dotted field paths to what is wrong. See docs/rules/api.md#errors. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, string>) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The most wrong fields that one refusal lists. */
const MAX_FIELDS_LISTED = 100;

/** Returns 400 `invalid_request`, naming every wrong field up to the first hundred. */
export function invalid(details: Record<string, string>): ApiError {
  const fields = Object.entries(details);
  const [first] = fields;
  if (first !== undefined && fields.length === 1)
    return new ApiError('invalid_request', `${first[0]}: ${first[1]}`, details);
  if (fields.length <= MAX_FIELDS_LISTED)
    return new ApiError('invalid_request', `${fields.length} fields are invalid`, details);
  return new ApiError(
    'invalid_request',
    `more than ${MAX_FIELDS_LISTED} fields are invalid; the first ${MAX_FIELDS_LISTED} are listed`,
    Object.fromEntries(fields.slice(0, MAX_FIELDS_LISTED)),
  );
}

/** Returns 404 `not_found`, also for another merchant's objects: docs/rules/api.md#what-belongs-to-others-is-not-found. */
export function notFound(what: string): ApiError {
  return new ApiError('not_found', `No such ${what}.`);
}

/** Returns what was found. Throws 404 `not_found` if it is null. */
export function orNotFound<T>(found: T | null, what: string): T {
  if (found === null) throw notFound(what);
  return found;
}

/** Whether the database rejected a row because of this constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint;
}
