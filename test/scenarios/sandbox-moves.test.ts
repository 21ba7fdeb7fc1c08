import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../server/test-support/service.ts';
import { grantedSchedule } from './acts.ts';

// Moves of the sandbox's clock that nobody waits for, and what is seen of them meanwhile.

const DUE_TOGETHER = 3;

interface Refusal {
  error: { code: string };
}

let service: TestService;

before(async () => {
  service = await startTestService({ start: '2026-03-20T09:00:00Z' });
});
after(() => service?.close());

interface Clock {
  advancing: boolean;
  advancing_to: string | null;
  waiting_for: string[];
  last_error: string | null;
}
const clock = async (headers = {}): Promise<Clock> =>
  (await service.api<Clock>('GET', '/sandbox/clock', undefined, headers)).body;

/** Looks at the clock until it is as wanted. */
async function seeClock(isWanted: (clock: Clock) => boolean): Promise<Clock> {
  for (const since = performance.now(); ; ) {
    const seen = await clock();
    if (isWanted(seen) || performance.now() - since > 120_000) return seen;
    await sleep(10);
  }
}

test('A move that nobody waits for answers at once, and the clock says where it goes and for whom it waits', async (t) => {
  let asked = 0;
  const allAreAsked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const receiver = createServer(async (_request, response) => {
    if (++asked === DUE_TOGETHER) allAreAsked.resolve();
    await release.promise;
    response.end();
  });
  await new Promise<void>((done) => void receiver.listen(0, '127.0.0.1', done));
  t.after(() => receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const other = { authorization: `Bearer ${(await newMerchant(service.running)).apiKey}` };
  const start_date = service.now().add({ hours: 30 }).toString({ smallestUnit: 'second' });
  for (let n = 0; n < DUE_TOGETHER; n++)
    await grantedSchedule(service, 'alex', { frequency: { type: 'daily' }, start_date });
  const endpoint = await service.api<{ id: string }>('POST', '/api/v1/webhook_endpoints', { url });
  const path = `/api/v1/webhook_endpoints/${endpoint.body.id}`;
  t.after(() => service.api('DELETE', path));

  const begun = await service.api<{ advancing: boolean; from: string }>(
    'POST',
    '/sandbox/clock/advance',
    { by: 'P2D', wait: false },
  );
  assert.deepEqual([begun.status, begun.body.advancing], [200, true]);
  await allAreAsked.promise; // what is due at one moment is sent together
  const seen = await seeClock(({ waiting_for }) => waiting_for.length > 0);
  const to = Temporal.Instant.from(begun.body.from).add({ hours: 48 });
  assert.deepEqual(
    [seen.advancing, seen.advancing_to, seen.waiting_for],
    [true, to.toString({ smallestUnit: 'millisecond' }), [url]],
  );
  assert.deepEqual((await clock(other)).waiting_for, ['an endpoint of another merchant']);
  assert.equal(
    (await service.api<Refusal>('POST', '/sandbox/clock/advance', { by: 'P1D' })).body.error.code,
    'clock_busy',
  );
  release.resolve();

  const after = await seeClock(({ advancing }) => !advancing);
  const still = { advancing: false, advancing_to: null, waiting_for: [], last_error: null };
  assert.deepEqual({ ...after, now: undefined }, { ...still, now: undefined });
  const last = await service.api<Record<string, unknown>>('GET', '/sandbox/clock/advance');
  const { happened, ...move } = last.body;
  assert.deepEqual(move, {
    ...{ from: begun.body.from, to: seen.advancing_to, advancing: false },
    ...{ truncated: false, stopped: false, error: null },
  });
  assert.ok(JSON.stringify(happened).includes('collection.success'));
  await service.advance('P1D'); // at once: whoever sees the end can move it on
});
