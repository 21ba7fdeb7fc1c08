import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { it } from 'node:test';
import {
  listen,
  SANDBOX_ISSUER_SECRETS,
  startSandboxIssuer,
} from '../../test-support/sandbox-issuer.ts';
import { realNow } from '../platform/time/clock.ts';
import { IssuerUnavailable } from './issuer.ts';
import { issuerContract } from './issuer-contract.ts';
import { HttpIssuer } from './issuer-http.ts';

const SECRETS = SANDBOX_ISSUER_SECRETS;

issuerContract('the HTTP connector', startSandboxIssuer);

it('takes what cannot be understood, refused credentials and silence for an unknown outcome', async () => {
  const answers = [
    { status: 500, body: '{"error":{"code":"internal_error","message":""}}' },
    { status: 401, body: '{"error":{"code":"unknown_key","message":""}}' },
    { status: 429, body: '{"error":{"code":"slow_down","message":""}}' },
    { status: 200, body: '<html>a proxy</html>' },
    { status: 200, body: '{"wallet_id":"w"}' },
    { status: 404, body: '<html>a proxy</html>' },
  ];
  const server = createServer((_, answer) => {
    const next = answers.shift();
    if (next) answer.writeHead(next.status).end(next.body);
    else answer.destroy();
  });
  const issuer = new HttpIssuer({
    ...SECRETS,
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
  });
  for (let n = 0; n < 6; n += 1) await assert.rejects(issuer.readWallet('w'), IssuerUnavailable);
  await assert.rejects(issuer.openWallet('w', 'k'), IssuerUnavailable);
  await issuer.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('leaves out of a batch what it cannot read, and reads the rest', async () => {
  const at = '2026-11-21T10:00:00Z';
  const made = (key: string) => ({
    movement_id: `m-${key}`,
    kind: 'transfer',
    idempotency_key: key,
    from: 'a',
    to: 'b',
    amount: { value: 5, currency: 'GBP' },
    reference: '',
    status: 'settled',
    error: null,
    created_at: at,
    completed_at: at,
  });
  const movements = [
    made('good'),
    { ...made('new-status'), status: 'held' },
    { ...made('no-such-day'), created_at: '2026-02-31T10:00:00Z' },
    { ...made('no-pence'), amount: { value: 0.5, currency: 'GBP' } },
    made('good-too'),
  ];
  const results = movements.map((movement) => ({
    idempotency_key: movement.idempotency_key,
    movement,
    error: null,
  }));
  const server = createServer((_, answer) => {
    answer.writeHead(200).end(JSON.stringify({ results: [...results, 'no result at all', null] }));
  });
  const issuer = new HttpIssuer({
    ...SECRETS,
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
  });
  const orders = movements.map(({ idempotency_key: idempotencyKey }) => ({
    idempotencyKey,
    fromIssuerWalletId: 'a',
    toIssuerWalletId: 'b',
    amountPence: 5,
    reference: '',
  }));
  const found = await issuer.transfer(orders);
  assert.deepEqual([...found.keys()], ['good', 'good-too']);
  await issuer.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('accepts the old secret of notifications beside the new one while it is replaced', async () => {
  const body = Buffer.from(JSON.stringify({ type: 'unknown' }));
  const parse = async (signedWith: string, previous: string | null): Promise<string> => {
    const issuer = new HttpIssuer({
      ...SECRETS,
      baseUrl: 'http://127.0.0.1:1',
      previousNotificationSecret: previous,
    });
    const timestamp = String(Math.trunc(realNow().epochMilliseconds / 1000));
    const signature = createHmac('sha256', signedWith).update(`${timestamp}.`).update(body);
    const headers = { 'x-timestamp': timestamp, 'x-signature': signature.digest('hex') };
    try {
      await issuer.parseNotification(headers, body);
      return 'accepted';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    } finally {
      await issuer.close();
    }
  };
  const known = 'the notification cannot be read'; // genuine, and not one of ours
  const refused = 'the signature does not match';
  assert.equal(await parse('b', null), known);
  assert.equal(await parse('old', null), refused);
  assert.equal(await parse('b', 'old'), known);
  assert.equal(await parse('old', 'old'), known);
  assert.equal(await parse('other', 'old'), refused);
});
