<?php

declare(strict_types=1);

namespace Recollect;

/**
 * When a call is tried again. Nothing here waits or sends.
 *
 * @internal
 */
final class Retries
{
    private const FIRST_WAIT = 0.25;
    private const LONGEST_WAIT = 8.0;
    /** The rate limit is per minute: whether to wait longer is up to the caller. */
    private const LONGEST_RETRY_AFTER = 60;
    /** Refusals that say nothing of an earlier attempt under the same key: it may have taken effect. */
    private const SILENT_STATUSES = [401, 403, 429];
    private const IN_PROGRESS = 'request_in_progress';

    /**
     * Returns whether the failed request may have taken effect.
     */
    public static function isUnclear(CallFailure $error): bool
    {
        return $error instanceof RecollectUnknownOutcomeError;
    }

    /**
     * Returns the delay before the next attempt, in seconds; null: do not retry. Retries unknown outcomes, 429 and,
     * after an attempt with an unknown outcome, 409 `request_in_progress`: that attempt is still being processed.
     * `$tried`: the number of attempts made.
     */
    public static function waitBeforeNext(CallFailure $error, int $tried, bool $wasUnclear): ?float
    {
        $isInProgress = $wasUnclear && $error->errorCode === self::IN_PROGRESS;
        if (!self::isUnclear($error) && $error->status !== 429 && !$isInProgress) {
            return null;
        }
        if ($error->retryAfter !== null) {
            return $error->retryAfter <= self::LONGEST_RETRY_AFTER ? (float) $error->retryAfter : null;
        }
        $most = min(self::FIRST_WAIT * 2 ** ($tried - 1), self::LONGEST_WAIT);
        return $most / 2 + mt_rand() / mt_getrandmax() * $most / 2;
    }

    /**
     * Returns whether a refusal leaves open if the call takes effect: an earlier attempt may have, or another request
     * with the same key, which is still being processed, may yet.
     */
    public static function leavesUnclear(CallFailure $error, bool $wasUnclear): bool
    {
        if (!$error instanceof RecollectError) {
            return false;
        }
        $isInProgress = $error->errorCode === self::IN_PROGRESS;
        // The code alone also says that something else is under way, unrelated to this call.
        if ($isInProgress && isset($error->details['Idempotency-Key'])) {
            return true;
        }
        return $wasUnclear && ($isInProgress || in_array($error->status, self::SILENT_STATUSES, true));
    }

    /**
     * Returns the seconds that a `Retry-After`, a number or a date, asks for; null: it is neither.
     */
    public static function secondsOf(?string $retryAfter): ?int
    {
        if ($retryAfter === null) {
            return null;
        }
        if (preg_match('/\A[0-9]{1,9}\z/', $retryAfter) === 1) {
            return (int) $retryAfter;
        }
        $zone = new \DateTimeZone('UTC');
        $at = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $retryAfter, $zone);
        return $at === false ? null : max(0, (int) ceil($at->getTimestamp() - microtime(true)));
    }
}
