import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type SmsGateway, startSmsGateway } from '../../test-support/sms-gateway.ts';
import { makeTexts, type Texts } from './texts.ts';

let gateway: SmsGateway;
let texts: Texts;

before(async () => {
  gateway = await startSmsGateway();
  texts = makeTexts({ sms: gateway }, 300) ?? assert.fail('no texts');
});
afterEach(() => {
  gateway.requests.length = 0;
});
after(async () => {
  await texts.close();
  await gateway.close();
});

const PHONE = '+447700900123';
const message = {
  id: 'ntc_1',
  to: { name: 'Alex', phone: PHONE },
  sender: 'Fernhill Gym',
  text: 'Hello.',
};

test('a gateway gets the message as JSON, with our token and the id of the notice as its key', async () => {
  assert.deepEqual(await texts.send(message), { error: null });
  assert.deepEqual(gateway.requests, [
    {
      key: 'ntc_1',
      authorization: `Bearer ${gateway.token}`,
      body: { id: 'ntc_1', to: PHONE, sender_name: 'Fernhill Gym', text: 'Hello.' },
    },
  ]);
});

test('what the message is refused for is final, and everything else is tried again', async () => {
  for (const status of [400, 402, 409, 410, 422]) {
    gateway.refusals.push(status);
    const error = `The gateway refused the message: ${status}.`;
    assert.deepEqual(await texts.send(message), { error, isFinal: true });
  }
  for (const status of [301, 307, 401, 403, 404, 408, 425, 429, 500, 503]) {
    gateway.refusals.push(status);
    const error = `The gateway did not accept the message: ${status}.`;
    assert.deepEqual(await texts.send(message), { error, isFinal: false });
  }
  assert.equal(gateway.requests.length, 15, 'no redirect is followed');
});

test('a gateway that does not respond in time is tried again', async () => {
  gateway.refusals.push(null);
  assert.deepEqual(await texts.send(message), {
    error: 'The gateway was not reached: no response within 0.3 seconds.',
    isFinal: false,
  });
});

test('a gateway that is down is tried again, and the error names no number', async () => {
  const down = await startSmsGateway();
  await down.close();
  const other = makeTexts({ sms: down }) ?? assert.fail('no texts');
  assert.deepEqual(await other.send(message), {
    error: 'The gateway was not reached: ECONNREFUSED.',
    isFinal: false,
  });
  await other.close();
  assert.equal(makeTexts({ sms: null }), null);
});
