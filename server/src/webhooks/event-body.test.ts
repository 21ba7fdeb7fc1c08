import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import { startTestWebhooks, type TestWebhooks } from '../../test-support/slices/webhooks.ts';
import { redact } from '../platform/http/request-log/redaction.ts';
import { appendEvents } from '../platform/state/events.ts';

const DATA = { settlement_id: 'set_1', destination_account: { account_number: '66374958' } };

let world: TestWebhooks;
before(async () => {
  world = await startTestWebhooks();
});
after(() => world.close());

test('an event that is sealed at rest is shown with the bytes that are sent', async () => {
  const receiver = await startReceiver();
  const merchant = await world.merchant();
  await merchant.endpoint(receiver.url);
  await world.platform.db.transaction((tx) =>
    appendEvents({ platform: world.platform, tx, now: world.platform.clock.now() }, [
      {
        merchantId: merchant.id,
        kind: 'settlement.success',
        scheduleId: null,
        subjectId: 'set_1',
        data: DATA,
        isConfidential: true,
      },
    ]),
  );
  await world.engine.drain();
  const [sent] = receiver.received;
  const id = String(sent?.headers['webhook-id']);
  const shown = await merchant.call<{ body: string }>('GET', `/events/${id}`);
  assert.equal(shown.body, sent?.body);
  assert.deepEqual(JSON.parse(shown.body).data, DATA);
  const resent = await merchant.call<{ body: string }>('POST', `/events/${id}/resend`, {});
  assert.equal(resent.body, sent?.body);
  assert.doesNotMatch(JSON.stringify(redact(resent)), /66374958/, 'the request log has no account');
  await world.engine.drain();
  await receiver.close();
});
