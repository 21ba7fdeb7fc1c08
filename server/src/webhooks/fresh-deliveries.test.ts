import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareSchedules } from '../../test-support/slices/platform.ts';
import {
  type Merchant,
  startTestWebhooks,
  type TestWebhooks,
} from '../../test-support/slices/webhooks.ts';
import { appendEvents } from '../platform/state/events.ts';
import { deliverStage } from './deliver.ts';
import { FreshDeliveries } from './fresh-deliveries.ts';
import type { Answer, Sender } from './sender.ts';

let world: TestWebhooks;
let merchant: Merchant;

before(async () => {
  world = await startTestWebhooks();
});

after(() => world.close());

/** A process that sends through receivers that answer when they are told to, and the events that it has sent. */
async function aProcess() {
  merchant = await world.merchant();
  await bareSchedules(world.platform, merchant.id, ['sch_1']);
  const endpoint = await merchant.endpoint('https://127.0.0.1/hooks');
  const fresh = new FreshDeliveries(world.platform.config);
  const sent: string[] = [];
  const answers: ((answer: Answer) => void)[] = [];
  const sender: Sender = {
    send: ({ headers }) => {
      sent.push(String(headers['webhook-id']));
      return new Promise((answer) => answers.push(answer));
    },
    close: async () => undefined,
  };
  const stage = deliverStage(world.platform, sender, fresh);
  fresh.claims.hasConsumer = true;
  const now = (): Temporal.Instant => world.platform.clock.now();
  const occur = (count: number): Promise<string[]> =>
    world.platform.db.transaction((tx) =>
      appendEvents(
        {
          platform: {
            ...world.platform,
            fanOut: (own, at, events) => world.platform.fanOut(own, at, events, fresh),
          },
          tx,
          now: now(),
        },
        Array.from({ length: count }, () => ({
          merchantId: merchant.id,
          kind: 'collection.success',
          scheduleId: 'sch_1',
          subjectId: 'pay_1',
          data: {},
        })),
      ),
    );
  return {
    ...{ endpoint, fresh, stage, sent, occur },
    run: () => stage.run(now(), 256),
    stop() {
      if (stage.halt !== undefined) stage.halt.isHalted = true;
    },
    async answerAll() {
      const idle = stage.idle?.();
      let isIdle = false;
      void idle?.then(() => {
        isIdle = true;
      });
      while (!isIdle) {
        for (const answer of answers.splice(0))
          answer({ status: 200, body: '', error: null, durationMs: 1 });
        await sleep(1);
      }
    },
  };
}

/** Returns the deliveries of the merchant: how many there are in each state, and with a lease. */
const deliveries = () =>
  world.platform.db.read((tx) =>
    tx.rows<{ status: string; leased: boolean | null; n: number }>(
      `SELECT status, due_at > $2 AS leased, count(*)::int AS n FROM deliveries WHERE merchant_id = $1
       GROUP BY 1, 2 ORDER BY 1, 2`,
      [merchant.id, world.platform.clock.now()],
    ),
  );

test('new deliveries to an endpoint with room are sent without being claimed, and the others wait their turn', async () => {
  const own = await aProcess();
  const ids = await own.occur(12);
  assert.deepEqual(await deliveries(), [
    { status: 'pending', leased: false, n: 2 },
    { status: 'pending', leased: true, n: 10 },
  ]);
  assert.equal(await own.run(), 10);
  assert.deepEqual(own.sent, ids.slice(0, 10));
  assert.equal(await own.run(), 0, 'the endpoint has no room');
  await own.answerAll();
  assert.equal(await own.run(), 2);
  await own.answerAll();
  assert.deepEqual(own.sent, ids);
  assert.deepEqual(await deliveries(), [{ status: 'delivered', leased: null, n: 12 }]);
});

test('what occurs while earlier deliveries wait is not sent before them', async () => {
  const own = await aProcess();
  const first = await own.occur(11);
  assert.equal(await own.run(), 10);
  await own.answerAll();
  const second = await own.occur(1);
  assert.ok(own.fresh.claims.isEmpty);
  assert.equal(await own.run(), 2);
  await own.answerAll();
  assert.deepEqual(own.sent, [...first, ...second]);
});

test('deliveries that were handed on and find no room are given back, and are sent later', async () => {
  const own = await aProcess();
  const gate = Promise.withResolvers<void>();
  await own.occur(10);
  for (let n = 0; n < 5; n++)
    own.fresh.lanes.start(own.endpoint.id, () => gate.promise, assert.ifError);
  assert.equal(await own.run(), 5);
  assert.deepEqual(await deliveries(), [
    { status: 'pending', leased: false, n: 5 },
    { status: 'pending', leased: true, n: 5 },
  ]);
  gate.resolve();
  await own.answerAll();
  assert.equal(await own.run(), 5);
  await own.answerAll();
  assert.deepEqual(await deliveries(), [{ status: 'delivered', leased: null, n: 10 }]);
});

