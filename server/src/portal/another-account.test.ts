import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PortalBench, portalBench, tokenOf } from '../../test-support/portal-fixture.ts';
import { type PortalVisitor, portalVisitor, textOf } from '../../test-support/portal-visitor.ts';
import { requestAnotherAccount } from '../schedules/change/another-account.ts';

// A customer pays from another account: docs/rules/consents.md#another-account.
let bench: PortalBench;
let customer: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
});
after(() => bench.close());

/** Presses "Pay from another account" on the page of a link; returns the secret of the link that it leads to. */
async function pressed(token: string, scheduleId = ''): Promise<string> {
  const answer = await customer.post(`${token}/another`, { schedule_id: scheduleId });
  assert.equal(answer.statusCode, 303);
  return answer.headers.location?.split('/').at(-1) ?? '';
}

test('a customer moves to another bank in three steps: another account, the bank, approve', async () => {
  const w = await customer.granted();
  assert.match(textOf(await customer.get(w.token)), /Pay from another account/);
  const link = await pressed(w.token); // 1
  const text = textOf(await customer.get(link));
  assert.match(text, /Choose the account to pay from\. .* Until then, nothing changes\./);
  assert.match(text, /First payment from there Tuesday 31 March 2026 .* Keep my current account/);
  assert.doesNotMatch(text, /new terms/);
  const state = await customer.depart(link, 'birch'); // 2
  assert.match(textOf(await customer.get(w.token)), /From Your account at Alder Bank/);
  await customer.arrive(state); // 3
  assert.match(textOf(await customer.get(link)), /From Your account at Birch/);
  assert.equal(await customer.statusOf(w), 'active');
  const old = await customer.get(w.token);
  assert.match(textOf(old), /You have given a newer permission.*See my payments/);
  assert.ok(old.body.includes(`/consent/${link}"`), 'its holder was the customer');
});

test('two presses lead to the same link, and a customer who declines keeps the account', async () => {
  const w = await customer.granted();
  const links = await Promise.all([pressed(w.token), pressed(w.token)]);
  assert.equal(links[0], links[1]);
  const [link = ''] = links;
  assert.match(
    textOf(await customer.get(`${link}/decline`)),
    /Keep your current account\?.*will continue from the account/,
  );
  await customer.post(`${link}/decline`);
  assert.match(textOf(await customer.get(w.token)), /From Your account at Alder Bank/);
  assert.notEqual(await pressed(w.token), link, 'and can ask for another one later');
});

test('new terms that wait are agreed to with the other account', async () => {
  const w = await customer.granted();
  const amount = { value: 3999, currency: 'GBP' as const };
  const dearer = await bench.update(w.merchantId, w.scheduleId, { amount });
  assert.equal(await pressed(w.token), tokenOf(dearer));
  assert.match(
    textOf(await customer.get(tokenOf(dearer))),
    /agree to new terms.*permission for your present account is removed/,
  );
});

test('only the customer of a granted consent gets there, and only for what is under it', async () => {
  const w = await customer.waiting();
  assert.equal(await pressed(w.token), w.token, 'nothing is granted');
  const granted = await customer.granted();
  assert.equal(await pressed(granted.token, w.scheduleId), granted.token, 'another one’s schedule');
  await bench.update(granted.merchantId, granted.scheduleId, { status: 'cancelled' });
  assert.equal(await pressed(granted.token), granted.token);
});

test('of two schedules under one consent each can move alone', async () => {
  const amount = (value: number) => ({ amount: { value, currency: 'GBP' as const } });
  const w = await customer.granted(amount(5000), { reuseConsent: true });
  await bench.update(w.merchantId, w.scheduleId, amount(1000));
  const other = { ...amount(3000), description: 'Television' };
  const { view } = await bench.schedule(w.merchantId, other);
  assert.equal(view.status, 'active');
  assert.match(textOf(await customer.get(w.token)), /Pay for “Television” from another account/);
  const link = await pressed(w.token, view.id);
  await customer.arrive(await customer.depart(link, 'birch'));
  assert.match(textOf(await customer.get(link)), /Television.*at Birch/);
  const text = textOf(await customer.get(w.token));
  assert.match(text, /at Alder Bank/);
  assert.doesNotMatch(text, /Television/);
});

test('a link that a newer one replaced says so, and does not lead there', async () => {
  const w = await customer.waiting();
  const wanted = { merchantId: w.merchantId, now: bench.platform.clock.at };
  const view = await bench.platform.db.transaction((tx) =>
    requestAnotherAccount(bench.schedules, { ...wanted, tx }, w.scheduleId),
  );
  const page = await customer.get(w.token);
  assert.equal(page.statusCode, 410);
  assert.match(textOf(page), /This link has been replaced Use the latest link/);
  assert.ok(!page.body.includes(tokenOf(view)));
});

test('a first payment is named once: nothing on the way to another account speaks of it', async () => {
  const w = await customer.waiting({
    first_payment: { amount: { value: 2900, currency: 'GBP' as const } },
  });
  assert.match(textOf(await customer.get(w.token)), /£29\.00 today, then/);
  await customer.arrive(await customer.depart(w.token));
  assert.match(textOf(await customer.get(`${w.token}/done`)), /£29\.00 is collected now, once/);
  const link = await pressed(w.token);
  assert.doesNotMatch(textOf(await customer.get(link)), /29\.00|today, then/);
  await customer.arrive(await customer.depart(link, 'birch'));
  const moved = textOf(await customer.get(`${link}/done`));
  assert.match(moved, /all set/);
  assert.doesNotMatch(moved, /29\.00|collected now/);
});
