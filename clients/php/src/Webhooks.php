<?php

declare(strict_types=1);

namespace Recollect;

/**
 * An event verified to come from the service.
 */
final class VerifiedWebhook
{
    /**
     * @param string|null $id the same on every delivery: process each id once; null only without `requireStandard`
     * @param array<string, mixed> $data
     * @param int|null $sequence counts the schedule's events from 1; null for an event of no schedule. No signature
     *   covers it: use it only for ordering
     */
    public function __construct(
        public readonly ?string $id,
        public readonly string $event,
        public readonly array $data,
        public readonly ?int $sequence,
    ) {
    }
}

/**
 * A webhook as the service would send it.
 */
final class SignedWebhook
{
    /**
     * @param array<string, string> $headers
     */
    public function __construct(public readonly string $payload, public readonly array $headers)
    {
    }
}

/**
 * Verifies webhooks, and signs one for your tests. See docs/rules/webhooks.md#the-service-signature.
 */
final class Webhooks
{
    private const PREFIX = 'whsec_';

    /**
     * Verifies that a webhook comes from the service, is unaltered and recent, and returns its event. Throws
     * WebhookVerificationError for a webhook that must not be trusted, and ValueError for a call without a secret.
     *
     * @param string $payload the raw body as received: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers those of the request: `getallheaders()`
     * @param string|list<string> $secret the endpoint's, `whsec_…`; while you rotate it, both
     * @param bool $requireStandard whether the Standard Webhooks headers are required. `X-Service-Signature` does not
     *   cover the timestamp next to it: without them an old webhook could be sent again
     * @param float|null $now Unix seconds
     */
    public static function verify(
        string $payload,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        float $toleranceSeconds = 300,
        bool $requireStandard = true,
        ?float $now = null,
    ): VerifiedWebhook {
        $secrets = self::secretsOf($secret);
        $now ??= microtime(true);
        if (!is_finite($now) || !is_finite($toleranceSeconds)) {
            throw new \ValueError('now and toleranceSeconds must be finite numbers');
        }
        $refuseOtherTime = static fn (string $seconds) =>
            self::refuseOtherTime((int) $seconds, floor($now), $toleranceSeconds);
        self::checkService($payload, $headers, $secrets, $refuseOtherTime);
        $id = self::checkStandard($payload, $headers, $secrets, $refuseOtherTime, $requireStandard);
        $sequence = self::header($headers, 'x-service-sequence') ?? '';
        [$event, $data] = self::readEvent($payload);
        $number = preg_match('/\A[0-9]{1,15}\z/', $sequence) === 1 ? (int) $sequence : null;
        return new VerifiedWebhook($id, $event, $data, $number);
    }

    /**
     * Signs a webhook of your own, to test your receiver with: it passes `verify`. Throws ValueError for what is no
     * secret of an endpoint.
     *
     * @param array<string, mixed> $data
     * @param float|null $now Unix seconds
     */
    public static function sign(
        string $event,
        array $data,
        #[\SensitiveParameter] string $secret,
        ?string $id = null,
        ?int $sequence = null,
        ?float $now = null,
    ): SignedWebhook {
        [$key] = self::keysOf(self::secretsOf($secret));
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        $payload = json_encode(['event' => $event, 'data' => (object) $data], $flags);
        $seconds = (int) floor($now ?? microtime(true));
        $id ??= 'evt_' . bin2hex(random_bytes(16));
        $standard = base64_encode(self::hmac("$id.$seconds.$payload", $key));
        $headers = [
            'content-type' => 'application/json',
            'x-service-signature' => "t=$seconds,v1=" . bin2hex(self::hmac($payload, $secret)),
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $seconds,
            'webhook-signature' => "v1,$standard",
        ];
        return new SignedWebhook(
            $payload,
            $sequence === null ? $headers : [...$headers, 'x-service-sequence' => (string) $sequence],
        );
    }

