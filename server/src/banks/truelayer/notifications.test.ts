import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { openTrueLayerBench } from '../../../test-support/truelayer/bench.ts';
import { noTrueLayerFacts, readFact } from '../../../test-support/truelayer/document.ts';
import { FakeTrueLayer } from '../../../test-support/truelayer/fake-truelayer.ts';
import { BankUnavailable, NotificationInvalid, type PushedNotice } from '../bank.ts';
import { openTrueLayer } from './connector.ts';

const now = Temporal.Now.instant;
const bench = await openTrueLayerBench(now);
const { fake, config } = bench;
const { receiver } = bench.connection;
assert.ok(receiver);
after(() => bench.close());

const metadata = { bank_id: 'truelayer-ob-rowan', instruction_id: 'pay_1-a1' };
const payment = { type: 'payment_executed', event_id: 'evt-1', payment_id: 'p-1', metadata };
const send = (body: unknown, changes?: Parameters<FakeTrueLayer['notice']>[1]) =>
  receiver.verifyNotification(fake.notice(JSON.stringify(body), changes));
const isInvalid = (notice: PushedNotice) =>
  assert.rejects(receiver.verifyNotification(notice), NotificationInvalid);

test('a notice says which bank, and which payment or mandate, has changed', async () => {
  assert.deepEqual(await send(payment), {
    jti: 'evt-1',
    bankId: 'truelayer-ob-rowan',
    resources: [{ kind: 'payment', id: 'p-1' }],
  });
  const revoked = { type: 'mandate_revoked', event_id: 'evt-2', mandate_id: 'm-1', metadata };
  assert.deepEqual((await send(revoked)).resources, [{ kind: 'consent', id: 'm-1' }]);
});

test('a notice of another kind, of another client or without our word is genuine, and about nothing', async () => {
  const others = [
    { ...payment, type: 'something_new' },
    { ...payment, type: 'refund_executed', refund_id: 'r-1' },
    { ...payment, metadata: { bank_id: 'northbank' } },
    { ...payment, metadata: undefined },
    { ...payment, payment_id: undefined },
  ];
  for (const body of others)
    assert.deepEqual(await send(body), { jti: 'evt-1', resources: [] }, JSON.stringify(body));
});

test('a notice for another address, with another time or with another signature is not taken', async () => {
  const genuine = fake.notice(JSON.stringify(payment));
  await receiver.verifyNotification(genuine);
  const { headers } = genuine;
  const other = fake.notice(JSON.stringify({ ...payment, event_id: 'evt-9' }));
  await isInvalid({ ...genuine, path: '/notifications/banks/other' });
  await isInvalid({
    ...genuine,
    headers: { ...headers, 'x-tl-webhook-timestamp': now().toString() },
  });
  await isInvalid({
    ...genuine,
    headers: { ...headers, 'tl-signature': other.headers['tl-signature'] },
  });
  for (const name of ['tl-signature', 'x-tl-webhook-timestamp'])
    for (const value of [undefined, [], ['a', 'b']])
      await isInvalid({ ...genuine, headers: { ...headers, [name]: value } });
  // What is not signed may be changed on the way.
  await receiver.verifyNotification({ ...genuine, headers: { ...headers, 'user-agent': 'proxy' } });
});

test('keys are read from the configured host alone, and a notice that names others is refused unread', async (t) => {
  const elsewhere: string[] = [];
  const at = await startHost((url) => elsewhere.push(url));
  t.after(() => at.close());
  for (const jku of [at.url, '', undefined, `${config.hosts.noticeKeys}#x`])
    await assert.rejects(send(payment, { claims: { jku } }), NotificationInvalid);
  assert.deepEqual(elsewhere, []);
  await assert.rejects(send(payment, { claims: { kid: 'notices-0' } }), NotificationInvalid);
  await assert.rejects(send(payment, { claims: { kid: 'unknown' } }), NotificationInvalid);
});

test('a signature that leaves out when the notice was sent is refused', async () => {
  const claims = { tl_headers: 'Content-Type' };
  await assert.rejects(send(payment, { claims }), NotificationInvalid);
  const both = { tl_headers: 'X-TL-Webhook-Timestamp,Content-Type' };
  assert.equal((await send(payment, { claims: both })).jti, 'evt-1');
});

test('a notice is taken for as long as TrueLayer may repeat it, and no longer', async () => {
  await send(payment, { at: now().subtract({ hours: 72 }) });
  await assert.rejects(send(payment, { at: now().subtract({ hours: 74 }) }), NotificationInvalid);
  await assert.rejects(send(payment, { at: now().add({ minutes: 10 }) }), NotificationInvalid);
});

test('what is signed but is no notice is refused', async () => {
  for (const body of ['', 'null', '{}', '[]', '{"type":"payment_executed","event_id":""}'])
    await isInvalid(fake.notice(body));
});

test('without TrueLayer’s keys nobody can tell: the sender is asked to come again', async (t) => {
  const silent = new FakeTrueLayer(now);
  const hosts = await silent.start();
  await silent.close();
  const other = openTrueLayer({ ...config, hosts }, now);
  t.after(() => other.close());
  const notice = silent.notice(JSON.stringify(payment));
  await assert.rejects(
    other.receiver?.verifyNotification(notice) as Promise<never>,
    BankUnavailable,
  );
});

const skip = noTrueLayerFacts;

test('the recorded notices are read', { skip }, async () => {
  const kinds = ['authorized', 'creditable', 'executed', 'executed_mandate', 'failed', 'settled'];
  for (const kind of [...kinds, 'settlement_stalled']) {
    const recorded = JSON.parse(readFact(`recorded/webhooks/payment_${kind}.json`)) as object;
    const { resources } = await send({ ...recorded, metadata });
    const id = '60c0a60ed8d7-4e5b-ac79-401b1d8a8633';
    assert.deepEqual(resources, [{ kind: 'payment', id }], kind);
    assert.deepEqual((await send(recorded)).resources, [], kind);
  }
  const payout = readFact('recorded/webhooks/payout_executed.json');
  assert.deepEqual((await send(JSON.parse(payout))).resources, []);
});

async function startHost(onAsked: (url: string) => void) {
  const server = createServer((request, response) => {
    onAsked(request.url ?? '');
    response.end('{"keys":[]}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/.well-known/jwks`,
    close: () => new Promise((done) => server.close(done)),
  };
}
