import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { knownOf } from '../../test-support/bank/alone.ts';
import { agentOf, connect, granted, pay, statusOf, type Tpp } from '../../test-support/bank/tpp.ts';
import { freePorts } from '../../test-support/ports.ts';
import { aloneScreen } from './screen.ts';
import { type AloneSettings, readAloneSettings } from './settings.ts';
import { startAlone } from './start.ts';

let settings: AloneSettings;
let running: Awaited<ReturnType<typeof startAlone>>;

before(async () => {
  const [bank_port = 0, pages_port = 0, issuer_port = 0] = await freePorts(3);
  settings = readAloneSettings({
    data_dir: mkdtempSync(join(tmpdir(), 'sandbox-alone-')),
    ...{ bank_port, pages_port, issuer_port },
    redirect_uris: ['http://localhost:4000/portal/callback'],
  });
  running = await startAlone(settings);
});
after(async () => {
  await running.close();
  rmSync(settings.data_dir, { recursive: true });
});

const connected = async (work: (tpp: Tpp) => Promise<void>): Promise<void> => {
  const tpp = await connect(knownOf(running.account));
  await work(tpp).finally(() => tpp.close());
};

test('with what it is told at the start, any initiator gets a token and a consent, and the issuer decides on its payment', () =>
  connected(async (tpp) => {
    assert.ok(await tpp.clientToken());
    const grant = await granted(tpp, 'alex');
    const { body, status } = await pay(tpp, grant, 'FIRST');
    assert.equal(status, 201);
    // The account of the test's bodies is no wallet of this issuer, which the bank learns from it.
    const decided = () => statusOf(tpp, body.Data.DomesticVRPId);
    let now = await decided();
    for (let looks = 0; now[0] === 'RCVD' && looks < 100; looks += 1) {
      await sleep(100);
      now = await decided();
    }
    assert.deepEqual(now, ['RJCT', 'AC01']);
  }));

test('it is known by the same keys after a restart, and its software statement is at the address that is shown', async () => {
  const { initiator } = running.account;
  await running.close();
  running = await startAlone(settings);
  assert.deepEqual(running.account.initiator, initiator);
  const { client } = initiator.tls;
  const dispatcher = agentOf(knownOf(running.account), client.cert, client.key);
  const { statusCode, body } = await request(running.account.statement, { dispatcher });
  assert.equal(statusCode, 200);
  assert.match(await body.text(), /^ey/);
  await dispatcher.close();
});

test('what is shown names every address and bank, and no secret', () => {
  const { initiator, banks, back_channel, pages, issuer } = running.account;
  const screen = aloneScreen(running.account);
  for (const shown of [back_channel, pages, issuer, initiator.client_id, initiator.tls.ca])
    assert.ok(screen.includes(shown), shown);
  for (const { bank_id } of banks) assert.ok(screen.includes(bank_id), bank_id);
  const { secret, notification_secret } = initiator.issuer;
  for (const hidden of [secret, notification_secret, initiator.control_secret])
    assert.ok(!screen.includes(hidden));
});
