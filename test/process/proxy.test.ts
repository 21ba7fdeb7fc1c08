import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { openSandboxFolder } from '../../server/src/sandbox/folder.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import { until } from '../../server/test-support/until.ts';

const EXAMPLE = fileURLToPath(new URL('../../deploy/proxy/nginx.conf', import.meta.url));
const HAS_NGINX = spawnSync('nginx', ['-v']).status === 0;

if (HAS_NGINX)
  test(
    'the example for nginx leads each path to its process, over TLS, with the address of the client',
    tryNginx,
  );
else
  test('the example for nginx is not tried: apt-get install nginx also tries it', () => {
    assert.ok(!HAS_NGINX);
  });

/** Starts a process that answers with its own name and the client's address as the proxy passed it on. */
async function startPart(t: TestContext, name: string): Promise<number> {
  const server = createServer(({ headers }, response) => {
    const { host, 'x-forwarded-for': client, 'x-forwarded-proto': scheme } = headers;
    response.end(JSON.stringify({ name, host, client, scheme }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

async function tryNginx(t: TestContext): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-nginx-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [api, portal] = [await startPart(t, 'api'), await startPart(t, 'portal')];
  const [plain = 0, tls = 0] = await freePorts(2);
  const { certificates } = await openSandboxFolder(folder);
  const site = (await readFile(EXAMPLE, 'utf8'))
    .replace('127.0.0.1:4000', `127.0.0.1:${api}`)
    .replace('127.0.0.1:4001', `127.0.0.1:${portal}`)
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${tls} ssl;`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificates.serverCert};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${certificates.serverKey};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid; daemon off; error_log stderr; events {}
     http { access_log off; ${temporary.join(' ')}\n${site}\n}`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'ignore',
  });
  t.after(async () => {
    const gone = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await gone;
  });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  t.after(() => dispatcher.close());
  const get = async (path: string) => {
    const headers = { host: 'pay.example.com', 'x-forwarded-for': '6.6.6.6' };
    const { body } = await request(`https://127.0.0.1:${tls}${path}`, { headers, dispatcher });
    return body.json();
  };
  await until('nginx answers', () => get('/readyz').then(Boolean, () => false));
  const seen = { host: 'pay.example.com', client: '127.0.0.1', scheme: 'https' };
  for (const path of ['/consent/abc', '/consent/about', '/consent'])
    assert.deepEqual(await get(path), { name: 'portal', ...seen }, path);
  for (const path of ['/api/v1/schedules', '/dashboard', '/notifications/issuer', '/consents'])
    assert.deepEqual(await get(path), { name: 'api', ...seen }, path);
  const { statusCode, headers } = await request(`http://127.0.0.1:${plain}/consent/abc`);
  assert.equal(statusCode, 301);
  assert.equal(headers.location, 'https://pay.example.com/consent/abc');
}
