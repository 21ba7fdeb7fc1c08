import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { makeCertificates } from '../../sandbox/certificates.ts';
import { HTTP_1 } from './request-begun.ts';

test('a server that prefers HTTP/2 is called over HTTP/1.1', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'recollect-http-1-'));
  const { ca, serverCert, serverKey } = await makeCertificates(dir);
  const tls = { cert: readFileSync(serverCert), key: readFileSync(serverKey) };
  const server = createSecureServer({ ...tls, allowHTTP1: true }, (incoming, answer) =>
    answer.end(incoming.httpVersion),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ ...HTTP_1, connect: { ca: readFileSync(ca) } });
  t.after(async () => {
    await agent.destroy();
    server.close();
    rmSync(dir, { recursive: true });
  });
  const { port } = server.address() as AddressInfo;
  const { body } = await request(`https://localhost:${port}`, { dispatcher: agent });
  assert.equal(await body.text(), '1.1');
});

test('every agent that calls the outside is made so', () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync('**/*.ts', { cwd: root, exclude: ['sandbox/**', '**/*.test.ts'] });
  const made = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /new (?:Agent|Pool|Client)\([^\n]*\n?[^\n]*/g,
      ),
    ]
      .filter(([text]) => !text.includes('HTTP_1'))
      .map(([text]) => `${file}: ${text.trim()}`),
  );
  assert.deepEqual(made, []);
});
