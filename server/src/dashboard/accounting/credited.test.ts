import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  asked,
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  refund,
  settlementsOf,
} from '../../../test-support/books.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { endUnallocated } from '../../payments/operator/decide.ts';
import { confirmDoubtedAccount } from '../../settlements/account-trust.ts';
import type { Journal } from './view.ts';

// Money that an operator credits: parts of a settlement and of a refund that came back, and a stranger's.

let d: TestDashboard;
let journal: Journal;

const ACCOUNTS = ['bank', 'payments', 'refunds', 'fees', 'recalls']
  .map((use) => `account_${use}=${use}`)
  .join('&');
/** By the issuer's key: what a refund paid out never reaches the merchant's bank. */
let refundId: string;

async function decide(end: 'credited' | 'paid_on', amountPence: number): Promise<void> {
  const { h } = d;
  const item = await h.db.read((tx) =>
    tx.row<{ itemId: string }>(
      `SELECT item_id FROM unallocated_items WHERE status = 'open' AND amount_pence = $1`,
      [amountPence],
    ),
  );
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, item?.itemId ?? '', {
    end,
    paymentId: null,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'it is the merchant’s',
  });
}

before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z');
  const { h } = d;
  const once = (pence: number): Promise<string> =>
    dueInAnHour(h, { amount: { value: pence, currency: 'GBP' }, frequency: 'yearly' });
  await once(6_000);
  await h.runUntil('2026-01-06T12:00:00Z');
  const refunded = await onlyPaymentOf(h, await once(5_000));
  refundId = (await refund(h, refunded.id, { amount: { value: 1_000, currency: 'GBP' } })).id;
  await h.runUntil('2026-01-07T12:00:00Z');
  const [first] = await settlementsOf(h);
  h.issuer.comeBack(`${first?.id}-1`, 5_900);
  h.issuer.comeBack(refundId, 900);
  const own = h.issuer.orders.get(`${first?.id}-1`)?.fromIssuerWalletId ?? '';
  const { account } = await h.issuer.readWallet(own);
  h.issuer.payIn({
    creditor: account.accountNumber,
    amountPence: 1_234,
    endToEndId: 'NOTPROVIDED',
  });
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await decide('credited', 900);
  await decide('credited', 1_234);
  // Paid on by hand, the rest of the settlement comes back a second time: it is still a settlement's.
  const byHand = h.issuer.payOutByHand(own, 5_900);
  await decide('paid_on', 5_900);
  h.issuer.comeBack(byHand);
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await decide('credited', 5_900);
  await h.db.transaction((tx) => confirmDoubtedAccount(asked(h, tx), 'the merchant says so'));
  await h.runUntil('2026-01-12T12:00:00Z');
  await assertLaws(h);
  journal = await d.get<Journal>(
    `/api/reports/journal?layout=quickbooks&${ACCOUNTS}&from=2026-01-01&to=2026-01-12`,
  );
});
after(() => d.close());

test('what was credited is booked by what came back: a settlement, a refund, or other money', () => {
  const credited = journal.lines
    .filter(({ text }) => /came back|given back|credited/.test(text))
    .map(({ account, text, debit, credit }) => [account, text, credit - debit]);
  assert.deepEqual(credited, [
    ['refunds', 'Failed refunds given back', 900],
    ['bank', 'Earlier pay-out that came back', 5_900],
    ['payments', 'Other money credited', 1_234],
  ]);
});

test('the bank account of all journals is what the issuer paid out to it, less what came back', () => {
  const { issuer } = d.h;
  const refunded = issuer.orders.get(refundId)?.movementId;
  const moved = [...issuer.wallets.values()]
    .flatMap(({ movements }) => movements)
    .filter((one) => one.movementId !== refunded && one.originalMovementId !== refunded);
  const sumOf = (kind: string): number =>
    moved.reduce((sum, one) => (one.kind === kind ? sum + one.amountPence : sum), 0);
  const bank = journal.sums.find(({ account }) => account === 'bank');
  assert.ok(bank);
  assert.equal(bank.debit - bank.credit, sumOf('payout') - sumOf('payout_return'));
});
