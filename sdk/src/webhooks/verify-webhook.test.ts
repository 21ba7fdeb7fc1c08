import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  type WebhookToVerify,
  WebhookVerificationError,
} from '@recollect/sdk';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  NEXT_SECRET,
  SECRET,
  serviceHeader,
  signedHeaders,
  standardSignature,
} from '../../test-support/signing.ts';

const T = 1_700_000_000;
const BODY = JSON.stringify({
  event: 'collection.success',
  data: {
    payment_id: 'pay_1',
    schedule_id: 'sch_1',
    amount: { value: 4999, currency: 'GBP' },
    completed_at: '2026-03-29T08:00:00.000Z',
    note: 'Tea & ☕',
  },
});
const HEADERS = signedHeaders(BODY, T);
const at = (seconds: number): Date => new Date(seconds * 1000);
const good: WebhookToVerify = { payload: BODY, headers: HEADERS, secret: SECRET, now: at(T) };

function without(...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => !names.includes(name)));
}

async function refused(changed: Partial<WebhookToVerify>, reason: WebhookRefusal): Promise<void> {
  const error = await verifyWebhook({ ...good, ...changed }).then(
    () => assert.fail(`passed, and should not: ${reason}`),
    (thrown) => thrown,
  );
  assert.ok(error instanceof WebhookVerificationError && error instanceof Error, String(error));
  assert.equal(error.reason, reason);
}

test('a webhook of the service gives its event, its id and its sequence', async () => {
  const { id, sequence, ...event } = await verifyWebhook(good);
  assert.equal(id, 'evt_1');
  assert.equal(sequence, 3);
  assert.deepEqual(event, JSON.parse(BODY));
});

test('the event says which data it carries', async () => {
  const webhook = await verifyWebhook({
    payload: BODY,
    headers: HEADERS,
    secret: SECRET,
    now: at(T),
  });
  const id: string = webhook.id;
  assert.equal(id, 'evt_1');
  assert.equal(webhook.event, 'collection.success');
  if (webhook.event === 'collection.success') assert.equal(webhook.data.amount.value, 4999);
});

test('the body may be bytes, and the headers of any make and case', async () => {
  const shouted = Object.fromEntries(
    Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const lists = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, [value]]));
  const kinds: WebhookHeaders[] = [HEADERS, shouted, lists, new Headers(HEADERS)];
  for (const headers of kinds) {
    for (const payload of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      assert.equal((await verifyWebhook({ ...good, payload, headers })).id, 'evt_1');
  }
});

test('an event of no schedule has no sequence', async () => {
  const headers = without('x-service-sequence');
  assert.equal((await verifyWebhook({ ...good, headers })).sequence, null);
});

test('a timestamp is good for 300 seconds and not one more', async () => {
  await verifyWebhook({ ...good, now: at(T + 300) });
  await refused({ now: at(T + 301) }, 'timestamp_too_old');
  await verifyWebhook({ ...good, now: at(T + 10), toleranceSeconds: 10 });
  await refused({ now: at(T + 11), toleranceSeconds: 10 }, 'timestamp_too_old');
});

test('each of the two timestamps is checked', async () => {
  const old = String(T - 301);
  const oldService = { ...HEADERS, 'x-service-signature': serviceHeader(BODY, T - 301) };
  await refused({ headers: oldService }, 'timestamp_too_old');
  const oldStandard = {
    'webhook-timestamp': old,
    'webhook-signature': standardSignature(BODY, T - 301),
  };
  await refused({ headers: { ...HEADERS, ...oldStandard } }, 'timestamp_too_old');
});

test('a timestamp too far in the future is refused', async () => {
  await verifyWebhook({ ...good, now: at(T - 300) });
  await refused({ now: at(T - 301) }, 'timestamp_in_future');
  await refused({ now: at(T - 301), requireStandard: false }, 'timestamp_in_future');
});

test('whatever is changed on the way is noticed', async () => {
  await refused({ payload: `${BODY} ` }, 'signature_mismatch');
  await refused({ payload: BODY.replace('4999', '4998') }, 'signature_mismatch');
  await refused({ secret: NEXT_SECRET }, 'signature_mismatch');
  for (const [name, value] of [
    ['webhook-id', 'evt_2'],
    ['webhook-timestamp', String(T + 1)],
    ['webhook-signature', standardSignature(BODY, T, 'evt_1', NEXT_SECRET)],
    ['x-service-signature', serviceHeader(BODY, T, NEXT_SECRET)],
  ] as const)
    await refused({ headers: { ...HEADERS, [name]: value } }, 'signature_mismatch');
});

test('no single changed byte of the body passes', async () => {
  const bytes = Buffer.from(BODY);
  const change = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(change, async ([index, by]) => {
      const payload = Uint8Array.from(bytes, (byte, i) => (i === index ? byte ^ by : byte));
      await refused({ payload }, 'signature_mismatch');
    }),
  );
});

