import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Bench, START, startBench } from '../../../test-support/bank/bench.ts';
import { consentBody, fundsBody } from '../../../test-support/bank/bodies.ts';
import {
  Browser,
  connect,
  granted,
  pay,
  statusOf,
  type Tpp,
} from '../../../test-support/bank/tpp.ts';
import { behaviourAt } from './behaviours.ts';
import { BRANDS } from './brands.ts';

let bench: Bench;
let tpp: Tpp;

before(async () => {
  bench = await startBench();
  tpp = await connect(bench);
});

after(async () => {
  await tpp.close();
  await bench.stop();
});

/** Terms wide enough never to restrict these tests. */
const WIDE = {
  PeriodicLimits: [
    { PeriodType: 'Day', PeriodAlignment: 'Calendar', Amount: '500', Currency: 'GBP' },
  ],
};

async function balanceOf(accountNumber: string, bank = 'northbank'): Promise<number | undefined> {
  const { body } = await bench.control('GET', '/sandbox/accounts');
  const isIt = (one: { bank: string; account_number: string }) =>
    one.bank === bank && one.account_number === accountNumber;
  return body.accounts?.find(isIt)?.balance_pence;
}

async function consentStatus(consentId: string): Promise<string> {
  const { body } = await tpp.call('GET', `/domestic-vrp-consents/${consentId}`);
  return body.Data.Status;
}

test('A slow bank takes two hours over ordinary payments and leaves named troubles as they are', () => {
  const [northbank, millrace] = BRANDS;
  assert.ok(northbank && millrace);
  const { opening, steps } = behaviourAt(millrace, 'normal');
  const path = steps.map(({ afterMinutes, status }) => `${status} after ${afterMinutes}`);
  assert.deepEqual(
    [opening, ...path],
    ['PDNG', 'ACSP after 30', 'ACSC after 90', 'ACCC after 120'],
  );
  assert.deepEqual(behaviourAt(millrace, 'slow'), behaviourAt(northbank, 'slow'));
});

test('Sam has too little money until payday', async () => {
  const grant = await granted(tpp, 'sam', WIDE);
  const path = `/domestic-vrp-consents/${grant.consentId}/funds-confirmation`;
  const body = fundsBody(grant.consentId, '20.00');
  const funds = await tpp.call('POST', path, { body, token: grant.token });
  assert.equal(funds.body.Data.FundsAvailableResult.FundsAvailable, 'NotAvailable');
  const early = await pay(tpp, grant, 'sam-1', '20.00');
  assert.equal(early.status, 201);
  assert.equal(early.body.Data.StatusReason?.[0]?.StatusReasonCode, 'AM04');
  await bench.clock('2026-12-02T05:59:00Z');
  assert.equal(await balanceOf('10000021'), 1000);
  await bench.clock('2026-12-02T06:00:00Z');
  assert.equal(await balanceOf('10000021'), 121_000);
  const later = await pay(tpp, grant, 'sam-2', '20.00');
  await bench.clock('2026-12-02T06:00:00Z');
  assert.deepEqual(await statusOf(tpp, later.body.Data.DomesticVRPId), ['ACCC']);
  assert.equal(await balanceOf('10000021'), 119_000);
});

test('Dora’s bank refuses the consent for good', async () => {
  const created = await tpp.call('POST', '/domestic-vrp-consents', {
    body: consentBody(),
    key: 'dora',
  });
  const consentId: string = created.body.Data.ConsentId;
  const { location } = await tpp.authorise(consentId, { persona: 'dora' });
  assert.match(location.hash, /error=access_denied/);
  assert.equal(await consentStatus(consentId), 'RJCT');
});

test('Rex withdraws at the bank when the first payment has arrived, and a notice says so', async () => {
  const grant = await granted(tpp, 'rex', WIDE);
  bench.events.length = 0;
  await pay(tpp, grant, 'rex-1');
  await bench.clock('2026-12-02T07:00:00Z');
  assert.equal(await consentStatus(grant.consentId), 'CANC');
  const urns = bench.events.map((event) => Object.keys(event.events as object)[0]);
  const urn = 'urn:uk:org:openbanking:events';
  assert.deepEqual(urns.sort(), [`${urn}:consent-authorization-revoked`, `${urn}:resource-update`]);
  assert.equal((await pay(tpp, grant, 'rex-2')).body.Errors?.[0]?.ErrorCode, 'U009');
});

