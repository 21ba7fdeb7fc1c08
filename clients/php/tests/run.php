<?php

// The tests of the client: `php tests/run.php`. They need nothing but PHP.

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

ini_set('zend.exception_ignore_args', '0'); // so that a trace would show the key

/** A service that answers as it is told, in a process of its own. */
final class ScriptedService
{
    public readonly string $url;
    private readonly string $log;
    /** @var resource */
    private $process;

    public function __construct(array|string ...$replies)
    {
        $this->log = tempnam(sys_get_temp_dir(), 'recollect-');
        $command = [PHP_BINARY, __DIR__ . '/scripted-service.php', json_encode($replies), $this->log];
        $this->process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
        $this->url = 'http://127.0.0.1:' . trim(fgets($pipes[1]));
    }

    public function __destruct()
    {
        proc_terminate($this->process, 9);
        proc_close($this->process);
        unlink($this->log);
    }

    /** @return list<array{method: string, path: string, headers: array<string, string>, body: string}> */
    public function arrived(): array
    {
        return array_map(static fn ($line) => json_decode($line, true), file($this->log));
    }

    /** Returns the idempotency keys that arrived, each once. */
    public function keys(): array
    {
        $keys = array_map(static fn ($one) => $one['headers']['idempotency-key'] ?? null, $this->arrived());
        return array_values(array_unique($keys));
    }
}

/** Returns a reply: JSON, or a text such as the page of a proxy. */
function answer(int $status, array|string $body, array $headers = []): array
{
    $isText = is_string($body);
    $type = ['content-type' => $isText ? 'text/html' : 'application/json'];
    return [$status, $type + $headers, $isText ? $body : json_encode((object) $body)];
}

/** Returns an error as the service answers it. */
function refusal(int $status, string $code, ?string $retryAfter = null): array
{
    $headers = $retryAfter === null ? [] : ['retry-after' => $retryAfter];
    return answer($status, ['error' => ['code' => $code, 'message' => "It is $code."]], $headers);
}

function same(mixed $expected, mixed $actual, string $of = ''): void
{
    if ($expected !== $actual) {
        throw new LogicException($of . ': expected ' . json_encode($expected) . ', got ' . json_encode($actual));
    }
}

function holds(bool $condition, string $of = ''): void
{
    same(true, $condition, $of);
}

/** Returns what a call throws, which is of a class and no other. */
function thrown(string $class, Closure $call): Throwable
{
    try {
        $call();
    } catch (Throwable $error) {
        if ($error instanceof $class) {
            return $error;
        }
        throw $error;
    }
    throw new LogicException("Nothing was thrown, expected $class");
}

/**
 * Asserts that an error, the errors before it and the arguments in their traces do not show a secret, however a tool
 * looks into them; the frames of the tests are left out.
 */
function hides(string $secret, Throwable $error): void
{
    for ($one = $error; $one !== null; $one = $one->getPrevious()) {
        $ours = array_filter($one->getTrace(), fn ($frame) => str_starts_with($frame['class'] ?? '', 'Recollect\\'));
        holds($ours !== [], 'a frame of the client');
        $shown = $one->getMessage() . print_r(array_map(laidOpen(...), array_column($ours, 'args')), true);
        holds(!str_contains($shown, $secret), "$one: $shown");
    }
}

/** Returns all that tools such as Symfony's VarDumper find in a value: private properties, and what closures use. */
function laidOpen(mixed $value): mixed
{
    if ($value instanceof Closure) {
        $function = new ReflectionFunction($value);
        $value = [$function->getStaticVariables(), $function->getClosureThis()];
    } elseif (is_object($value)) {
        $value = (array) $value;
    }
    return is_array($value) ? array_map(laidOpen(...), $value) : $value;
}

$failed = $passed = 0;
foreach ([...require __DIR__ . '/calls.php', ...require __DIR__ . '/webhooks.php'] as $name => $test) {
    try {
        $test();
        $passed++;
    } catch (Throwable $error) {
        $failed++;
        echo "FAILED: $name\n$error\n";
    }
}
echo "$passed passed, $failed failed\n";
exit($failed === 0 && $passed > 0 ? 0 : 1);
