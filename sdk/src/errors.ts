import type { ErrorCode } from './types.ts';

/** The fields of a `RecollectError`. */
export interface RefusalParts {
  code: string;
  message: string;
  status: number;
  details?: Record<string, string> | undefined;
  requestId?: string | null;
  idempotencyKey?: string | null;
  retryAfter?: number | null;
  docUrl?: string | null;
}

/** The service returned an error: docs/rules/api.md#errors. What it has below 500 had no effect. */
export class RecollectError extends Error {
  override readonly name: string = 'RecollectError';
  /** A stable code such as `invalid_request`. A newer service may have others than those of the type. */
  readonly code: ErrorCode | (string & {});
  /** The HTTP status. */
  readonly status: number;
  /** Maps each dotted field path to what is wrong with it. */
  readonly details: Record<string, string> | undefined;
  /** The response's `X-Request-Id`: quote it when you contact support. */
  readonly requestId: string | null;
  /** The request's idempotency key: a retry with it takes effect only once. Null for GET and DELETE. */
  readonly idempotencyKey: string | null;
  /** In how many seconds to try again, as the service asks; null: it does not say. */
  readonly retryAfter: number | null;
  /** The page about this code. */
  readonly docUrl: string | null;

  constructor(parts: RefusalParts) {
    super(parts.message);
    this.code = parts.code;
    this.status = parts.status;
    this.details = parts.details;
    this.requestId = parts.requestId ?? null;
    this.idempotencyKey = parts.idempotencyKey ?? null;
    this.retryAfter = parts.retryAfter ?? null;
    this.docUrl = parts.docUrl ?? null;
  }
}

/** 401: the key is missing, wrong or revoked. */
export class RecollectAuthenticationError extends RecollectError {
  override readonly name = 'RecollectAuthenticationError';
}

/** 403: the key may not do this, or not from here. */
export class RecollectPermissionError extends RecollectError {
  override readonly name = 'RecollectPermissionError';
}

/** 404: there is none, or none of yours. */
export class RecollectNotFoundError extends RecollectError {
  override readonly name = 'RecollectNotFoundError';
}

/** 409: it does not fit the state of things now; `code` says which. */
export class RecollectConflictError extends RecollectError {
  override readonly name = 'RecollectConflictError';
}

/** 429: too many requests; `retryAfter` says in how many seconds to go on. */
export class RecollectRateLimitError extends RecollectError {
  override readonly name = 'RecollectRateLimitError';
}

/** 400, and what else is wrong with the request itself; `details` names the fields. */
export class RecollectRequestError extends RecollectError {
  override readonly name = 'RecollectRequestError';
}

/** 5xx: the service could not answer. The outcome is unknown; retry it with the same `idempotencyKey`. */
export class RecollectServiceError extends RecollectError {
  override readonly name = 'RecollectServiceError';
}

const CLASSES: Readonly<Record<number, typeof RecollectError>> = {
  401: RecollectAuthenticationError,
  403: RecollectPermissionError,
  404: RecollectNotFoundError,
  409: RecollectConflictError,
  429: RecollectRateLimitError,
};

/** Returns the error of a response by its status. */
export function refusalOf(parts: RefusalParts): RecollectError {
  const { status } = parts;
  const Refusal =
    CLASSES[status] ?? (status >= 500 ? RecollectServiceError : RecollectRequestError);
  return new Refusal(parts);
}

/**
 * No answer of the service that says what happened: the connection failed or timed out, something between answered in its place,
 * or the service refused the last attempt without a word on an earlier one, or on another request with the same key that is at
 * work (`cause` is that refusal). The outcome is unknown: the request may have taken effect. Retry it with the same
 * `idempotencyKey` so that it takes effect only once.
 */
export class RecollectConnectionError extends Error {
  override readonly name = 'RecollectConnectionError';
  /** The request's idempotency key. Null for GET and DELETE. */
  readonly idempotencyKey: string | null;
  /** The HTTP status of the last answer, which says nothing of the outcome; null: there was none. */
  readonly status: number | null;

  constructor(
    message: string,
    options: { cause?: unknown; idempotencyKey: string | null; status?: number | null },
  ) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
    this.status = options.status ?? null;
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
