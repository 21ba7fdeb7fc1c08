import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import { reconcile } from '../../server/src/laws/reconciliation/reconciliation.ts';
import { listItems } from '../../server/src/laws/reconciliation/reconciliation-store.ts';
import type { Movement } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  paymentsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

// Notices of recalled or returned money may be lost: the statement shows it, and it is still processed.

let h: Harness;
let customers = 0;

afterEach(async () => {
  const { broken, unknown } = await compareWithIssuer(h.platform, h.issuer);
  assert.deepEqual([broken, unknown], [[], undefined]);
  await assertLaws(h);
  await h.close();
});

async function collect(at: string, pence: number): Promise<string> {
  customers += 1;
  const { id, consent_url } = await h.create({
    start_date: at,
    frequency: 'yearly',
    amount: { value: pence, currency: 'GBP' },
    customer: { phone: `+4477007${String(10_000 + customers)}` },
  });
  assert.equal(await h.decide(consent_url), 'granted');
  return id;
}

const payIns = (): Movement[] =>
  [...h.issuer.wallets.values()].flatMap((w) => w.movements).filter((m) => m.kind === 'payin');

const openItems = async (date: string): Promise<string[]> => {
  const { open } = await reconcile(h.platform, h.issuer, Temporal.PlainDate.from(date));
  return open.map((one) => one.item);
};

test('a pay-out that came back without a notice fails its settlement after the next report', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-08T12:00:00Z');
  const [paid] = [...h.issuer.orders.values()].filter((m) => m.kind === 'payout');
  h.issuer.onTakenBack = null;
  h.issuer.comeBack(paid?.idempotencyKey ?? '');
  await h.runUntil('2026-01-09T06:00:00Z');
  assert.equal((await settlementsOf(h))[0]?.status, 'success', 'nobody told');
  await h.runUntil('2026-01-09T06:35:00Z');
  const [failed] = await settlementsOf(h);
  assert.deepEqual([failed?.status, failed?.error?.code], ['failed', 'payout_returned']);
  assert.deepEqual(await openItems('2026-01-08'), []);
});

test('a recall without a notice is owed after the next report', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  const id = await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-08T12:00:00Z');
  h.issuer.onTakenBack = null;
  const [payIn] = payIns();
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await h.runUntil('2026-01-09T06:35:00Z');
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'success');
  assert.equal(payment?.returned?.amount.value, 1000);
  assert.deepEqual(await openItems('2026-01-08'), []);
});

test('a pay-in without a notice stands on the unallocated list after the next report', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-08T12:00:00Z');
  const wallet = h.issuer.wallets.get(payIns()[0]?.toIssuerWalletId ?? '')?.wallet;
  h.issuer.onPayIn = null;
  const creditor = wallet?.account.accountNumber ?? '';
  h.issuer.payIn({ endToEndId: '', amountPence: 321, creditor });
  await h.runUntil('2026-01-09T06:35:00Z');
  const item = await h.db.read((tx) =>
    tx.row<{ pence: number }>(
      `SELECT amount_pence AS pence FROM unallocated_items WHERE status = 'open'`,
    ),
  );
  assert.equal(item?.pence, 321);
  assert.deepEqual(await openItems('2026-01-08'), []);
});

test('a pay-in that is recalled while it is unallocated ends as returned, and its money covers the issuer', async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
  const id = await collect('2026-01-06T10:00:00Z', 1000);
  await h.runUntil('2026-01-08T12:00:00Z');
  const [paying] = payIns();
  const walletId = paying?.toIssuerWalletId ?? '';
  const creditor = h.issuer.wallets.get(walletId)?.wallet.account.accountNumber ?? '';
  const strange = h.issuer.payIn({ endToEndId: '', amountPence: 321, creditor });
  const kept = h.issuer.payIn({ endToEndId: '', amountPence: 123, creditor });
  await h.runUntil('2026-01-08T13:00:00Z');
  h.issuer.recall(strange);
  await h.runUntil('2026-01-08T14:00:00Z');
  const items = await h.db.read((tx) =>
    tx.rows<{ movementId: string; status: string }>(
      'SELECT movement_id, status FROM unallocated_items ORDER BY amount_pence DESC',
    ),
  );
  assert.deepEqual(items, [
    { movementId: strange.movementId, status: 'returned' },
    { movementId: kept.movementId, status: 'open' },
  ]);
  assert.equal(h.issuer.wallets.get(walletId)?.wallet.balancePence, 123);
  assert.equal(h.issuer.wallets.get('recalls')?.wallet.balancePence, 0, 'the issuer is covered');
  // One world with all of it: unallocated money, a claim on a bank, and a recalled pay-in that the merchant owes.
  assert.ok(paying);
  h.issuer.recall(paying);
  await h.runUntil('2026-01-08T15:00:00Z');
  const { broken, unknown } = await compareWithIssuer(h.platform, h.issuer);
  assert.deepEqual([broken, unknown], [[], undefined]);
  assert.equal((await paymentsOf(h, id))[0]?.returned?.amount.value, 1000);
  assert.deepEqual(await openItems('2026-01-08'), []);
});

test('a recall that the statement tells of together with its pay-in is taken, if a day later', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const id = await dueInAnHour(h);
  const payment = await onlyPaymentOf(h, id);
  h.issuer.onPayIn = null; // the notices of a whole day are lost
  h.issuer.onTakenBack = null;
  const [first] = [1, 2].map(() => h.issuer.payIn(h.bank.paymentOf(payment.id, 1)));
  assert.ok(first);
  h.issuer.recall(first);
  await h.runUntil(h.clock.at.add({ hours: 24 * 5 }));
  const open = await h.db.read((tx) => listItems(tx, 'issuer'));
  assert.deepEqual(
    open.map((one) => one.what),
    [],
  );
  assert.equal(h.issuer.wallets.get('recalls')?.wallet.balancePence, 0, 'the issuer is covered');
});