test('Rita’s bank wants her again after the first payment: until then it takes no order (U028)', async () => {
  const grant = await granted(tpp, 'rita', WIDE);
  await pay(tpp, grant, 'rita-1');
  await bench.clock('2026-12-02T08:00:00Z');
  assert.equal(await consentStatus(grant.consentId), 'CANC');
  const { body } = await tpp.call('GET', `/domestic-vrp-consents/${grant.consentId}`);
  assert.equal(body.Data.StatusReason?.[0]?.StatusReasonCode, 'TKSP');
  const { status, body: refusal } = await pay(tpp, grant, 'rita-2');
  assert.deepEqual([status, refusal.Errors?.[0]?.ErrorCode], [403, 'U028']);
});

test('Cleo’s account is closed; Tina’s first payment fails technically and the next works', async () => {
  const cleo = await pay(tpp, await granted(tpp, 'cleo', WIDE), 'cleo-1');
  assert.equal(cleo.body.Data.Status, 'RJCT');
  assert.equal(cleo.body.Data.StatusReason?.[0]?.StatusReasonCode, 'AC04');
  const grant = await granted(tpp, 'tina', WIDE);
  const first = await pay(tpp, grant, 'tina-1');
  assert.equal(first.body.Data.StatusReason?.[0]?.StatusReasonCode, 'ED05');
  assert.notEqual((await pay(tpp, grant, 'tina-2')).body.Data.Status, 'RJCT');
});

test('Sid, Otto and Vera take their time', async () => {
  await bench.clock('2026-12-03T09:00:00Z');
  const ids: Record<string, string> = {};
  for (const [name, opening] of [
    ['sid', 'PDNG'],
    ['otto', 'ACSC'],
    ['vera', 'PDNG'],
  ] as const) {
    const answer = await pay(tpp, await granted(tpp, name, WIDE), `${name}-1`);
    assert.equal(answer.body.Data.Status, opening);
    ids[name] = answer.body.Data.DomesticVRPId;
  }
  assert.equal(await bench.clock('2026-12-03T09:59:59Z'), '2026-12-03T10:00:00.000Z');
  await bench.clock('2026-12-03T10:00:00Z');
  assert.deepEqual(await statusOf(tpp, ids.vera ?? ''), ['RJCT', 'FR01']);
  assert.deepEqual(await statusOf(tpp, ids.sid ?? ''), ['PDNG']);
  await bench.clock('2026-12-03T13:00:00Z');
  assert.deepEqual(await statusOf(tpp, ids.sid ?? ''), ['ACCC']);
  await bench.clock('2026-12-04T08:59:59Z');
  assert.deepEqual(await statusOf(tpp, ids.otto ?? ''), ['ACSC']);
  await bench.clock('2026-12-05T00:00:00Z');
  assert.deepEqual(await statusOf(tpp, ids.otto ?? ''), ['ACCC']);
  const { body } = await tpp.call('GET', `/domestic-vrps/${ids.otto}`);
  assert.equal(body.Data.StatusUpdateDateTime, '2026-12-04T09:00:00.000Z', 'at its own time');
  assert.equal(await balanceOf('10000111'), 250_000, 'Vera was never debited');
});

test('Una’s bank drops the connection for six hours and takes nothing', async () => {
  const grant = await granted(tpp, 'una', WIDE);
  await assert.rejects(pay(tpp, grant, 'una-1'));
  assert.equal(await balanceOf('10000081'), 250_000);
  await bench.clock('2026-12-05T05:59:59Z');
  await assert.rejects(pay(tpp, grant, 'una-1'));
  await bench.clock('2026-12-05T06:00:00Z');
  assert.equal((await pay(tpp, grant, 'una-1')).status, 201);
});

