import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Receiver, startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import {
  type EndpointBody,
  type Merchant,
  startTestWebhooks,
  type TestWebhooks,
} from '../../test-support/slices/webhooks.ts';

let world: TestWebhooks;
let merchant: Merchant;
let receiver: Receiver;

before(async () => {
  world = await startTestWebhooks();
  receiver = await startReceiver();
  merchant = await world.merchant();
});
after(async () => {
  await receiver.close();
  await world.close();
});

const put = (endpoint: EndpointBody, status: 'enabled' | 'disabled') =>
  merchant.call<EndpointBody>('PUT', `/webhook_endpoints/${endpoint.id}`, { status });

test('turning an endpoint off and on takes up the retries that were waiting, and nothing else', async () => {
  const endpoint = await merchant.endpoint(receiver.url);
  receiver.reply = () => ({ status: 500 });
  const [waiting = ''] = await merchant.occur(1);
  await world.engine.drain();
  await put(endpoint, 'disabled');
  const [meanwhile = ''] = await merchant.occur(1);
  await world.engine.drain();
  assert.equal((await put(endpoint, 'enabled')).held, 1);
  receiver.received.length = 0;
  await world.engine.drain();
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    [waiting],
  );
  const [delivery] = (await merchant.event(waiting)).deliveries;
  assert.deepEqual([delivery?.status, delivery?.attempt_count], ['pending', 2]);
  const next = Temporal.Instant.from(delivery?.next_attempt_at ?? '');
  const minutes = next.since(world.platform.clock.now()).total('minutes');
  assert.equal(minutes, 5, 'the second failure waits five minutes');
  const [held] = (await merchant.event(meanwhile)).deliveries;
  assert.equal(held?.status, 'held');
});
