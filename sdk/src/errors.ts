/** The fields of a `RecollectError`. */
export interface RefusalParts {
  code: string;
  message: string;
  status: number;
  details?: Record<string, string> | undefined;
  requestId?: string | null;
  idempotencyKey?: string | null;
}

/** The service returned an error: docs/rules/api.md#errors. */
export class RecollectError extends Error {
  override readonly name = 'RecollectError';
  /** A stable code such as `invalid_request`; `unexpected_response` if the response did not come from the service. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** Maps each dotted field path to what is wrong with it. */
  readonly details: Record<string, string> | undefined;
  /** The response's `X-Request-Id`: quote it when you contact support. */
  readonly requestId: string | null;
  /** The request's idempotency key: a retry with it takes effect only once. Null for GET and DELETE. */
  readonly idempotencyKey: string | null;

  constructor(parts: RefusalParts) {
    super(parts.message);
    this.code = parts.code;
    this.status = parts.status;
    this.details = parts.details;
    this.requestId = parts.requestId ?? null;
    this.idempotencyKey = parts.idempotencyKey ?? null;
  }
}

/**
 * No response: the connection failed or timed out. The outcome is unknown: the request may have taken effect. Retry it with the
 * same `idempotencyKey` so that it takes effect only once.
 */
export class RecollectConnectionError extends Error {
  override readonly name = 'RecollectConnectionError';
  /** The request's idempotency key. Null for GET and DELETE. */
  readonly idempotencyKey: string | null;

  constructor(message: string, options: { cause?: unknown; idempotencyKey: string | null }) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** Why a webhook was rejected. */
export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch'
  | 'invalid_payload';

/** The webhook was not sent by the service, was altered in transit, or is too old. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
