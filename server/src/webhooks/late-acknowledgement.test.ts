import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Receiver, startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import {
  startTestWebhooks,
  type TestWebhooks,
  TIMEOUT_MS,
} from '../../test-support/slices/webhooks.ts';
import type { Db } from '../platform/db/db.ts';

let world: TestWebhooks;
let receiver: Receiver;

before(async () => {
  world = await startTestWebhooks();
});

afterEach(() => receiver.close());

after(() => world.close());

/** Sends an event from a process that stands still before it records the acknowledgement; returns how to let it go on. */
async function sentAndFrozen(): Promise<() => Promise<void>> {
  const { db } = world.platform;
  const frozen = Promise.withResolvers<void>();
  const stalling: Db['transaction'] = async (work, options) => {
    if (receiver.received.length > 0 && options?.isQueuePeek !== true) await frozen.promise;
    return db.transaction(work, options);
  };
  const late = world.anotherEngine({ db: { ...db, transaction: stalling } }).drain();
  while (receiver.received.length === 0) await sleep(5);
  world.pass({ milliseconds: TIMEOUT_MS + 60_000 });
  return async () => {
    frozen.resolve();
    await late;
  };
}

for (const [when, isUnderWay] of [
  ['when another try has failed and the next one is due', false],
  ['while another try is under way, which fails', true],
] as const)
  test(`an acknowledgement that is recorded late, ${when}, ends the tries`, async () => {
    const merchant = await world.merchant();
    receiver = await startReceiver();
    await merchant.endpoint(receiver.url);
    const [id = ''] = await merchant.occur(1);
    const answered = Promise.withResolvers<void>();
    receiver.reply = async () => {
      if (receiver.received.length === 1) return { status: 200, body: 'ok' };
      if (isUnderWay) await answered.promise;
      return { status: 500, body: 'oh' };
    };
    const goOn = await sentAndFrozen();
    const other = world.engine.drain();
    if (isUnderWay) while (receiver.received.length < 2) await sleep(5);
    else {
      await other;
      world.pass({ minutes: 2 });
    }
    await goOn();
    answered.resolve();
    await other;
    world.pass({ minutes: 2 });
    await world.engine.drain();
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [id, id],
    );
    const [delivery] = (await merchant.event(id)).deliveries;
    assert.deepEqual([delivery?.status, delivery?.attempt_count], ['delivered', 2]);
  });
