import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { makeCertificates } from './certificates.ts';

const dir = await mkdtemp(join(tmpdir(), 'certificates-'));
after(() => rm(dir, { recursive: true, force: true }));

test('the certificates made carry a mutual TLS connection on loopback', async () => {
  const paths = await makeCertificates(dir);
  const ca = await readFile(paths.ca, 'utf8');
  const server = createServer({
    ca,
    cert: await readFile(paths.serverCert, 'utf8'),
    key: await readFile(paths.serverKey, 'utf8'),
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: 'localhost',
    ca,
    cert: await readFile(paths.clientCert, 'utf8'),
    key: await readFile(paths.clientKey, 'utf8'),
  });
  const [accepted] = (await once(server, 'secureConnection')) as [TLSSocket];
  assert.equal(accepted.authorized, true);
  assert.equal(accepted.getPeerCertificate().subject.CN, 'recollect-sandbox');
  client.destroy();
  server.close();
});

test('certificates that are still good are kept, and private keys are for their owner alone', async () => {
  const paths = await makeCertificates(dir);
  const before = await readFile(paths.clientCert, 'utf8');
  await makeCertificates(dir);
  assert.equal(await readFile(paths.clientCert, 'utf8'), before);
  assert.equal((await stat(paths.clientKey)).mode & 0o777, 0o600);
});

test('a damaged file recreates the whole set', async () => {
  const paths = await makeCertificates(dir);
  const before = await readFile(paths.ca, 'utf8');
  await writeFile(paths.serverCert, 'not a certificate');
  await makeCertificates(dir);
  assert.notEqual(await readFile(paths.ca, 'utf8'), before);
});
