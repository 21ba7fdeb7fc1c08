import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { repeatingUnclear } from './unclear-calls.ts';

type Answer = number | 'no answer' | 'cut off' | 'of a gateway' | 'at work' | 'replayed';

function respond(answer: Answer): Response {
  const refusal = (code: string, status: number) => Response.json({ error: { code } }, { status });
  switch (answer) {
    case 'no answer':
      throw new TypeError('fetch failed');
    case 'cut off':
      return new Response('{"id":"pay_', { status: 201 });
    case 'of a gateway':
      return new Response('<h1>Request Timeout</h1>', { status: 408 });
    case 'at work':
      return refusal('request_in_progress', 409);
    case 'replayed':
      return Response.json({}, { headers: { 'idempotent-replayed': 'true' } });
    default:
      return answer < 400 ? Response.json({}, { status: answer }) : refusal('refused', answer);
  }
}

/** Sends each change, under a key of its own; returns the keys that arrived, and how often a first try had done one. */
async function sendAll(changes: [body: string, Answer, at?: string][]) {
  const keys: string[] = [];
  let repeated = 0;
  const fetch = repeatingUnclear(
    async (_, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key') ?? '');
      return respond(changes[keys.length - 1]?.[1] ?? 200);
    },
    () => {
      repeated++;
    },
  );
  for (const [n, [body, , at = 'sch_1/payments']] of changes.entries())
    await fetch(`https://pay.example/api/v1/schedules/${at}`, {
      method: 'POST',
      headers: { 'idempotency-key': String(n) },
      body,
    }).catch(() => undefined);
  return { keys: keys.join(' '), repeated };
}

/** Sends the same change once per answer. */
const keysOf = async (...answers: Answer[]): Promise<string> =>
  (await sendAll(answers.map((answer) => ['£5', answer]))).keys;

test('a change is repeated under its key until its outcome is known, and the next one has its own', async () => {
  assert.equal(await keysOf('no answer', 200, 200), '0 0 2');
  assert.equal(await keysOf(502, 503, 201, 201), '0 0 0 3');
  assert.equal(await keysOf('at work', 200, 200), '0 0 2');
  assert.equal(await keysOf('cut off', 'of a gateway', 200, 200), '0 0 0 3');
});

test('a refusal ends it, unless it says nothing of the try before', async () => {
  assert.equal(await keysOf(409, 200), '0 1');
  assert.equal(await keysOf(403, 200), '0 1');
  assert.equal(await keysOf('no answer', 429, 200), '0 0 0');
  assert.equal(await keysOf('no answer', 422, 200), '0 0 2');
});

test('another change of the same object ends it: whoever comes back to the first means it again', async () => {
  const pause = ['pause', 'no answer', 'sch_1'] as const;
  const resume = (at: string) => ['resume', 200, at] as [string, Answer, string];
  const again = async (at: string) =>
    (await sendAll([[...pause], resume(at), ['pause', 200, 'sch_1']])).keys;
  assert.equal(await again('sch_1'), '0 1 2');
  assert.equal(await again('sch_2'), '0 1 0');
});

test('it is kept for ten minutes', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const keys: (string | null)[] = [];
  const fetch = repeatingUnclear(
    (_, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      throw new TypeError('fetch failed');
    },
    () => assert.fail('nothing was done'),
  );
  for (const key of ['0', '1', '2']) {
    await fetch('/', { method: 'POST', headers: { 'idempotency-key': key } }).catch(() => null);
    t.mock.timers.tick(6 * 60_000);
  }
  await fetch('/', { method: 'POST' }).catch(() => null);
  assert.deepEqual(keys, ['0', '0', '2', null]);
});

test('somebody is told where their first try had done it', async () => {
  assert.equal(
    (
      await sendAll([
        ['£5', 'no answer'],
        ['£5', 'replayed'],
      ])
    ).repeated,
    1,
  );
  assert.equal(
    (
      await sendAll([
        ['£5', 'no answer'],
        ['£5', 201],
      ])
    ).repeated,
    0,
  );
  assert.equal((await sendAll([['£5', 'replayed']])).repeated, 0, 'a try of the client itself');
});
