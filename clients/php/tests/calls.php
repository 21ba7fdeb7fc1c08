<?php

declare(strict_types=1);

use Recollect\CallFailure;
use Recollect\Recollect;
use Recollect\RecollectAuthenticationError;
use Recollect\RecollectConflictError;
use Recollect\RecollectConnectionError;
use Recollect\RecollectError;
use Recollect\RecollectNotFoundError;
use Recollect\RecollectPermissionError;
use Recollect\RecollectRateLimitError;
use Recollect\RecollectRequestError;
use Recollect\RecollectServiceError;
use Recollect\RecollectUnknownOutcomeError;
use Recollect\Retries;

const KEY = 'rk_test_secret';

$fine = answer(200, ['id' => 'pay_1']);
$unavailable = refusal(503, 'service_unavailable', '0');
$tooMany = refusal(429, 'rate_limit_exceeded', '0');
$busy = refusal(409, 'request_in_progress', '0');
$pageOfProxy = answer(200, '<html>Please log in</html>');
$clientOf = static fn (ScriptedService $service, mixed ...$options): Recollect
    => new Recollect(KEY, $service->url, ...$options);

return [
    '429, 5xx, lost answers and pages of proxies are tried again under the same key' => function () use (
        $clientOf,
        $fine,
        $tooMany,
        $unavailable,
        $pageOfProxy,
    ) {
        foreach ([$tooMany, $unavailable, answer(502, 'bad gateway'), $pageOfProxy, 'lost'] as $trouble) {
            $service = new ScriptedService($trouble, $trouble, $fine);
            same(['id' => 'pay_1'], $clientOf($service)->payments->retry('pay_1'));
            same(3, count($service->arrived()));
            same(1, count($service->keys()));
            same(1, preg_match('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/', $service->keys()[0]));
        }
    },

    'each call has a key of its own unless it is given one' => function () use ($clientOf, $fine) {
        $service = new ScriptedService($fine);
        $client = $clientOf($service);
        $client->payments->retry('pay_1');
        $client->payments->retry('pay_1');
        $client->payments->retry('pay_1', idempotencyKey: 'mine');
        same(3, count($service->keys()));
        same('mine', $service->keys()[2]);
    },

    'other refusals are not tried again and say what the service said' => function () use ($clientOf) {
        $classes = [
            400 => RecollectRequestError::class,
            401 => RecollectAuthenticationError::class,
            403 => RecollectPermissionError::class,
            404 => RecollectNotFoundError::class,
            409 => RecollectConflictError::class,
        ];
        foreach ($classes as $status => $class) {
            $details = ['amount.value' => 'bad'];
            $envelope = ['error' => ['code' => 'a_code', 'message' => 'No.', 'details' => $details]];
            $service = new ScriptedService(answer($status, $envelope));
            $call = fn () => $clientOf($service)->payments->retry('pay_1', idempotencyKey: 'k');
            $error = thrown($class, $call);
            holds($error instanceof RecollectError);
            same(1, count($service->arrived()));
            same(['No.', 'a_code', $status], [$error->getMessage(), $error->errorCode, $error->status]);
            same([$details, 'req_1', 'k'], [$error->details, $error->requestId, $error->idempotencyKey]);
            same("$service->url/docs/errors/a_code", $error->docUrl);
        }
    },

    'request_in_progress is waited for only after an unclear try' => function () use ($clientOf, $fine, $busy) {
        $service = new ScriptedService('lost', $busy, $fine);
        same('pay_1', $clientOf($service)->payments->retry('pay_1')['id']);
        same(3, count($service->arrived()));
        $service = new ScriptedService($busy);
        thrown(RecollectConflictError::class, fn () => $clientOf($service)->payments->retry('pay_1'));
        same(1, count($service->arrived()));
    },

    'a request at work elsewhere under the same key is no refusal' => function () use ($clientOf) {
        $details = ['Idempotency-Key' => 'is being worked on'];
        $envelope = ['error' => ['code' => 'request_in_progress', 'message' => 'Wait.', 'details' => $details]];
        $service = new ScriptedService(answer(409, $envelope));
        $call = fn () => $clientOf($service)->payments->retry('pay_1', idempotencyKey: 'order-42');
        $error = thrown(RecollectUnknownOutcomeError::class, $call);
        same(['order-42', 'request_in_progress'], [$error->idempotencyKey, $error->errorCode]);
        same(1, count($service->arrived()));
    },

    'an unknown outcome is never a refusal' => function () use ($clientOf, $unavailable, $pageOfProxy) {
        $late = refusal(503, 'service_unavailable', '61');
        $redirect = answer(302, '', ['location' => '/login']);
        $odd = refusal(302, 'found');
        foreach ([$late, $unavailable, $pageOfProxy, answer(200, '[]'), $redirect, $odd, 'lost'] as $trouble) {
            $service = new ScriptedService($trouble);
            $call = fn () => $clientOf($service, maxRetries: 1)->payments->retry('pay_1');
            $error = thrown(RecollectUnknownOutcomeError::class, $call);
            holds(!$error instanceof RecollectError);
            same([$error->idempotencyKey], $service->keys());
        }
    },

    'a refusal that says nothing of an unclear try leaves the outcome unknown' => function () use (
        $clientOf,
        $tooMany,
        $busy,
    ) {
        foreach ([$tooMany, $busy, refusal(401, 'unauthorized'), refusal(403, 'forbidden')] as $last) {
            $service = new ScriptedService('lost', $last);
            $call = fn () => $clientOf($service, maxRetries: 1)->payments->retry('pay_1');
            $error = thrown(RecollectUnknownOutcomeError::class, $call);
            holds($error->getPrevious() instanceof RecollectError);
        }
        $service = new ScriptedService('lost', refusal(404, 'not_found'));
        thrown(RecollectNotFoundError::class, fn () => $clientOf($service)->payments->retry('pay_1'));
        $service = new ScriptedService('lost', $tooMany);
        $call = fn () => $clientOf($service, maxRetries: 1)->payments->get('pay_1');
        thrown(RecollectRateLimitError::class, $call);
    },

    'a number of seconds in Retry-After is waited for' => function () use ($clientOf, $fine) {
        $service = new ScriptedService(refusal(429, 'rate_limit_exceeded', '1'), $fine);
        $began = microtime(true);
        $clientOf($service)->merchant->get();
        holds(microtime(true) - $began >= 0.99);
    },

    'a date in Retry-After is waited for' => function () use ($clientOf, $fine) {
        $at = time() + 2;
        $late = refusal(503, 'service_unavailable', gmdate('D, d M Y H:i:s \G\M\T', $at));
        $service = new ScriptedService($late, $fine);
        $clientOf($service)->merchant->get();
        holds(microtime(true) >= $at);
    },

    'a Retry-After of more than a minute is left to the caller' => function () use ($clientOf) {
        foreach (['61', gmdate('D, d M Y H:i:s \G\M\T', time() + 120)] as $retryAfter) {
            $service = new ScriptedService(refusal(429, 'rate_limit_exceeded', $retryAfter));
            $error = thrown(RecollectRateLimitError::class, fn () => $clientOf($service)->merchant->get());
            same(1, count($service->arrived()));
            holds($error->retryAfter > 60 && $error->retryAfter <= 120);
        }
        same(null, Retries::secondsOf('soon'));
    },

    'the wait grows and has jitter' => function () {
        $error = new RecollectServiceError('down', status: 503);
        foreach ([1 => 0.25, 2 => 0.5, 3 => 1.0, 10 => 8.0] as $tried => $most) {
            $waits = array_map(fn () => Retries::waitBeforeNext($error, $tried, false), range(1, 50));
            holds(min($waits) >= $most / 2 && max($waits) <= $most && min($waits) < max($waits));
        }
        same(null, Retries::waitBeforeNext(new RecollectConflictError('no', status: 409), 1, true));
    },

    'an answer that does not come ends after the time-out' => function () use ($clientOf) {
        $service = new ScriptedService('never');
        $client = $clientOf($service, timeout: 0.3, maxRetries: 1);
        $error = thrown(RecollectConnectionError::class, fn () => $client->payments->retry('pay_1'));
        same(1, preg_match('~^No answer to POST .*/retry: none within 0.3 s$~', $error->getMessage()));
        same(2, count($service->arrived()));
    },

    'the clock of the sandbox has time' => function () use ($clientOf) {
        $service = new ScriptedService('slow');
        $client = $clientOf($service, timeout: 0.3);
        same(['slow' => true], $client->sandbox->advance(['by' => 'P1D']));
    },

    'an answer that breaks off counts as none' => function () use ($clientOf) {
        $service = new ScriptedService(answer(200, '{"id":', ['content-length' => '100']));
        thrown(RecollectConnectionError::class, fn () => $clientOf($service, maxRetries: 0)->merchant->get());
    },

    'a redirect is not followed' => function () use ($clientOf, $fine) {
        $other = new ScriptedService($fine);
        $service = new ScriptedService(answer(307, '', ['location' => "$other->url/api/v1/merchant"]));
        $call = fn () => $clientOf($service, maxRetries: 0)->merchant->get();
        $error = thrown(RecollectConnectionError::class, $call);
        same(1, preg_match('/HTTP status 307 to http:.* Is baseUrl right\?$/', $error->getMessage()));
        same([], $other->arrived());
    },

    'what takes no key is repeated only where it had no effect' => function () use (
        $clientOf,
        $fine,
        $unavailable,
        $tooMany,
    ) {
        $service = new ScriptedService($unavailable);
        thrown(RecollectServiceError::class, fn () => $clientOf($service)->sandbox->advance(['by' => 'P1D']));
        same(1, count($service->arrived()));
        $service = new ScriptedService($tooMany, $fine);
        $clientOf($service)->sandbox->advance(['by' => 'P1D']);
        same([null], $service->keys());
    },

    'withOptions leaves the client as it is' => function () use ($clientOf, $unavailable) {
        $service = new ScriptedService($unavailable);
        $client = $clientOf($service);
        thrown(RecollectServiceError::class, fn () => $client->withOptions(maxRetries: 0)->merchant->get());
        same(1, count($service->arrived()));
        thrown(RecollectServiceError::class, fn () => $client->merchant->get());
        same(4, count($service->arrived()));
    },

    'a call is sent as the service takes it' => function () use ($fine) {
        $service = new ScriptedService($fine);
        $client = new Recollect(KEY, "$service->url/base/", appInfo: 'tea-shop/2.1');
        $client->events->replay(['endpoint_id' => 'end_1', 'from' => 'a', 'to' => '☕']);
        $client->payments->list(['status' => 'failed', 'sum' => true, 'q' => null]);
        $client->schedules->restoreUpcoming('a/b', '2026-01-01T00:00:00Z');
        same(['id' => 'pay_1'], $client->request('PUT', '/api/v2/new', body: ['a' => 1]));
        [$replay, $list, $restore] = $service->arrived();
        same(['POST', '/base/api/v1/events/replay'], [$replay['method'], $replay['path']]);
        same('{"endpoint_id":"end_1","from":"a","to":"☕"}', $replay['body']);
        same('Bearer ' . KEY, $replay['headers']['authorization']);
        same('application/json', $replay['headers']['content-type']);
        $agent = 'recollect-php/' . Recollect::VERSION . ' php/8';
        holds(str_starts_with($replay['headers']['user-agent'], $agent));
        holds(str_ends_with($replay['headers']['user-agent'], ' tea-shop/2.1'));
        same('/base/api/v1/payments?status=failed&sum=true', $list['path']);
        holds(str_ends_with($restore['path'], '/schedules/a%2Fb/upcoming/2026-01-01T00%3A00%3A00Z'));
    },

    'the key stands in no dump and no message' => function () {
        $client = new Recollect(KEY, 'http://localhost');
        ob_start();
        var_dump($client);
        $texts = [ob_get_clean(), print_r($client, true), var_export($client, true), print_r(laidOpen($client), true)];
        foreach ([KEY . "\n", KEY . ' ', ''] as $wrong) {
            $texts[] = thrown(ValueError::class, fn () => new Recollect($wrong, 'http://localhost'))->getMessage();
        }
        foreach ($texts as $text) {
            holds(!str_contains($text, KEY), $text);
        }
        thrown(Exception::class, fn () => serialize($client));
    },

    'no failed call shows the key to what reports errors with arguments' => function () use (
        $clientOf,
        $tooMany,
        $busy,
        $pageOfProxy,
    ) {
        $broken = answer(200, '{"id":', ['content-length' => '100']);
        $moved = answer(307, '', ['location' => '/login']);
        $down = refusal(500, 'internal_error', '0');
        $refused = [refusal(401, 'unauthorized'), refusal(403, 'forbidden'), $tooMany, $busy];
        foreach (['lost', 'never', $broken, $moved, $down, $pageOfProxy, ...$refused] as $last) {
            foreach ([[$last], ['lost', $last]] as $replies) {
                $service = new ScriptedService(...$replies);
                $client = $clientOf($service, timeout: 0.3, maxRetries: count($replies) - 1);
                hides(KEY, thrown(CallFailure::class, fn () => $client->payments->retry('pay_1')));
            }
        }
        $client = new Recollect(KEY, 'http://127.0.0.1:1', maxRetries: 1);
        hides(KEY, thrown(RecollectConnectionError::class, fn () => $client->payments->list(['limit' => 1])));
    },

    'no refused argument shows the key' => function () {
        $client = new Recollect(KEY, 'http://localhost');
        foreach ([
            fn () => new Recollect(KEY . ' ', 'http://localhost'),
            fn () => new Recollect(KEY, 'localhost'),
            fn () => new Recollect(KEY, 'http://localhost', timeout: 'x'),
            fn () => $client->withOptions(timeout: 0),
            fn () => $client->payments->get(''),
            fn () => $client->payments->retry('pay_1', idempotencyKey: "a\nb"),
            fn () => $client->request('POST', '/', body: ['a' => NAN]),
        ] as $call) {
            hides(KEY, thrown(Throwable::class, $call));
        }
    },

    'what is no argument is refused and named' => function () {
        foreach (['localhost:4000', 'ftp://a', 'http://user:pass@a', 'https://a?b', ''] as $wrong) {
            $error = thrown(ValueError::class, fn () => new Recollect(KEY, $wrong));
            holds(str_starts_with($error->getMessage(), 'baseUrl'), $wrong);
        }
        $error = thrown(ValueError::class, fn () => new Recollect(KEY, 'http://a', timeout: 0));
        holds(str_starts_with($error->getMessage(), 'timeout'));
        $error = thrown(ValueError::class, fn () => new Recollect(KEY, 'http://a', maxRetries: -1));
        holds(str_starts_with($error->getMessage(), 'maxRetries'));
        $client = new Recollect(KEY, 'http://a');
        foreach (['', '.', '..'] as $wrong) {
            thrown(ValueError::class, fn () => $client->payments->get($wrong));
        }
        foreach (['api/v1/merchant', '.evil.example/', '', '/a b', '/ä', "/a\n"] as $wrong) {
            $error = thrown(ValueError::class, fn () => $client->request('GET', $wrong));
            holds(str_starts_with($error->getMessage(), 'path'), $wrong);
        }
        $error = thrown(ValueError::class, fn () => $client->request('PATCH', '/api/v1/merchant'));
        holds(str_starts_with($error->getMessage(), 'method'));
        $error = thrown(ValueError::class, fn () => $client->payments->retry('pay_1', idempotencyKey: "a\nb"));
        holds(str_starts_with($error->getMessage(), 'idempotencyKey'));
    },

    'a list is a page, and iterated every item by cursor' => function () use ($clientOf) {
        $service = new ScriptedService(
            answer(200, ['data' => [['id' => '1'], ['id' => '2']], 'total' => 3, 'next_cursor' => 'c1']),
            answer(200, ['data' => [['id' => '3']]]),
        );
        $page = $clientOf($service)->payments->list(['status' => 'failed', 'offset' => 0, 'sum' => true]);
        same([2, 3, 'c1'], [count($page->data), $page->total, $page->next_cursor]);
        foreach ($page as $item) {
            same('1', $item['id']);
            break;
        }
        same(1, count($service->arrived()), 'no page that nobody asks for');
        same(['1', '2', '3'], array_column(iterator_to_array($page), 'id'));
        same('/api/v1/payments?after=c1&status=failed&limit=100', $service->arrived()[1]['path']);
    },
];