test('Uma’s bank takes the money without an answer; the same key tells', async () => {
  const grant = await granted(tpp, 'uma', WIDE);
  await assert.rejects(pay(tpp, grant, 'uma-1'));
  assert.equal(await balanceOf('10000091'), 249_500);
  const again = await pay(tpp, grant, 'uma-1');
  assert.equal(again.status, 201);
  assert.equal(await balanceOf('10000091'), 249_500);
});

test('While the creditor’s institution is out, the money waits; when it refuses, it comes back', async () => {
  await bench.clock('2026-12-06T09:00:00Z');
  const grant = await granted(tpp, 'alex', WIDE);
  bench.creditor.answer = { status: 503, body: {} };
  const waiting = await pay(tpp, grant, 'waits');
  const id: string = waiting.body.Data.DomesticVRPId;
  await bench.clock('2026-12-06T09:00:00Z');
  assert.deepEqual(await statusOf(tpp, id), ['ACSP']);
  bench.creditor.answer = { status: 200, body: { accepted: true } };
  await bench.clock('2026-12-06T09:01:00Z');
  assert.deepEqual(await statusOf(tpp, id), ['ACCC']);
  const before = await balanceOf('10000011');
  bench.creditor.answer = { status: 404, body: { error: { code: 'unknown_account' } } };
  const refused = await pay(tpp, grant, 'refused');
  await bench.clock('2026-12-06T09:01:00Z');
  assert.deepEqual(await statusOf(tpp, refused.body.Data.DomesticVRPId), ['RJCT', 'AC01']);
  assert.equal(await balanceOf('10000011'), before);
  bench.creditor.answer = { status: 200, body: { accepted: true } };
});

test('A notice that is not taken comes again, later and later', async () => {
  await bench.clock('2026-12-07T09:00:00Z');
  bench.notificationStatus.value = 500;
  bench.events.length = 0;
  const grant = await granted(tpp, 'alex', WIDE);
  assert.equal(await bench.clock('2026-12-07T09:00:00Z'), '2026-12-07T09:01:00.000Z');
  assert.equal(await bench.clock('2026-12-07T09:01:00Z'), '2026-12-07T09:03:00.000Z');
  bench.notificationStatus.value = 202;
  await bench.clock('2026-12-07T09:03:00Z');
  const [event] = bench.events;
  assert.equal(bench.events.length, 1);
  assert.equal(event?.aud, 'tpp-client');
  assert.equal(event?.toe, Date.parse('2026-12-07T09:00:00Z') / 1000);
  assert.match(String(event?.sub), new RegExp(`domestic-vrp-consents/${grant.consentId}$`));
});

test('A customer withdraws in the bank’s app', async () => {
  const grant = await granted(tpp, 'alex', WIDE);
  const browser = new Browser();
  const app = `${bench.config.public_pages_url}/northbank/app`;
  const home = await browser.submit(`${app}/login`, { persona: 'alex', pin: '1234' });
  assert.match(home.html, /Permissions to collect/);
  const page = await browser.submit(`${app}/consents/${grant.consentId}/withdraw`, {});
  assert.match(page.html, /Withdrawn/);
  assert.equal(await consentStatus(grant.consentId), 'CANC');
});

test('Harbour serves the third call of each resource', async () => {
  const harbour = await connect(bench, 'harbour');
  const post = () =>
    harbour.call('POST', '/domestic-vrp-consents', { body: consentBody(), key: 'harbour' });
  const statuses = [await post(), await post(), await post()].map((answer) => answer.status);
  assert.deepEqual(statuses, [503, 503, 201]);
  await harbour.close();
});

test('The control endpoints need their secret, set balances and start afresh', async () => {
  const url = `${bench.config.public_pages_url}/sandbox/accounts`;
  assert.equal((await fetch(url)).status, 401);
  const set = await bench.control('PUT', '/sandbox/accounts/northbank/10000031', { balance: 777 });
  assert.equal(set.body.balance_pence, 777);
  const bad = await bench.control('PUT', '/sandbox/accounts/northbank/10000031', { balance: -1 });
  assert.equal(bad.status, 400);
  await bench.control('POST', '/sandbox/reset', { now: START, running: false });
  assert.equal(await balanceOf('10000031'), 0);
  assert.deepEqual((await bench.control('GET', '/sandbox/payments')).body.payments, []);
});