test('an old webhook cannot be sent again with a fresh timestamp, which the service signature alone would allow', async () => {
  const later = T + 86_400;
  const fresh = HEADERS['x-service-signature']?.replace(String(T), String(later)) ?? '';
  const again = { ...HEADERS, 'x-service-signature': fresh, 'webhook-timestamp': String(later) };
  await refused({ headers: again, now: at(later) }, 'signature_mismatch');
  const bare = { 'x-service-signature': fresh };
  await refused({ headers: bare, now: at(later) }, 'missing_header');
  const let_in = await verifyWebhook({
    ...good,
    headers: bare,
    now: at(later),
    requireStandard: false,
  });
  assert.equal(let_in.id, null);
});

test('without requireStandard the other headers are still checked where any of them is there', async () => {
  const loose = { requireStandard: false };
  await refused({ ...loose, headers: { ...HEADERS, 'webhook-id': 'evt_2' } }, 'signature_mismatch');
  await refused({ ...loose, headers: without('webhook-signature') }, 'missing_header');
  assert.equal((await verifyWebhook({ ...good, ...loose })).id, 'evt_1');
});

test('each of the four headers has to be there, once, and well formed', async () => {
  const names = ['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  for (const name of names) {
    await refused({ headers: without(name) }, 'missing_header');
    const twice = { ...HEADERS, [name]: [HEADERS[name] ?? '', HEADERS[name] ?? ''] };
    await refused({ headers: twice }, 'malformed_header');
  }
  const hex = HEADERS['x-service-signature']?.slice(-64) ?? '';
  for (const header of [
    '',
    hex,
    `t=${T}`,
    `v1=${hex},t=${T}`,
    `t=${T},v1=${hex.toUpperCase()}`,
    `t=${T},v1=${hex.slice(1)}`,
    `t=${T},v1=${hex},v1=${hex}`,
    `t=-1,v1=${hex}`,
    `t=NaN,v1=${hex}`,
    ` t=${T},v1=${hex}\n`,
  ])
    await refused({ headers: { ...HEADERS, 'x-service-signature': header } }, 'malformed_header');
  await refused({ headers: { ...HEADERS, 'webhook-timestamp': '1e9' } }, 'malformed_header');
  for (const list of ['', 'v1', 'v1,', 'v1,?', 'v2,AAAA', 'v1,AAAA'])
    await refused({ headers: { ...HEADERS, 'webhook-signature': list } }, 'signature_mismatch');
});

test('while a secret is rotated, a receiver that knows both never misses one', async () => {
  const both = [SECRET, NEXT_SECRET];
  const signatures = both.map((s) => standardSignature(BODY, T, 'evt_1', s)).join(' ');
  const rotating = { ...HEADERS, 'webhook-signature': signatures };
  const rotated = {
    ...HEADERS,
    'x-service-signature': serviceHeader(BODY, T, NEXT_SECRET),
    'webhook-signature': standardSignature(BODY, T, 'evt_1', NEXT_SECRET),
  };
  for (const headers of [HEADERS, rotating, rotated])
    assert.equal((await verifyWebhook({ ...good, headers, secret: both })).id, 'evt_1');
  await verifyWebhook({ ...good, headers: rotating });
  await refused({ headers: rotated }, 'signature_mismatch');
});

test('one right signature among others is enough', async () => {
  const right = standardSignature(BODY, T);
  const list = `v2,abc v1a,${'A'.repeat(86)}== v1,bm90 v1 ${right}`;
  const headers = { ...HEADERS, 'webhook-signature': list };
  assert.equal((await verifyWebhook({ ...good, headers })).id, 'evt_1');
});

test('a Standard Webhooks library signs what we accept, and accepts what we accept', async () => {
  const now = Math.floor(Date.now() / 1000);
  const theirs = {
    ...signedHeaders(BODY, now),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', at(now), BODY),
  };
  assert.equal((await verifyWebhook({ ...good, headers: theirs, now: at(now) })).id, 'evt_1');
  assert.deepEqual(new Webhook(SECRET).verify(BODY, signedHeaders(BODY, now)), JSON.parse(BODY));
});

test('a body that is no event is refused, however well it is signed', async () => {
  for (const payload of [
    '',
    'null',
    '[]',
    '"x"',
    '{}',
    '{"event":1,"data":{}}',
    '{"event":"x","data":null}',
  ])
    await refused({ payload, headers: signedHeaders(payload, T) }, 'invalid_payload');
});

test('a kind of event that this version does not know yet comes through', async () => {
  const payload = '{"event":"schedule.renamed","data":{"schedule_id":"sch_1"}}';
  const webhook = await verifyWebhook({ ...good, payload, headers: signedHeaders(payload, T) });
  assert.equal(webhook.event as string, 'schedule.renamed');
});

test('a call that could not protect anybody throws TypeError', async () => {
  for (const secret of ['', 'whsec_', 'hunter2', 'whsec_?', [], [SECRET, '']])
    await assert.rejects(verifyWebhook({ ...good, secret }), {
      name: 'TypeError',
      message: /secret/,
    });
  const parsed = JSON.parse(BODY) as string;
  await assert.rejects(verifyWebhook({ ...good, payload: parsed }), { name: 'TypeError' });
  for (const wrong of [{ toleranceSeconds: Number.NaN }, { now: new Date('never') }])
    await assert.rejects(verifyWebhook({ ...good, ...wrong }), { name: 'TypeError' });
});
