<?php

declare(strict_types=1);

namespace Recollect;

/**
 * Client of the Recollect API. Names and shapes match the HTTP API. Every POST and PUT, except those of `sandbox`,
 * carries an `Idempotency-Key`, the same on each attempt, so retries are safe.
 */
final class Recollect extends Resources
{
    private readonly Transport $transport;

    /**
     * Throws ValueError for an argument that is none.
     *
     * @param string $apiKey `rk_test_…` or `rk_live_…`, a secret
     * @param string $baseUrl without `/api/v1`; if it has a path, every API path is appended to it
     * @param float $timeout of one attempt, in seconds
     * @param int $maxRetries how often a call is tried again
     * @param string|null $appInfo your program, such as `tea-shop/2.1`, added to `User-Agent`
     */
    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        string $baseUrl,
        float $timeout = 30.0,
        int $maxRetries = 2,
        ?string $appInfo = null,
    ) {
        $ours = 'recollect-php/' . self::VERSION . ' php/' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        $userAgent = $appInfo === null ? $ours : "$ours $appInfo";
        $this->transport = new Transport(new Secret($apiKey), $baseUrl, $timeout, $maxRetries, $userAgent);
        parent::__construct($this->transport);
    }

    /**
     * Returns the same resources with another time-out or number of retries.
     */
    public function withOptions(?float $timeout = null, ?int $maxRetries = null): Resources
    {
        return new Resources($this->transport->withOptions($timeout, $maxRetries));
    }

    /**
     * Sends a request for which there is no method, to a service that is newer than this package: with the same key,
     * time-outs and retries. `$path` begins with `/`; encode the ids in it. Throws ValueError for another method than
     * GET, POST, PUT and DELETE, and for what is no path.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function request(
        string $method,
        string $path,
        array $query = [],
        array $body = [],
        ?string $idempotencyKey = null,
    ): array {
        if (!in_array($method, ['GET', 'POST', 'PUT', 'DELETE'], true)) {
            throw new \ValueError('method must be GET, POST, PUT or DELETE');
        }
        // Without its slash a path would be a part of the host, which is sent the key.
        if (preg_match('~\A/[!-\~]*\z~', $path) !== 1) {
            throw new \ValueError('path must begin with / and have its ids encoded');
        }
        return $this->transport->send($method, $path, $query, $body, $idempotencyKey);
    }
}
