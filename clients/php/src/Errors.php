<?php

declare(strict_types=1);

namespace Recollect;

/**
 * What is known of a call that did not succeed.
 */
abstract class CallFailure extends \RuntimeException
{
    /**
     * @param string|null $errorCode a stable code such as `invalid_request`; null: the service did not say one
     * @param int|null $status the HTTP status; null: there was no answer
     * @param array<string, string>|null $details what is wrong with each field, by its dotted path
     * @param string|null $requestId the response's `X-Request-Id`: quote it when you contact support
     * @param string|null $idempotencyKey the request's key: repeated with it, it takes effect only once;
     *   null for GET and DELETE
     * @param int|null $retryAfter in how many seconds to try again, as the service asks; null: it does not say
     * @param string|null $docUrl the page about this code
     */
    public function __construct(
        string $message,
        public readonly ?string $errorCode = null,
        public readonly ?int $status = null,
        public readonly ?array $details = null,
        public readonly ?string $requestId = null,
        public readonly ?string $idempotencyKey = null,
        public readonly ?int $retryAfter = null,
        public readonly ?string $docUrl = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $status ?? 0, $previous);
    }
}

/**
 * The service refused the call, which had no effect.
 */
class RecollectError extends CallFailure
{
}

/**
 * 400, and what else is wrong with the request itself; `details` names the fields.
 */
final class RecollectRequestError extends RecollectError
{
}

/**
 * 401: the key is missing, wrong or revoked.
 */
final class RecollectAuthenticationError extends RecollectError
{
}

/**
 * 403: the key may not do this, or not from here.
 */
final class RecollectPermissionError extends RecollectError
{
}

/**
 * 404: there is none, or none of yours.
 */
final class RecollectNotFoundError extends RecollectError
{
}

/**
 * 409: it does not fit the state of things now; `errorCode` says which.
 */
final class RecollectConflictError extends RecollectError
{
}

/**
 * 429: too many requests; `retryAfter` says in how many seconds to go on.
 */
final class RecollectRateLimitError extends RecollectError
{
}

/**
 * Nobody knows whether the call took effect; it was not refused. Repeat it with `idempotencyKey`, and it takes
 * effect only once.
 */
class RecollectUnknownOutcomeError extends CallFailure
{
}

/**
 * 5xx: the service could not answer.
 */
final class RecollectServiceError extends RecollectUnknownOutcomeError
{
}

/**
 * No answer of the service: the connection failed or timed out, or something in between, such as a proxy, answered
 * in its place (`status`).
 */
final class RecollectConnectionError extends RecollectUnknownOutcomeError
{
}

/**
 * The webhook was not sent by the service, was altered in transit, or is too old. Respond with 400.
 */
final class WebhookVerificationError extends \RuntimeException
{
    /**
     * @param string $reason `missing_header`, `malformed_header`, `timestamp_too_old`, `timestamp_in_future`,
     *   `signature_mismatch` or `invalid_payload`
     */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
