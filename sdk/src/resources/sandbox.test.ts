import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecollectServiceError } from '@recollect/sdk';
import { type Arrived, type Reply, startService } from '../../test-support/service.ts';

const AT = '2026-02-01T09:00:00.000Z';
const moved = { from: AT, to: AT, happened: [], truncated: false, stopped: false };

/** Answers as a clock that is there once it was looked at so many times. */
function clockOf(looks: number, error: string | null = null): (request: Arrived) => Reply {
  let left = looks;
  return ({ method, path }) => {
    if (path === '/sandbox/clock')
      return { body: { now: AT, advancing: left-- > 0, waiting_for: ['https://slow.example'] } };
    return { body: { ...moved, advancing: method === 'POST', error } };
  };
}

test('the clock is moved by a request that does not wait, and followed until it is there', async (t) => {
  const { client, arrived } = await startService(t, clockOf(2));
  const waited: string[][] = [];
  const result = await client.sandbox.advance(
    { by: 'P1M' },
    { onProgress: ({ waiting_for }) => void waited.push(waiting_for) },
  );
  assert.deepEqual(result, { ...moved, advancing: false, error: null });
  assert.deepEqual(
    arrived.map(({ method, path }) => `${method} ${path}`),
    [
      'POST /sandbox/clock/advance',
      ...Array(3).fill('GET /sandbox/clock'),
      'GET /sandbox/clock/advance',
    ],
  );
  assert.deepEqual(JSON.parse(arrived[0]?.body ?? ''), { by: 'P1M', wait: false });
  assert.deepEqual(waited, Array(3).fill(['https://slow.example']));
});

test('a move that something ended early fails with the cause', async (t) => {
  const { client } = await startService(t, clockOf(0, 'The bank is not there.'));
  await assert.rejects(
    client.sandbox.advance({ to: AT }),
    (error) =>
      error instanceof RecollectServiceError &&
      error.message === 'The bank is not there.' &&
      error.requestId !== null,
  );
});
