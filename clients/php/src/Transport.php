<?php

declare(strict_types=1);

namespace Recollect;

/**
 * Sends authenticated calls, each attempt with a time-out, and retries them where that is safe.
 *
 * @internal
 */
final class Transport
{
    private const PAGE = 100;

    public function __construct(
        private readonly Secret $apiKey,
        private readonly string $baseUrl,
        private float $timeout,
        private int $maxRetries,
        private readonly string $userAgent,
    ) {
        if (preg_match('/\A[!-~]+\z/', $apiKey->reveal()) !== 1) {
            throw new \ValueError('apiKey must be a key such as rk_test_…, without blanks');
        }
        if (!self::isRoot($baseUrl)) {
            throw new \ValueError('baseUrl must be an http(s) URL without a user, query or fragment');
        }
        self::checkOptions($timeout, $maxRetries);
        self::checkHeader('appInfo', $userAgent);
    }

    private static function checkOptions(float $timeout, int $maxRetries): void
    {
        if (!($timeout > 0)) {
            throw new \ValueError('timeout must be a number of seconds above 0');
        }
        if ($maxRetries < 0) {
            throw new \ValueError('maxRetries must be 0 or more');
        }
    }

    /**
     * Returns another transport to the same service; null keeps what there is.
     */
    public function withOptions(?float $timeout, ?int $maxRetries): self
    {
        $other = clone $this;
        $other->timeout = $timeout ?? $this->timeout;
        $other->maxRetries = $maxRetries ?? $this->maxRetries;
        self::checkOptions($other->timeout, $other->maxRetries);
        return $other;
    }

    /**
     * Encodes an id as a path segment. Throws ValueError for one that would change the path.
     */
    public static function segment(string $text): string
    {
        if (in_array($text, ['', '.', '..'], true)) {
            throw new \ValueError("This is not an id: '$text'");
        }
        return rawurlencode($text);
    }

    /**
     * Requests a page of a list, which fetches the next ones by their cursor.
     *
     * @param array<string, mixed> $query
     * @return Page<mixed>
     */
    public function list(string $path, array $query): Page
    {
        $fetchNext = function (string $after) use ($path, $query): Page {
            // A cursor takes the place of an offset, and by cursor nothing is added up.
            unset($query['offset'], $query['sum']);
            return $this->list($path, ['after' => $after] + $query + ['limit' => self::PAGE]);
        };
        return new Page($this->send('GET', $path, query: $query), $fetchNext);
    }

    /**
     * Sends a call and returns its body. Throws RecollectError for a refusal and RecollectUnknownOutcomeError where
     * the call may have taken effect.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function send(
        string $method,
        string $path,
        array $query = [],
        array $body = [],
        ?string $idempotencyKey = null,
        bool $onlyOnce = false,
        float $timeout = 0,
    ): array {
        $url = rtrim($this->baseUrl, '/') . $path . self::queryOf($query);
        $isWrite = $method === 'POST' || $method === 'PUT';
        $key = $isWrite && !$onlyOnce ? $idempotencyKey ?? self::randomKey() : null;
        // An empty object where there is nothing to say: some proxies refuse a POST without one.
        $content = $isWrite ? self::encode((object) $body) : null;
        $timeout = max($timeout, $this->timeout);
        $wasUnclear = false;
        for ($tried = 1; ; $tried++) {
            try {
                return $this->try($method, $url, $content, $key, $timeout);
            } catch (CallFailure $error) {
                $wait = Retries::waitBeforeNext($error, $tried, $wasUnclear);
                $isLast = $tried > $this->maxRetries || ($onlyOnce && Retries::isUnclear($error));
                if ($isLast || $wait === null) {
                    $isOpen = $method !== 'GET' && Retries::leavesUnclear($error, $wasUnclear);
                    throw $isOpen ? self::unknownAfter($error, $wasUnclear) : $error;
                }
                $wasUnclear = $wasUnclear || Retries::isUnclear($error);
            }
            usleep((int) ceil($wait * 1e6));
        }
    }

    /**
     * @return array<string, mixed>
     */
    private function try(string $method, string $url, ?string $content, ?string $key, float $timeout): array
    {
        [$status, $headers, $text] = $this->fetch($method, $url, $content, $key, $timeout);
        $body = json_decode($text, true);
        // An object, and not a list, which is one of PHP's arrays too.
        $isObject = is_array($body) && str_starts_with(ltrim($text), '{');
        if ($status >= 200 && $status < 300 && $isObject) {
            return $body;
        }
        $requestId = $headers['x-request-id'] ?? null;
        $error = $isObject && is_array($body['error'] ?? null) ? $body['error'] : [];
        $code = $error['code'] ?? null;
        $message = $error['message'] ?? null;
        if ($status < 400 || !is_string($code) || !is_string($message)) {
            throw new RecollectConnectionError(
                "The answer is not the service's: " . self::whatCame($status, $headers),
                status: $status,
                requestId: $requestId,
                idempotencyKey: $key,
            );
        }
        $details = $error['details'] ?? null;
        throw new (self::classOf($status))(
            $message,
            errorCode: $code,
            status: $status,
            details: is_array($details) ? $details : null,
            requestId: $requestId,
            idempotencyKey: $key,
            retryAfter: Retries::secondsOf($headers['retry-after'] ?? null),
            docUrl: rtrim($this->baseUrl, '/') . '/docs/errors/' . rawurlencode($code),
        );
    }

