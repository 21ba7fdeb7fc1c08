import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { reconcile } from '../../server/src/laws/reconciliation/reconciliation.ts';
import { endUnallocated } from '../../server/src/payments/operator/decide.ts';
import { settlementMoment } from '../../server/src/settlements/settlement-day.ts';
import {
  assertLaws,
  eventsOf,
  paymentsOf,
  refund,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { debitsOf, dueWithRoom, justDue } from './acts.ts';

type Decision = Parameters<typeof endUnallocated>[2];

let h: Harness;

before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(() => assertLaws(h));
after(() => h.close());

/** Loses everything that was written to the database during `work`. */
async function lose(work: () => Promise<void>): Promise<void> {
  const restore = await h.backUp();
  await work();
  await restore();
}

/** The same, and lets another process continue with the backup. */
async function loseWhatIsWritten(work: () => Promise<void>): Promise<void> {
  await lose(work);
  await h.runUntil(h.clock.at.add({ hours: 2 }), h.another());
}

const payOuts = () => [...h.issuer.orders.values()].filter(({ kind }) => kind === 'payout');

const aMinute = (): Promise<void> => h.runUntil(h.clock.at.add({ minutes: 1 }));

async function assertCollectedOnce(id: string): Promise<void> {
  const [payment, ...others] = await paymentsOf(h, id);
  assert.equal(others.length, 0);
  assert.equal(payment?.status, 'success');
  assert.equal(debitsOf(h, payment.id), 1);
  const kinds = (await eventsOf(h, id)).map((event) => event.kind);
  const told = kinds.filter((kind) => kind !== 'payment.unexpected_money');
  assert.deepEqual(told, ['schedule.setup_success', 'collection.success']);
}

test('a database that loses the minute in which a payment was made debits the customer once', async () => {
  const id = await justDue(h);
  const debitsBefore = h.bank.payments.size;
  await loseWhatIsWritten(aMinute);
  assert.equal(h.bank.payments.size, debitsBefore + 1, 'the bank was asked for one payment');
  await assertCollectedOnce(id);
});

test('the same where the answer of the bank was lost too', async () => {
  const id = await justDue(h);
  const debitsBefore = h.bank.payments.size;
  await loseWhatIsWritten(async () => {
    h.bank.mood.losesAnswers = true;
    await h.runUntil(h.clock.at.add({ seconds: 1 }));
    h.bank.cheerUp();
  });
  assert.equal(h.bank.payments.size, debitsBefore + 1, 'the bank was asked for one payment');
  await assertCollectedOnce(id);
});

test('a payment has the same id in every database that opens its occurrence', async () => {
  const id = await justDue(h);
  const seen: string[] = [];
  const restore = await h.backUp();
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  seen.push(...(await paymentsOf(h, id)).map((payment) => payment.id));
  await restore();
  await h.runUntil(h.clock.at.add({ minutes: 1 }), h.another());
  seen.push(...(await paymentsOf(h, id)).map((payment) => payment.id));
  assert.equal(seen.length, 2);
  assert.equal(seen[0], seen[1]);
});

test('a settlement that was paid out before the database was lost is paid out once', async () => {
  const id = await justDue(h);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'success');
  const payAt = settlementMoment(h.clock.at).payAt;
  await h.runUntil(payAt.subtract({ seconds: 1 }));
  await loseWhatIsWritten(() => h.runUntil(payAt));
  const payOuts = [...h.issuer.orders.values()].filter(
    (movement) =>
      movement.kind === 'payout' && Temporal.Instant.compare(movement.createdAt, payAt) >= 0,
  );
  assert.equal(payOuts.length, 1, 'the issuer paid out once');
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'success');
});

test('a settlement that was paid out before the database was lost is not paid out on a later day', async () => {
  const id = await justDue(h);
  await aMinute();
  const payAt = settlementMoment(h.clock.at).payAt;
  await h.runUntil(payAt.subtract({ seconds: 1 }));
  const before = payOuts().length;
  await lose(() => h.runUntil(payAt));
  assert.equal(payOuts().length, before + 1);
  h.clock.at = payAt.add({ hours: 120 }); // a business day again
  await h.runUntil(h.clock.at.add({ hours: 24 }), h.another());
  assert.equal(payOuts().length, before + 1, 'the issuer paid out once');
  assert.ok((await settlementsOf(h)).every(({ status }) => status === 'success'));
  assert.equal((await paymentsOf(h, id))[0]?.status, 'success');
});

test('nor is what a refund gave back, with no payment beside it', async () => {
  const id = await justDue(h);
  await justDue(h);
  await aMinute();
  const [payment] = await paymentsOf(h, id);
  const { id: refundId } = await refund(h, payment?.id ?? '');
  await aMinute();
  await h.runUntil(settlementMoment(h.clock.at).payAt.add({ hours: 1 }));
  h.issuer.comeBack(refundId);
  await aMinute();
  const payAt = settlementMoment(h.clock.at).payAt;
  await h.runUntil(payAt.subtract({ seconds: 1 }));
  const before = payOuts().length;
  await lose(() => h.runUntil(payAt));
  assert.equal(payOuts().length, before + 1);
  h.clock.at = payAt.add({ hours: 119 });
  await justDue(h); // so that there is money in the wallet for another
  await h.runUntil(h.clock.at.add({ hours: 12 }), h.another());
  assert.equal(payOuts().length, before + 1, 'the issuer paid out once');
});

