import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type AddressInfo,
  createServer,
  isIP,
  type LookupFunction,
  type Server,
  type Socket,
} from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertQuick } from '../../test-support/quick.ts';
import { type Receiver, startReceiver } from '../../test-support/slices/webhook-receiver.ts';
import { makeSender } from './sender.ts';

const receiver: Receiver = await startReceiver();
const sender = makeSender({ mode: 'sandbox', timeoutMs: 10_000 });
/** For receivers that never respond. */
const hasty = makeSender({ mode: 'sandbox', timeoutMs: 400 });
after(async () => {
  await Promise.all([sender.close(), hasty.close()]);
  await receiver.close();
});

const post = (url: string, by = sender) =>
  by.send({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' });

test('exactly 200 acknowledges', async () => {
  receiver.reply = () => ({ status: 200, body: 'thanks' });
  const answer = await post(receiver.url);
  assert.deepEqual(
    { ...answer, durationMs: 0 },
    { status: 200, body: 'thanks', error: null, durationMs: 0 },
  );
  assert.equal(receiver.received.at(-1)?.body, '{"a":1}');
});

for (const status of [201, 202, 204, 400, 410, 500, 503])
  test(`${status} does not count, and the answer says so`, async () => {
    receiver.reply = () => ({ status });
    assert.equal((await post(receiver.url)).error, `${status}: only 200 acknowledges`);
  });

for (const status of [301, 302, 307, 308])
  test(`a redirect (${status}) is not followed`, async () => {
    const before = receiver.received.length;
    receiver.reply = () => ({ status, headers: { location: `${receiver.url}/elsewhere` } });
    assert.equal((await post(receiver.url)).error, `${status}: redirects are not followed`);
    assert.equal(receiver.received.length, before + 1);
  });

test('silence is a time-out, and the whole exchange has the one limit', () =>
  assertQuick(1_500, async () => {
    receiver.reply = () => 'hang';
    const answer = await post(receiver.url, hasty);
    assert.equal(answer.error, 'time-out after 0.4 s');
    assert.ok(answer.durationMs >= 390, `${answer.durationMs}`);
    return answer.durationMs;
  }));

test('a 200 whose body never ends has acknowledged, and holds nothing up beyond the limit', () =>
  assertQuick(1_500, async () => {
    receiver.reply = () => ({ status: 200, body: 'begun', endless: true });
    const answer = await post(receiver.url, hasty);
    assert.equal(answer.error, null);
    assert.equal(answer.body, 'begun');
    return answer.durationMs;
  }));

test('an origin that let a request time out is waited for as long as is asked, until it answers', async (t) => {
  let patience = 50;
  const own = makeSender({ mode: 'sandbox', timeoutMs: 400, patienceMs: () => patience });
  t.after(() => own.close());
  const waited = async (): Promise<string | null> => (await post(receiver.url, own)).error;
  receiver.reply = () => 'hang';
  assert.equal(await waited(), 'time-out after 0.4 s');
  assert.equal(await waited(), 'time-out after 0.05 s');
  receiver.reply = () => ({ status: 200 });
  patience = 400;
  assert.equal(await waited(), null);
  patience = 50;
  receiver.reply = () => 'hang';
  assert.equal(await waited(), 'time-out after 0.4 s');
});

test('a connection that is refused or closed is a failure with its reason', async () => {
  receiver.reply = () => 'drop';
  assert.equal((await post(receiver.url)).error, 'the connection was closed before an answer');
  const gone = await startReceiver();
  await gone.close();
  assert.equal((await post(gone.url)).error, 'connection refused');
});

test('a connection that the receiver closes while it is used again costs no attempt', async (t) => {
  const seen: number[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    const own = ++connections;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      seen.push(own);
      requests++;
      if (own === 1 && requests === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const own = makeSender({ mode: 'sandbox', timeoutMs: 10_000 });
  t.after(() => own.close());
  assert.equal((await post(url, own)).status, 200);
  await sleep(50); // until its connection is free again
  assert.deepEqual([(await post(url, own)).error, seen], [null, [1, 1, 2]]);
});

test('what answers something other than HTTP is a failure', async () => {
  const server: Server = createServer((socket: Socket) => socket.end('SSH-2.0-what\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal((await post(`http://127.0.0.1:${port}/`)).error, 'the answer is not HTTP');
  server.close();
});

test('the first 4 KB of the answer are kept, in whole characters, without NUL', async () => {
  receiver.reply = () => ({ status: 500, body: `a\0${'é'.repeat(100_000)}` });
  const { body } = await post(receiver.url);
  assert.equal(body, `a\ufffd${'é'.repeat(2047)}`);
});

test('a name that resolves inside at connect is never dialled, whatever it resolved to before', async () => {
  const before = receiver.received.length;
  let asked = 0;
  const rebinding: LookupFunction = (_name, _options, callback) => {
    const address = asked++ === 0 ? '127.0.0.1' : '10.0.0.1';
    callback(null, [{ address, family: isIP(address) }]);
  };
  const by = makeSender({ mode: 'sandbox', timeoutMs: 400, lookup: rebinding });
  receiver.reply = () => ({ status: 200, headers: { connection: 'close' } });
  const url = receiver.url.replace('127.0.0.1', 'rebinding.example');
  assert.equal((await post(url, by)).error, null);
  assert.match((await post(url, by)).error ?? '', /10\.0\.0\.1 is private/);
  assert.equal(receiver.received.length, before + 1);
  await by.close();
});

test('live, neither http nor an inner address is called, however the endpoint came to be stored', async () => {
  const before = receiver.received.length;
  const inside: LookupFunction = (_name, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const by = makeSender({ mode: 'live', timeoutMs: 400, lookup: inside });
  const { port } = new URL(receiver.url);
  assert.match((await post(receiver.url, by)).error ?? '', /not called in live mode/);
  assert.match((await post(`https://127.0.0.1:${port}/`, by)).error ?? '', /is loopback/);
  assert.match((await post(`https://hooks.example:${port}/`, by)).error ?? '', /is loopback/);
  assert.match((await post(`https://[::ffff:127.0.0.1]:${port}/`, by)).error ?? '', /ipv4Mapped/);
  assert.equal(receiver.received.length, before);
  await by.close();
});