    /**
     * @return array{int, array<string, string>, string}
     */
    private function fetch(string $method, string $url, ?string $content, ?string $key, float $timeout): array
    {
        $headers = [];
        $onHeader = function (\CurlHandle $_, string $line) use (&$headers): int {
            if (str_starts_with($line, 'HTTP/')) {
                $headers = []; // those before were of a proxy, or of "100 Continue"
            }
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower(trim($name))] = trim($value);
            return strlen($line);
        };
        $handle = curl_init($url);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $this->headersOf($content, $key),
            CURLOPT_USERAGENT => $this->userAgent,
            CURLOPT_RETURNTRANSFER => true,
            // Followed, it might repeat the request elsewhere.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ceil($timeout * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => $onHeader,
        ]);
        if ($content !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $content);
        }
        $text = curl_exec($handle);
        if (!is_string($text)) {
            $isTimeout = curl_errno($handle) === CURLE_OPERATION_TIMEDOUT;
            $why = $isTimeout ? "none within $timeout s" : curl_error($handle);
            $place = strtok($url, '?');
            throw new RecollectConnectionError("No answer to $method $place: $why", idempotencyKey: $key);
        }
        return [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $text];
    }

    /**
     * @return list<string>
     */
    private function headersOf(?string $content, ?string $key): array
    {
        $headers = ['Accept: application/json', 'Authorization: Bearer ' . $this->apiKey->reveal(), 'Expect:'];
        if ($content !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($key !== null) {
            self::checkHeader('idempotencyKey', $key);
            $headers[] = "Idempotency-Key: $key";
        }
        return $headers;
    }

    private static function isRoot(string $url): bool
    {
        $parts = parse_url($url);
        $hasMore = isset($parts['user']) || isset($parts['query']) || isset($parts['fragment']);
        $scheme = strtolower($parts['scheme'] ?? '');
        return in_array($scheme, ['http', 'https'], true) && isset($parts['host']) && !$hasMore;
    }

    private static function checkHeader(string $name, string $value): void
    {
        if (preg_match('/\A[ -~]+\z/', $value) !== 1) {
            throw new \ValueError("$name must be printable ASCII");
        }
    }

    /**
     * @param array<string, mixed> $query
     */
    private static function queryOf(array $query): string
    {
        $sent = array_filter($query, static fn (mixed $value): bool => $value !== null);
        $texts = array_map(
            static fn (mixed $value): string => is_bool($value) ? ($value ? 'true' : 'false') : (string) $value,
            $sent,
        );
        return $texts === [] ? '' : '?' . http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }

    private static function encode(object $body): string
    {
        return json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }

    /**
     * Returns a random UUID.
     */
    private static function randomKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /**
     * @return class-string<CallFailure>
     */
    private static function classOf(int $status): string
    {
        return match (true) {
            $status >= 500 => RecollectServiceError::class,
            $status === 401 => RecollectAuthenticationError::class,
            $status === 403 => RecollectPermissionError::class,
            $status === 404 => RecollectNotFoundError::class,
            $status === 409 => RecollectConflictError::class,
            $status === 429 => RecollectRateLimitError::class,
            default => RecollectRequestError::class,
        };
    }

    /**
     * @param array<string, string> $headers
     */
    private static function whatCame(int $status, array $headers): string
    {
        if (isset($headers['location'])) {
            return "HTTP status $status to {$headers['location']}. Is baseUrl right?";
        }
        return "HTTP status $status, " . ($headers['content-type'] ?? 'without a content type');
    }

    private static function unknownAfter(CallFailure $error, bool $wasUnclear): RecollectUnknownOutcomeError
    {
        $why = $wasUnclear
            ? 'An earlier attempt may have taken effect; of the last one'
            : 'Another request with this key may take effect';
        return new RecollectUnknownOutcomeError(
            "$why: {$error->getMessage()}",
            errorCode: $error->errorCode,
            status: $error->status,
            requestId: $error->requestId,
            idempotencyKey: $error->idempotencyKey,
            retryAfter: $error->retryAfter,
            docUrl: $error->docUrl,
            previous: $error,
        );
    }
}