    private static function hmac(string $content, #[\SensitiveParameter] string $key): string
    {
        return hash_hmac('sha256', $content, $key, true);
    }

    /**
     * Returns a header, whatever the case of its name. One that is there twice is ambiguous.
     *
     * @param array<string, string|list<string>> $headers
     */
    private static function header(array $headers, string $name): ?string
    {
        $values = [];
        foreach ($headers as $key => $value) {
            if (strtolower((string) $key) === $name) {
                array_push($values, ...array_values((array) $value));
            }
        }
        if (count($values) > 1) {
            throw new WebhookVerificationError('malformed_header', "The header $name is there twice");
        }
        return $values[0] ?? null;
    }

    /**
     * @param string|list<string> $secret
     * @return non-empty-list<string>
     */
    private static function secretsOf(#[\SensitiveParameter] string|array $secret): array
    {
        $secrets = array_values((array) $secret);
        $isSecret = static fn (mixed $one): bool => is_string($one)
            && str_starts_with($one, self::PREFIX)
            && self::fromBase64(substr($one, strlen(self::PREFIX))) !== null;
        if ($secrets === [] || array_filter($secrets, $isSecret) !== $secrets) {
            throw new \ValueError('secret must be the secret of a webhook endpoint: whsec_…');
        }
        return $secrets;
    }

    /**
     * @param list<string> $secrets
     * @return list<string>
     */
    private static function keysOf(#[\SensitiveParameter] array $secrets): array
    {
        return array_map(
            static fn (string $one): string => (string) self::fromBase64(substr($one, strlen(self::PREFIX))),
            $secrets,
        );
    }

    private static function fromBase64(#[\SensitiveParameter] string $text): ?string
    {
        if (preg_match('~\A[A-Za-z0-9+/]+={0,2}\z~', $text) !== 1) {
            return null;
        }
        $bytes = base64_decode(rtrim($text, '='), true);
        return $bytes === false ? null : $bytes;
    }

    /**
     * Checks `X-Service-Signature`, which is keyed with the secret as displayed.
     *
     * @param array<string, string|list<string>> $headers
     * @param list<string> $secrets
     */
    private static function checkService(
        string $payload,
        array $headers,
        #[\SensitiveParameter] array $secrets,
        \Closure $refuseOtherTime,
    ): void {
        $name = 'X-Service-Signature';
        $header = self::header($headers, strtolower($name)) ?? throw self::missing($name);
        if (preg_match('/\At=([0-9]{1,12}),v1=([0-9a-f]{64})\z/', $header, $found) !== 1) {
            throw self::malformed($name);
        }
        $refuseOtherTime($found[1]);
        if (!self::isSigned($secrets, [(string) hex2bin($found[2])], $payload)) {
            throw self::mismatch($name);
        }
    }

    /**
     * Checks the Standard Webhooks 1.0.0 signature, keyed with the secret's bytes. Returns the id.
     *
     * @param array<string, string|list<string>> $headers
     * @param list<string> $secrets
     */
    private static function checkStandard(
        string $payload,
        array $headers,
        #[\SensitiveParameter] array $secrets,
        \Closure $refuseOtherTime,
        bool $isRequired,
    ): ?string {
        $id = self::header($headers, 'webhook-id');
        $time = self::header($headers, 'webhook-timestamp');
        $list = self::header($headers, 'webhook-signature');
        if (!$isRequired && $id === null && $time === null && $list === null) {
            return null;
        }
        $id ?? throw self::missing('webhook-id');
        $time ?? throw self::missing('webhook-timestamp');
        $list ?? throw self::missing('webhook-signature');
        if (preg_match('/\A[0-9]{1,12}\z/', $time) !== 1) {
            throw self::malformed('webhook-timestamp');
        }
        $refuseOtherTime($time);
        if (!self::isSigned(self::keysOf($secrets), self::signaturesOf($list), "$id.$time.$payload")) {
            throw self::mismatch('webhook-signature');
        }
        return $id;
    }

    /**
     * Returns the `v1` signatures of a list such as `v1,<base64> v1,<base64> v2,…`.
     *
     * @return list<string>
     */
    private static function signaturesOf(string $list): array
    {
        $signatures = [];
        foreach (explode(' ', $list) as $entry) {
            $bytes = str_starts_with($entry, 'v1,') ? self::fromBase64(substr($entry, 3)) : null;
            if ($bytes !== null) {
                $signatures[] = $bytes;
            }
        }
        return $signatures;
    }

    /**
     * Compares in constant time.
     *
     * @param list<string> $keys
     * @param list<string> $signatures
     */
    private static function isSigned(#[\SensitiveParameter] array $keys, array $signatures, string $content): bool
    {
        foreach ($keys as $key) {
            foreach ($signatures as $signature) {
                if (hash_equals(self::hmac($content, $key), $signature)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static function refuseOtherTime(int $seconds, float $now, float $tolerance): void
    {
        if ($now - $seconds > $tolerance) {
            $message = "The timestamp is older than $tolerance seconds";
            throw new WebhookVerificationError('timestamp_too_old', $message);
        }
        if ($seconds > $now + $tolerance) {
            throw new WebhookVerificationError('timestamp_in_future', 'The timestamp is in the future');
        }
    }

    /**
     * @return array{string, array<string, mixed>}
     */
    private static function readEvent(string $payload): array
    {
        $event = json_decode($payload, true);
        if (!is_array($event) || !is_string($event['event'] ?? null) || !is_array($event['data'] ?? null)) {
            throw new WebhookVerificationError('invalid_payload', 'The body is not an event');
        }
        return [$event['event'], $event['data']];
    }

    private static function missing(string $name): WebhookVerificationError
    {
        return new WebhookVerificationError('missing_header', "The header $name is missing");
    }

    private static function malformed(string $name): WebhookVerificationError
    {
        return new WebhookVerificationError('malformed_header', "The header $name is malformed");
    }

    private static function mismatch(string $name): WebhookVerificationError
    {
        return new WebhookVerificationError('signature_mismatch', "The $name does not fit the body");
    }
}
