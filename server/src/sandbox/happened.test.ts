import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import { startTestWebhooks } from '../../test-support/slices/webhooks.ts';
import { happenedSince } from './happened.ts';

test('what happened at one moment is listed in order, also when a delivery was sent again', async () => {
  const [world, receiver] = [await startTestWebhooks(), await startReceiver()];
  try {
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const occur = async (): Promise<string> => {
      const [id = ''] = await merchant.occur(1);
      await world.engine.drain();
      return id;
    };
    const [first, second] = [await occur(), await occur()];
    await merchant.call('POST', `/events/${first}/resend`, {});
    await world.engine.drain();
    const { db, clock } = world.platform;
    const { happened } = await db.read((tx) => happenedSince(tx, merchant.id, clock.at));
    assert.deepEqual(
      happened.flatMap((one) => {
        if (one.kind === 'event') return [one.event_id];
        return one.kind === 'delivery_attempt' ? [`${one.event_id} ${one.number}`] : [];
      }),
      [first, `${first} 1`, second, `${second} 1`, `${first} 2`],
    );
  } finally {
    await receiver.close();
    await world.close();
  }
});
