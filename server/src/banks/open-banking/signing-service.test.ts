import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { type SandboxBank, startSandboxBank } from '../../../test-support/sandbox-bank.ts';
import { sandboxDriver } from '../../../test-support/sandbox-customer.ts';
import { BankUnavailable } from '../bank.ts';
import { agreed, paymentOf } from '../bank-journey.ts';
import { openBankingBank } from './connector.ts';
import { serviceSigner } from './signing-service.ts';

/** A signer of its own process, written only against docs/guides/banks.md: it alone can read the key. */
const SIGNER = `
const { createServer } = require('node:http');
const { constants, createPrivateKey, sign } = require('node:crypto');
const { readFileSync } = require('node:fs');
const jwk = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { kty, n, e, d, p, q, dp, dq, qi } = jwk;
const key = createPrivateKey({ key: { kty, n, e, d, p, q, dp, dq, qi }, format: 'jwk' });
createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { kid, alg, input } = JSON.parse(text);
  if (request.headers.authorization !== 'Bearer secret') return response.writeHead(401).end();
  if (kid !== jwk.kid || alg !== 'PS256') return response.writeHead(404).end();
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const signature = sign('sha256', Buffer.from(input, 'base64url'), { key, ...padding });
  response.end(JSON.stringify({ signature: signature.toString('base64url') }));
}).listen(process.argv[3], () => console.log('ready'));
`;

async function startSigner(t: TestContext, keyFile: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signer-'));
  const program = join(folder, 'signer.cjs');
  await writeFile(program, SIGNER);
  const socket = join(folder, 'signer.sock');
  const child: ChildProcess = spawn(process.execPath, [program, keyFile, socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(async () => {
    child.kill();
    await rm(folder, { recursive: true });
  });
  if (child.stdout) await once(createInterface(child.stdout), 'line');
  return `unix:${socket}`;
}

test('A bank is paid through a signer in another process, and our process has no key', async (t) => {
  const sandbox: SandboxBank = await startSandboxBank();
  t.after(() => sandbox.close());
  const url = await startSigner(t, sandbox.files.signing);
  const { kid } = JSON.parse(await readFile(sandbox.files.signing, 'utf8'));
  const config = {
    ...sandbox.config('northbank'),
    signingJwk: {},
    signingService: { url, kid, token: 'secret' },
  };
  const bank = await openBankingBank(config);
  t.after(() => bank.close());
  const allowed = await agreed(bank, sandboxDriver(sandbox, 'northbank'), 'ordinary');
  const report = await bank.submitPayment(allowed.grant, paymentOf(allowed, 100));
  assert.ok(report.bankPaymentId);
});

test('Without a signature nothing is sent, and the call counts as not sent', async (t) => {
  const sandbox = await startSandboxBank();
  t.after(() => sandbox.close());
  const url = await startSigner(t, sandbox.files.signing);
  const { kid } = JSON.parse(await readFile(sandbox.files.signing, 'utf8'));
  const bytes = Buffer.from('something');
  const notSent = (error: unknown): boolean => error instanceof BankUnavailable && error.notSent;
  for (const service of [
    { url, kid, token: 'wrong' },
    { url, kid: 'another', token: 'secret' },
    { url: 'unix:/nowhere/signer.sock', kid },
    { url: 'http://127.0.0.1:1/sign', kid },
  ])
    await assert.rejects(
      serviceSigner('fernbank', service).sign(service.kid, 'PS256', bytes),
      notSent,
    );
});