test('a lost pay-out counts for one settlement, whatever old money a later one has', async () => {
  await justDue(h);
  await aMinute();
  const lostAt = settlementMoment(h.clock.at).payAt;
  await h.runUntil(lostAt.subtract({ seconds: 1 }));
  await lose(() => h.runUntil(lostAt));
  h.clock.at = lostAt.add({ hours: 120 });
  await h.runUntil(h.clock.at.add({ hours: 24 }), h.another());
  const before = payOuts().length;
  const later = await justDue(h);
  await aMinute();
  // Its money waited in a settlement that failed before the loss.
  const waited = [later, lostAt.subtract({ hours: 48 })];
  await asOwner(h.db, (tx) =>
    tx.run('UPDATE payments SET completed_at = $2 WHERE schedule_id = $1', waited),
  );
  await h.runUntil(settlementMoment(h.clock.at).payAt.add({ hours: 1 }), h.another());
  assert.equal(payOuts().length, before + 1, 'the later money is paid out too');
});

test('a database restored after the bank has forgotten its keys looks for the money before it orders', async () => {
  const id = await dueWithRoom(h);
  await lose(aMinute);
  h.bank.forgetKeys();
  h.clock.at = h.clock.at.add({ hours: 30 });
  await h.runUntil(h.clock.at.add({ hours: 2 }), h.another());
  await assertCollectedOnce(id);
});

test('nor does it fail a payment whose customer has nothing left because the payment was made', async () => {
  const id = await dueWithRoom(h);
  await lose(aMinute);
  h.bank.mood.funds = false;
  h.clock.at = h.clock.at.add({ minutes: 20 });
  await h.runUntil(h.clock.at.add({ hours: 2 }), h.another());
  h.bank.cheerUp();
  await h.runUntil(h.clock.at.add({ hours: 80 }), h.another());
  await assertCollectedOnce(id);
});

test('a retry that was paid and lost is not made again', async () => {
  const id = await dueWithRoom(h);
  h.bank.mood.funds = false;
  await aMinute();
  h.bank.cheerUp();
  const retryAt = Temporal.Instant.from((await paymentsOf(h, id))[0]?.next_retry_at ?? '');
  await h.runUntil(retryAt.subtract({ seconds: 1 }));
  await lose(() => h.runUntil(retryAt.add({ minutes: 1 })));
  h.bank.forgetKeys();
  h.clock.at = h.clock.at.add({ hours: 30 });
  await h.runUntil(h.clock.at.add({ hours: 2 }), h.another());
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'success');
  assert.equal(debitsOf(h, payment.id), 1);
});

test('money that reconciliation finds before its payment is opened again pays for that payment', async () => {
  const id = await dueWithRoom(h);
  await lose(aMinute);
  h.clock.at = h.clock.at.subtract({ minutes: 1, seconds: 1 }); // the occurrence is not due yet
  const today = h.clock.at.toZonedDateTimeISO('Europe/London').toPlainDate();
  const { open } = await reconcile(h.platform, h.issuer, today);
  assert.ok(
    open.some(({ item }) => item.startsWith('line ')),
    'the report names the pay-in',
  );
  await h.runUntil(h.clock.at, h.another());
  const item = await h.db.read((tx) =>
    tx.row<{ status: string }>('SELECT status FROM unallocated_items'),
  );
  assert.equal(item?.status, 'open');
  await h.runUntil(h.clock.at.add({ hours: 2 }), h.another());
  await assertCollectedOnce(id);
});

test('money that an operator has sent back meanwhile does not keep its payment waiting', async () => {
  const id = await dueWithRoom(h);
  await lose(aMinute);
  h.clock.at = h.clock.at.subtract({ minutes: 1, seconds: 1 });
  const today = h.clock.at.toZonedDateTimeISO('Europe/London').toPlainDate();
  await reconcile(h.platform, h.issuer, today);
  await h.runUntil(h.clock.at, h.another());
  const item = await h.db.read((tx) =>
    tx.row<{ itemId: string; walletId: string; amountPence: number }>(
      "SELECT item_id, wallet_id, amount_pence FROM unallocated_items WHERE status = 'open'",
    ),
  );
  assert.ok(item);
  const wallet = h.issuer.wallets.get(`iw-${item.walletId}`)?.wallet;
  assert.ok(wallet);
  wallet.balancePence -= item.amountPence; // sent back at the issuer
  const decision = {
    end: 'returned',
    paymentId: null,
    by: 'Robin Fern',
    reason: 'after a restore',
  };
  await endUnallocated(h.service.authorisation, item.itemId, decision as Decision);
  h.bank.forgetKeys();
  h.clock.at = h.clock.at.add({ hours: 30 });
  await h.runUntil(h.clock.at.add({ hours: 2 }), h.another());
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'success');
});
