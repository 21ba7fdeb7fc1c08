<?php

declare(strict_types=1);

use Recollect\Webhooks;
use Recollect\WebhookVerificationError;

const SECRET = 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=';
const NEXT_SECRET = 'whsec_CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg=';
const T = 1_700_000_000;
const NAMES = ['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

$data = ['payment_id' => 'pay_1', 'note' => 'Tea & ☕'];
$signed = Webhooks::sign('collection.success', $data, SECRET, id: 'evt_1', sequence: 3, now: T);
$serviceHeader = static fn (string $body, int $seconds): string
    => "t=$seconds,v1=" . hash_hmac('sha256', $body, SECRET);
$verify = static fn (mixed ...$changed) => Webhooks::verify(
    ...$changed + ['payload' => $signed->payload, 'headers' => $signed->headers, 'secret' => SECRET, 'now' => T],
);
$refused = static fn (string $reason, mixed ...$changed)
    => same($reason, thrown(WebhookVerificationError::class, fn () => $verify(...$changed))->reason, $reason);
$with = static fn (array $headers): array => $headers + $signed->headers;

return [
    'what is signed is what the service would send' => function () use ($signed, $serviceHeader, $data) {
        same(['event' => 'collection.success', 'data' => $data], json_decode($signed->payload, true));
        same($serviceHeader($signed->payload, T), $signed->headers['x-service-signature']);
        holds(str_contains($signed->payload, '☕'));
        holds(str_contains(Webhooks::sign('endpoint.test', [], SECRET)->payload, '"data":{}'));
    },

    'a webhook gives its event, its id and its sequence' => function () use ($verify, $signed, $data) {
        $webhook = $verify();
        same(['evt_1', 3], [$webhook->id, $webhook->sequence]);
        same(['collection.success', $data], [$webhook->event, $webhook->data]);
        $headers = array_diff_key($signed->headers, ['x-service-sequence' => '']);
        same(null, $verify(headers: $headers)->sequence);
    },

    'headers may have any case, and lists' => function () use ($verify, $signed) {
        $shouted = array_change_key_case($signed->headers, CASE_UPPER);
        same('evt_1', $verify(headers: array_map(fn ($value) => [$value], $shouted))->id);
    },

    'only the raw body is taken' => function () use ($verify, $signed) {
        thrown(TypeError::class, fn () => $verify(payload: json_decode($signed->payload, true)));
    },

    'a timestamp is good for 300 seconds and not one more' => function () use ($verify, $refused) {
        $verify(now: T + 300);
        $verify(now: T - 300);
        $refused('timestamp_too_old', now: T + 301);
        $refused('timestamp_in_future', now: T - 301);
        $refused('timestamp_in_future', now: T - 301, requireStandard: false);
        $refused('timestamp_too_old', now: T + 11, toleranceSeconds: 10);
    },

    'each of the two timestamps is checked' => function () use ($refused, $with, $data) {
        $old = Webhooks::sign('collection.success', $data, SECRET, id: 'evt_1', now: T - 301)->headers;
        $service = ['x-service-signature' => $old['x-service-signature']];
        $refused('timestamp_too_old', headers: $with($service));
        $standard = array_intersect_key($old, ['webhook-timestamp' => '', 'webhook-signature' => '']);
        $refused('timestamp_too_old', headers: $with($standard));
    },

    'whatever is changed on the way is noticed' => function () use ($refused, $signed, $with, $data) {
        $refused('signature_mismatch', payload: "$signed->payload ");
        for ($index = 0; $index < strlen($signed->payload); $index++) {
            $changed = $signed->payload;
            $changed[$index] = chr(ord($changed[$index]) ^ 1);
            $refused('signature_mismatch', payload: $changed);
        }
        $refused('signature_mismatch', secret: NEXT_SECRET);
        $other = Webhooks::sign('collection.success', $data, NEXT_SECRET, id: 'evt_1', now: T)->headers;
        $refused('signature_mismatch', headers: $with(['webhook-id' => 'evt_2']));
        $refused('signature_mismatch', headers: $with(['webhook-timestamp' => (string) (T + 1)]));
        $refused('signature_mismatch', headers: $with(['webhook-signature' => $other['webhook-signature']]));
        $refused('signature_mismatch', headers: $with(['x-service-signature' => $other['x-service-signature']]));
    },

    'an old webhook cannot be sent again with a fresh timestamp' => function () use (
        $verify,
        $refused,
        $signed,
        $with,
        $serviceHeader,
    ) {
        $later = T + 86_400;
        $bare = ['x-service-signature' => $serviceHeader($signed->payload, $later)];
        $again = $with($bare + ['webhook-timestamp' => (string) $later]);
        $refused('signature_mismatch', headers: $again, now: $later);
        $refused('missing_header', headers: $bare, now: $later);
        same(null, $verify(headers: $bare, now: $later, requireStandard: false)->id);
    },

    'each of the four headers is there once and well formed' => function () use ($refused, $signed, $with) {
        foreach (NAMES as $name) {
            $refused('missing_header', headers: array_diff_key($signed->headers, [$name => '']));
            $twice = [$signed->headers[$name], $signed->headers[$name]];
            $refused('malformed_header', headers: $with([$name => $twice]));
        }
        $digits = substr($signed->headers['x-service-signature'], -64);
        $shouted = strtoupper($digits);
        foreach (['', 't=' . T, 't=' . T . ",v1=$shouted", "t=-1,v1=$digits", 't=' . T . ",v1=$digits\n"] as $header) {
            $refused('malformed_header', headers: $with(['x-service-signature' => $header]));
        }
        $refused('malformed_header', headers: $with(['webhook-timestamp' => '1e9']));
        foreach (['', 'v1', 'v1,', 'v1,?', 'v2,AAAA', 'v1,AAAA'] as $signatures) {
            $refused('signature_mismatch', headers: $with(['webhook-signature' => $signatures]));
        }
    },

    'while a secret is rotated a receiver that knows both never misses one' => function () use (
        $verify,
        $refused,
        $signed,
        $with,
        $data,
    ) {
        $rotated = Webhooks::sign('collection.success', $data, NEXT_SECRET, id: 'evt_1', now: T)->headers;
        $both = "{$rotated['webhook-signature']} {$signed->headers['webhook-signature']}";
        foreach ([$signed->headers, $with(['webhook-signature' => $both]), $rotated] as $headers) {
            same('evt_1', $verify(headers: $headers, secret: [SECRET, NEXT_SECRET])->id);
        }
        same('evt_1', $verify(headers: $with(['webhook-signature' => "v2,abc $both"]))->id);
        $refused('signature_mismatch', headers: $rotated);
    },

    'a body that is no event is refused, however well it is signed' => function () use ($refused, $serviceHeader) {
        foreach (['', 'null', '[]', '{}', '{"event":1,"data":{}}', '{"event":"x"}', "\xff"] as $payload) {
            $headers = ['x-service-signature' => $serviceHeader($payload, T)];
            $refused('invalid_payload', payload: $payload, headers: $headers, requireStandard: false);
        }
    },

    'a call that could not protect anybody is refused' => function () use ($verify) {
        foreach (['', 'whsec_', 'hunter2', 'whsec_?', [], [SECRET, '']] as $secret) {
            thrown(ValueError::class, fn () => $verify(secret: $secret));
        }
        thrown(ValueError::class, fn () => $verify(toleranceSeconds: NAN));
        thrown(ValueError::class, fn () => Webhooks::sign('endpoint.test', [], 'secret'));
    },

    'no refusal shows the secret to what reports errors with arguments' => function () use ($verify, $with, $data) {
        $rotated = Webhooks::sign('collection.success', $data, NEXT_SECRET, now: T)->headers;
        foreach ([
            fn () => $verify(headers: []),
            fn () => $verify(now: T + 301),
            fn () => $verify(headers: $rotated),
            fn () => $verify(headers: $with(['webhook-id' => 'evt_2'])),
            fn () => $verify(headers: $with(['x-service-signature' => 1])),
            fn () => $verify(payload: ['parsed']),
            fn () => $verify(toleranceSeconds: NAN),
            fn () => $verify(secret: [SECRET, '']),
            fn () => Webhooks::sign('a', ['b' => NAN], SECRET),
            fn () => Webhooks::sign('a', [], SECRET . '?'),
        ] as $call) {
            foreach ([SECRET, base64_decode(substr(SECRET, 6))] as $secret) {
                hides($secret, thrown(Throwable::class, $call));
            }
        }
    },
];
