import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NO_SENDER } from '../../test-support/no-sender.ts';
import { type PortalBench, portalBench, tokenOf } from '../../test-support/portal-fixture.ts';
import { type PortalVisitor, portalVisitor, textOf } from '../../test-support/portal-visitor.ts';
import { openPayments } from '../payments/stages/open.ts';

let bench: PortalBench;
let customer: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
});
after(() => bench.close());

test('a granted consent shows what comes, what was paid, and what is left of its limit', async () => {
  const { clock, db } = bench.platform;
  const start = clock.at;
  const w = await customer.granted();
  clock.at = Temporal.Instant.from('2026-03-31T08:00:00Z');
  await db.transaction((tx) =>
    openPayments({ platform: bench.platform, tx, now: clock.at }, 100, { sender: NO_SENDER }),
  );
  const text = textOf(await customer.get(w.token));
  clock.at = start;
  for (const shown of [
    'Fernhill Broadband collects payments with your permission',
    'From Your account at Alder Bank',
    'Agreed on 2 March 2026',
    'Upcoming payments Tuesday 31 March 2026 £34.99 Thursday 30 April 2026',
    'Past payments Tuesday 31 March 2026 £34.99 Due',
    'Next payment £34.99 on Tuesday 31 March 2026',
    'Up to £34.99 more can be collected until the end of 29 April 2026',
    '£0.00 of £34.99 used, 31 March 2026 to 29 April 2026 £34.99 planned',
    'Withdraw permission',
  ])
    assert.ok(text.includes(shown), `${shown}\n${text}`);
});

test('a payment that waits for a retry is planned, not used, and the page says so in every sentence', async () => {
  const { clock, db } = bench.platform;
  const start = clock.at;
  const w = await customer.granted();
  clock.at = Temporal.Instant.from('2026-03-31T08:00:00Z');
  await db.transaction((tx) =>
    openPayments({ platform: bench.platform, tx, now: clock.at }, 100, { sender: NO_SENDER }),
  );
  await db.transaction((tx) =>
    tx.run(
      `UPDATE payments SET next_retry_at = '2026-04-01T08:00:00Z', error_code = 'insufficient_funds', error_message = ''
       WHERE schedule_id = $1`,
      [w.scheduleId],
    ),
  );
  const text = textOf(await customer.get(w.token));
  clock.at = start;
  for (const shown of [
    'Next payment £34.99 on Wednesday 1 April 2026',
    'Wednesday 1 April 2026 Another attempt at the payment of 31 March 2026 £34.99',
    'Next attempt: Wednesday 1 April 2026.',
    'Up to £34.99 more can be collected until the end of 29 April 2026',
    '£0.00 of £34.99 used, 31 March 2026 to 29 April 2026 £34.99 planned',
  ])
    assert.ok(text.includes(shown), `${shown}\n${text}`);
});

test('a withdrawal is asked for on a page, then revokes the consent and cancels the schedule', async () => {
  const w = await customer.granted();
  assert.match(
    textOf(await customer.get(`${w.token}/withdraw`)),
    /Withdraw your permission\?.*may still go through/,
  );
  assert.equal(await customer.statusOf(w), 'active');
  const answer = await customer.post(`${w.token}/withdraw`);
  assert.equal(answer.headers.location, `/consent/${w.token}/done`);
  assert.equal(await customer.statusOf(w), 'cancelled');
  const page = await customer.get(w.token);
  assert.equal(page.statusCode, 200);
  assert.match(textOf(page), /Your permission has ended/);
  const { db } = bench.platform;
  const revocation = await db.read((tx) =>
    tx.row<{ bankId: string }>('SELECT bank_id FROM bank_revocations WHERE merchant_id = $1', [
      w.merchantId,
    ]),
  );
  assert.equal(revocation?.bankId, 'alder');
});

test('nothing can be withdrawn before it is granted, nor declined after', async () => {
  const w = await customer.waiting();
  assert.equal(
    (await customer.post(`${w.token}/withdraw`)).headers.location,
    `/consent/${w.token}`,
  );
  await customer.arrive(await customer.depart(w.token));
  assert.equal((await customer.post(`${w.token}/decline`)).headers.location, `/consent/${w.token}`);
  assert.equal(await customer.statusOf(w), 'active');
});

test('new terms stand beside the old ones; a no keeps the old, a yes replaces them', async () => {
  const w = await customer.granted();
  const dearer = await bench.update(w.merchantId, w.scheduleId, {
    amount: { value: 3999, currency: 'GBP' },
  });
  const asked = textOf(await customer.get(tokenOf(dearer)));
  assert.match(
    asked,
    /is asking you to agree to new terms .* Amount £39\.99 Now: £34\.99 How often every month .* No change/,
  );
  assert.match(
    textOf(await customer.get(w.token)),
    /is asking you to agree to new terms.*See the new terms/,
  );
  await customer.post(`${tokenOf(dearer)}/decline`);
  assert.match(
    textOf(await customer.get(tokenOf(dearer))),
    /You declined.*will continue on the terms you have already agreed/,
  );
  assert.match(textOf(await customer.get(w.token)), /£34\.99 every month/);
  const again = await bench.update(w.merchantId, w.scheduleId, {
    amount: { value: 3999, currency: 'GBP' },
  });
  await customer.arrive(await customer.depart(tokenOf(again)));
  assert.match(textOf(await customer.get(tokenOf(again))), /£39\.99 every month/);
  assert.match(textOf(await customer.get(w.token)), /You have given a newer permission/);
});

test('a paused schedule says so, and plans no payments', async () => {
  const w = await customer.granted();
  await bench.update(w.merchantId, w.scheduleId, { status: 'paused' });
  assert.match(
    textOf(await customer.get(w.token)),
    /Paused by the business:.*No upcoming payments/,
  );
  const until = { status: 'paused' as const, resume_at: '2026-05-01T09:00:00Z' };
  await bench.update(w.merchantId, w.scheduleId, until);
  const text = textOf(await customer.get(w.token));
  assert.match(
    text,
    /Paused by the business until 1 May 2026: .*Next payment £34\.99 on Sunday 31 May 2026/,
  );
});

test('a consent that covers two schedules shows both, and withdrawing it stops both', async () => {
  const first = await customer.granted(
    { amount: { value: 5000, currency: 'GBP' } },
    { reuseConsent: true },
  );
  await bench.update(first.merchantId, first.scheduleId, {
    amount: { value: 1000, currency: 'GBP' },
  });
  const { view } = await bench.schedule(first.merchantId, {
    amount: { value: 3000, currency: 'GBP' },
    description: 'Television',
  });
  assert.equal(view.status, 'active');
  const text = textOf(await customer.get(first.token));
  assert.match(text, /Tuesday 31 March 2026 Television/);
  assert.match(text, /Tuesday 31 March 2026 Full fibre 300/);
  assert.match(text, /Up to £50\.00 per payment/);
  const asked = textOf(await customer.get(`${first.token}/withdraw`));
  for (const covered of ['“Television”', '“Full fibre 300 and line rental”'])
    assert.ok(asked.includes(covered), asked);
  await customer.post(`${first.token}/withdraw`);
  assert.equal(await customer.statusOf(first), 'cancelled');
  assert.equal(await customer.statusOf({ ...first, scheduleId: view.id }), 'cancelled');
});