test('a process that stops gives back what was handed on', async () => {
  const own = await aProcess();
  await own.occur(3);
  await own.stage.handBack?.();
  assert.deepEqual(await deliveries(), [{ status: 'pending', leased: false, n: 3 }]);
  assert.equal(await own.run(), 3);
  await own.answerAll();
});

test('after a crash the deliveries that were handed on fall due with their lease', async () => {
  const own = await aProcess();
  await own.occur(3);
  own.fresh.claims.clear();
  assert.equal(await own.run(), 0);
  world.pass({ minutes: 3 });
  assert.equal(await own.run(), 3);
  await own.answerAll();
  assert.deepEqual(await deliveries(), [{ status: 'delivered', leased: null, n: 3 }]);
});

test('an endpoint that acknowledges quickly has more taken for it, ten of them in progress', async () => {
  const own = await aProcess();
  await own.occur(10);
  await own.run();
  await own.answerAll();
  const ids = await own.occur(25);
  assert.equal(await own.run(), 25);
  assert.deepEqual(own.sent.slice(10), ids.slice(0, 10));
  await own.answerAll();
  assert.deepEqual(own.sent.slice(10), ids);
  assert.deepEqual(await deliveries(), [{ status: 'delivered', leased: null, n: 35 }]);
});

test('an endpoint that acknowledges quickly has more claimed for it, too, with nothing in progress', async () => {
  const own = await aProcess();
  await own.occur(10);
  await own.run();
  await own.answerAll();
  own.fresh.claims.hasConsumer = false; // nothing is handed over: what occurs waits in its queue
  await own.occur(25);
  assert.equal(await own.run(), 25);
  await own.answerAll();
});

test('while acknowledgements are recorded, their slots at the endpoint are free', async () => {
  const own = await aProcess();
  await own.occur(11);
  await own.run();
  const answered = await world.platform.db.transaction(async (tx) => {
    await tx.run('SELECT FROM deliveries WHERE merchant_id = $1 AND due_at > $2 FOR UPDATE', [
      merchant.id,
      world.platform.clock.now(),
    ]);
    const all = { idle: own.answerAll() };
    while (own.fresh.lanes.size > 0) await sleep(1);
    assert.equal(await own.run(), 1, 'while nothing can be recorded');
    return all;
  });
  await answered.idle;
  assert.deepEqual(await deliveries(), [{ status: 'delivered', leased: null, n: 11 }]);
});

test('an endpoint that fails or is slow has only its slots again', async () => {
  const own = await aProcess();
  const answer: Answer = { status: 200, body: '', error: null, durationMs: 100 };
  own.fresh.answered(own.endpoint.id, answer);
  assert.equal(
    own.fresh.rooms()(own.endpoint.id),
    200,
    'as many as it acknowledges in two seconds',
  );
  own.fresh.answered(own.endpoint.id, { ...answer, durationMs: 1 });
  assert.equal(own.fresh.rooms()(own.endpoint.id), 250, 'at most');
  own.fresh.answered(own.endpoint.id, { ...answer, durationMs: 3_000 });
  assert.equal(own.fresh.rooms()(own.endpoint.id), 10);
  own.fresh.answered(own.endpoint.id, { ...answer, durationMs: 1 });
  own.fresh.answered(own.endpoint.id, { ...answer, status: 500, error: 'status 500' });
  assert.equal(own.fresh.rooms()(own.endpoint.id), 10);
});

test('a process that stops gives back what waits at an endpoint, and sends no more of it', async () => {
  const own = await aProcess();
  await own.occur(10);
  await own.run();
  await own.answerAll();
  await own.occur(15);
  assert.equal(await own.run(), 15);
  own.stop();
  await own.answerAll();
  assert.equal(own.sent.length, 20);
  assert.deepEqual(await deliveries(), [
    { status: 'delivered', leased: null, n: 20 },
    { status: 'pending', leased: false, n: 5 },
  ]);
});

test('what has waited long at an endpoint that became slow waits in its queue again', async (t) => {
  const own = await aProcess();
  await own.occur(10);
  await own.run();
  await own.answerAll();
  await own.occur(12);
  const later = performance.now() + 11_000;
  assert.equal(await own.run(), 12);
  t.mock.method(performance, 'now', () => later);
  await own.answerAll();
  assert.deepEqual(await deliveries(), [
    { status: 'delivered', leased: null, n: 20 },
    { status: 'pending', leased: false, n: 2 },
  ]);
});
