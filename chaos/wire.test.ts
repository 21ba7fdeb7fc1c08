import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { makeTestCertificates } from '../sandbox/test-support/bank/certificates.ts';
import { Wire } from './wire.ts';

const LONG = 'a'.repeat(100);
const servers: Server[] = [];
const wires: Wire[] = [];

/** Starts a program that responds to everything with its word; returns its port. */
async function answering(word: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write(word));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function wireTo(...ends: number[]): Promise<Wire> {
  const wire = await Wire.open(ends);
  wires.push(wire);
  return wire;
}

/** Returns everything that comes back to one request until the line ends, or `enough` bytes have come. */
async function ask(wire: Wire, enough: number): Promise<string> {
  const socket = connect(wire.port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined).write('?');
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.length >= enough) resolve();
    });
    socket.on('close', () => resolve());
  });
  socket.destroy();
  return answer;
}

after(() => {
  for (const wire of wires) wire.close();
  for (const server of servers) server.close();
});

test('what is whole passes everything, and takes its ends in turn', async () => {
  const wire = await wireTo(await answering('one'), await answering('two'));
  assert.deepEqual([await ask(wire, 3), await ask(wire, 3)].sort(), ['one', 'two']);
});

test('an end that does not listen is passed over', async () => {
  const gone = await answering('gone');
  await new Promise((closed) => servers.pop()?.close(closed));
  const wire = await wireTo(gone, await answering('here'));
  assert.deepEqual([await ask(wire, 4), await ask(wire, 4)], ['here', 'here']);
});

test('an answer that is cut in the middle ends before its end, and the question has arrived', async () => {
  const wire = await wireTo(await answering(LONG));
  wire.set('mid-answer');
  const answer = await ask(wire, LONG.length);
  assert.ok(answer.length < LONG.length);
  assert.equal(wire.cuts, 1);
});

test('a line that refuses lets nothing through, and does again when it is whole', async () => {
  const wire = await wireTo(await answering('here'));
  wire.set('refusing');
  assert.equal(await ask(wire, 4), '');
  wire.set('whole');
  assert.equal(await ask(wire, 4), 'here');
});

test('a line can be led to another end', async () => {
  const wire = await wireTo(await answering('old'));
  wire.leadTo(await answering('new'));
  assert.equal(await ask(wire, 3), 'new');
});

test('a line that ends TLS is cut like any other', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'recollect-wire-'));
  t.after(() => rm(dir, { recursive: true }));
  const { ca, serverCert, serverKey } = await makeTestCertificates(dir);
  const [cert, key] = [await readFile(serverCert), await readFile(serverKey)];
  const wire = await Wire.open([await answering('here')], { cert, key });
  wires.push(wire);
  const socket = connectTls({ port: wire.port, host: 'localhost', ca: await readFile(ca) });
  const closed = once(
    socket.on('error', () => undefined),
    'close',
  );
  socket.write('?');
  assert.equal(String((await once(socket, 'data'))[0]), 'here');
  wire.cut();
  await closed;
});
