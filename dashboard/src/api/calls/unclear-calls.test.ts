import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatingUnclear } from './unclear-calls.ts';

type Answer = number | 'no answer' | 'at work';

/** Sends the same change once per answer, each time under a key of its own; returns the keys that arrived. */
async function keysSent(...answers: Answer[]): Promise<string[]> {
  const keys: string[] = [];
  const fetch = repeatingUnclear(async (_, init) => {
    const answer = answers[keys.length];
    keys.push(new Headers(init?.headers).get('idempotency-key') ?? '');
    if (answer === 'no answer') throw new TypeError('fetch failed');
    if (answer === 'at work')
      return Response.json({ error: { code: 'request_in_progress' } }, { status: 409 });
    return Response.json({}, { status: answer ?? 200 });
  });
  for (const n of answers.keys())
    await fetch('https://pay.example/payments', {
      method: 'POST',
      headers: { 'idempotency-key': `key ${n}` },
      body: '{"amount":5}',
    }).catch(() => undefined);
  return keys;
}

test('a change is repeated under its key until its outcome is known, and the next one has its own', async () => {
  assert.deepEqual(await keysSent('no answer', 200, 200), ['key 0', 'key 0', 'key 2']);
  assert.deepEqual(await keysSent(502, 503, 201, 201), ['key 0', 'key 0', 'key 0', 'key 3']);
  assert.deepEqual(await keysSent('at work', 200, 200), ['key 0', 'key 0', 'key 2']);
});

test('a refusal ends it, unless it says nothing of the try before', async () => {
  assert.deepEqual(await keysSent(409, 200), ['key 0', 'key 1']);
  assert.deepEqual(await keysSent(403, 200), ['key 0', 'key 1']);
  assert.deepEqual(await keysSent('no answer', 429, 200), ['key 0', 'key 0', 'key 0']);
  assert.deepEqual(await keysSent('no answer', 422, 200), ['key 0', 'key 0', 'key 2']);
});

test('another change, and whatever has no key, is left alone', async () => {
  const seen: (string | null)[] = [];
  const fetch = repeatingUnclear((_, init) => {
    seen.push(new Headers(init?.headers).get('idempotency-key'));
    throw new TypeError('fetch failed');
  });
  const send = (body: string, headers = {}) =>
    fetch('/', { method: 'POST', headers, body }).catch(() => undefined);
  await send('a', { 'idempotency-key': '1' });
  await send('b', { 'idempotency-key': '2' });
  await send('a');
  assert.deepEqual(seen, ['1', '2', null]);
});
