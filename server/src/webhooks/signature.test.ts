import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { secretText, signatureHeaders } from './signature.ts';

const secret = secretText(Buffer.alloc(32, 7));
const nextSecret = secretText(Buffer.alloc(32, 8));
const now = () => Temporal.Instant.fromEpochMilliseconds(Date.now());

/** Verifies as a receiver does, step by step: docs/rules/webhooks.md#the-service-signature. */
function verifies(header: string, body: string, key: string, nowSeconds: number): boolean {
  const [t = '', v1 = ''] = header.split(',');
  if (nowSeconds - Number(t.replace(/^t=/, '')) > 300) return false;
  const expected = createHmac('sha256', key).update(body).digest('hex');
  const given = v1.replace(/^v1=/, '');
  return (
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  );
}

test('a receiver can verify the service signature step by step', () => {
  fc.assert(
    fc.property(fc.string(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (body, bytes) => {
      const key = secretText(Buffer.from(bytes));
      const at = Temporal.Instant.fromEpochMilliseconds(1_700_000_000_999);
      const headers = signatureHeaders({
        eventId: 'evt_1',
        body,
        at,
        secret: key,
        nextSecret: null,
      });
      const header = headers['x-service-signature'] ?? '';
      assert.match(header, /^t=1700000000,v1=[0-9a-f]{64}$/);
      assert.ok(verifies(header, body, key, 1_700_000_300));
      assert.ok(!verifies(header, body, key, 1_700_000_301));
      assert.ok(!verifies(header, `${body} `, key, 1_700_000_300));
    }),
  );
});

test('a receiver that uses a Standard Webhooks library accepts the other three headers', () => {
  const body = '{"event":"collection.success","data":{"description":"Tea & ☕"}}';
  const headers = signatureHeaders({
    eventId: 'evt_1',
    body,
    at: now(),
    secret,
    nextSecret: null,
  });
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(nextSecret).verify(body, headers));
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' }));
  const moved = {
    ...headers,
    'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1),
  };
  assert.throws(() => new Webhook(secret).verify(body, moved));
});

test('while a secret is being rotated either secret verifies, and the service header keeps to the active one', () => {
  const body = '{}';
  const headers = signatureHeaders({ eventId: 'evt_1', body, at: now(), secret, nextSecret });
  const seconds = Number(headers['webhook-timestamp']);
  assert.equal(headers['webhook-signature']?.split(' ').length, 2);
  assert.deepEqual(new Webhook(secret).verify(body, headers), {});
  assert.deepEqual(new Webhook(nextSecret).verify(body, headers), {});
  assert.ok(verifies(headers['x-service-signature'] ?? '', body, secret, seconds));
  assert.ok(!verifies(headers['x-service-signature'] ?? '', body, nextSecret, seconds));
});

test('a secret is shown as Standard Webhooks write it', () => {
  assert.equal(
    secretText(Buffer.alloc(32, 7)),
    'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
  );
});
