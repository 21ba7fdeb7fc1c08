/** What a `RecollectError` is made of. */
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
  /** A stable code such as `invalid_request`; `unexpected_response` where the answer was none of the service's. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** Dotted field path → what is wrong with it. */
  readonly details: Record<string, string> | undefined;
  /** The answer's `X-Request-Id`: name it when you ask about the error. */
  readonly requestId: string | null;
  /** The key that the request carried: repeat the request with it, and it takes effect once. Null for GET and DELETE. */
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
 * No answer came: the connection failed, or the time was up. That is not a failure of the request: it may have taken
 * effect. Repeat it with the same `idempotencyKey` to be sure that it takes effect once.
 */
export class RecollectConnectionError extends Error {
  override readonly name = 'RecollectConnectionError';
  /** The key that the request carried. Null for GET and DELETE. */
  readonly idempotencyKey: string | null;

  constructor(message: string, options: { cause?: unknown; idempotencyKey: string | null }) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** Why a webhook was refused. */
export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch'
  | 'invalid_payload';

/** The webhook does not come from the service, was changed on its way, or is too old. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
