import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { endUnallocated } from '../../server/src/payments/operator/decide.ts';
import { recordPayIn } from '../../server/src/payments/pay-ins/pay-ins.ts';
import type { Movement } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  dueInAnHour,
  kindsOf,
  onlyPaymentOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;

afterEach(async () => {
  h.bank.cheerUp();
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await assertLaws(h);
  await h.close();
});

const openItems = () =>
  h.db.read((tx) =>
    tx.rows<{ itemId: string; status: string; reason: string; amountPence: number }>(
      'SELECT item_id, status, reason, amount_pence FROM unallocated_items ORDER BY item_id',
    ),
  );

const payIns = () =>
  [...h.issuer.wallets.values()].flatMap((one) => one.movements).filter((m) => m.kind === 'payin');

/** The money of the first attempt came while the second was under way; it is on the list. */
async function paidTwice(secondPays = true) {
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h);
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await h.runUntil(h.clock.at.add({ hours: 25 }));
  h.bank.credit(first); // the bank paid after all
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const [late] = payIns();
  assert.ok(late);
  if (secondPays) h.bank.credit(h.bank.paymentOf(paymentId, 2));
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  return { id, paymentId, late };
}

test('the recall of a second debit that is still on the list ends the item; the merchant owes nothing', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const { id, late } = await paidTwice();
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.deepEqual(
    (await openItems()).map(({ status, reason }) => `${status} ${reason}`),
    ['open later_attempt'],
  );
  h.issuer.recall(late); // the payer's bank takes the second debit back
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  assert.equal((await onlyPaymentOf(h, id)).returned ?? null, null, 'the payment keeps its money');
  assert.ok(!(await kindsOf(h, id)).includes('collection.returned'));
  assert.equal((await openItems())[0]?.status, 'returned');
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.deepEqual(
    (await settlementsOf(h)).map((s) => s.amount.value),
    [4999],
    'the merchant gets what was collected',
  );
});

test('a recall while the later attempt is under way leaves that attempt an end', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const { id, paymentId, late } = await paidTwice(false);
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  h.issuer.recall(late);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  h.bank.fail(h.bank.paymentOf(paymentId, 2), 'final');
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'failed', 'nobody has paid for it');
  assert.equal(payment.returned ?? null, null);
  assert.equal((await openItems())[0]?.status, 'returned');
});

test('money kept for a payment with an attempt under way is not given to another payment', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  h.bank.mood.funds = false;
  const other = await dueInAnHour(h, { max_retries: 0, frequency: 'yearly' });
  h.bank.cheerUp();
  h.bank.mood.slow = true;
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const { id, paymentId } = await paidTwiceIn();
  const [item] = await openItems();
  assert.equal(item?.reason, 'later_attempt');
  const { id: otherPayment } = await onlyPaymentOf(h, other);
  const decide = (by: string) =>
    endUnallocated({ platform: h.platform, issuer: h.issuer }, item.itemId, {
      end: 'allocated',
      paymentId: otherPayment,
      by,
      byId: `shell:${by}`,
      reason: 'same customer',
    });
  const refusals: string[] = [];
  for (const by of ['Ms Hill', 'Mr Vale'])
    await decide(by).catch((error: unknown) => refusals.push(String(error)));
  h.bank.fail(h.bank.paymentOf(paymentId, 2), 'final');
  await h.runUntil(h.clock.at.add({ hours: 48 }));
  const ends = (await onlyPaymentOf(h, id)).status;
  assert.ok(
    ends === 'success' || ends === 'failed',
    `the payment is ${ends} for ever; ${refusals.join()}`,
  );

  async function paidTwiceIn() {
    const id = await dueInAnHour(h);
    const { id: paymentId } = await onlyPaymentOf(h, id);
    const first = h.bank.paymentOf(paymentId, 1);
    h.bank.fail(first, 'retryable');
    await h.runUntil(h.clock.at.add({ hours: 25 }));
    h.bank.credit(first);
    await h.runUntil(h.clock.at.add({ minutes: 1 }));
    return { id, paymentId };
  }
});

test('the recall of money of which a payment took a part costs the merchant that part alone', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h);
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const sent = h.bank.paymentOf(paymentId, 1);
  const payIn = h.issuer.payIn({ ...sent, amountPence: 5999 }); // a thousand pence too many
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  const [item] = await openItems();
  assert.equal(item?.reason, 'another_amount');
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, item.itemId, {
    end: 'accepted_in_part',
    paymentId,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'the customer rounded it up',
  });
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.amount.value], ['success', 4999]);
  h.issuer.recall(payIn);
  await h.runUntil(h.clock.at.add({ minutes: 5 }));
  assert.equal(
    (await onlyPaymentOf(h, id)).returned?.amount.value,
    4999,
    'no more than was collected is taken back from the merchant',
  );
});

test('a stop before the second attempt was sent does not fail a payment whose money is on the list', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h);
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('the bank is down');
  };
  await h.runUntil(h.clock.at.add({ hours: 23 })); // the second attempt begins, and is not sent
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  await takeIn(paymentId, h.issuer.payIn(first)); // the bank paid after all
  assert.equal((await openItems())[0]?.reason, 'later_attempt');
  await h.update(id, { status: 'paused' });
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  assert.equal((await onlyPaymentOf(h, id)).status, 'success', 'its own money pays for it');
  assert.equal((await openItems())[0]?.status, 'allocated');
});

/** Takes the notice of a pay-in in, and lets nothing else happen. */
async function takeIn(paymentId: string, movement: Movement): Promise<void> {
  const { movementId, amountPence, endToEndId, createdAt: at } = movement;
  const { merchantId, platform, db, clock } = h;
  const row = await db.read((tx) =>
    tx.row<{ walletId: string }>('SELECT wallet_id FROM payments WHERE payment_id = $1', [
      paymentId,
    ]),
  );
  const walletId = row?.walletId ?? '';
  const notice = { merchantId, walletId, movementId, amountPence, endToEndId, at, payer: null };
  await db.transaction((tx) => recordPayIn({ platform, tx, now: clock.at }, notice));
}

test('money that was given to another payment no longer counts as that of the attempt it was kept for', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  h.bank.mood.slow = true;
  const other = await dueInAnHour(h, { max_retries: 0, frequency: 'yearly' });
  const { id: otherPayment } = await onlyPaymentOf(h, other);
  h.bank.fail(h.bank.paymentOf(otherPayment, 1), 'final');
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  const { late } = await paidTwice();
  const [item] = await openItems();
  for (const by of ['Ms Hill', 'Mr Vale'])
    await endUnallocated({ platform: h.platform, issuer: h.issuer }, item?.itemId ?? '', {
      end: 'allocated',
      paymentId: otherPayment,
      by,
      byId: `shell:${by}`,
      reason: 'same customer',
    }).catch((error: unknown) => assert.match(String(error), /has paid for the payment/));
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  assert.equal((await onlyPaymentOf(h, other)).status, 'success');
  const paid = await h.db.read((tx) =>
    tx.rows<{ paymentId: string }>('SELECT payment_id FROM attempts WHERE pay_in_id = $1', [
      late.movementId,
    ]),
  );
  assert.deepEqual(paid, [{ paymentId: otherPayment }]);
});

test('a recall that is told before its pay-in is booked with it, keeps its reason, and its money is not paid out', async () => {
  h = await openHarness('2026-01-05T21:30:00Z');
  const { onPayIn } = h.issuer;
  let tell: (() => void) | null = null;
  h.issuer.onPayIn = (wallet, movement) => {
    tell = () => onPayIn?.(wallet, movement);
  };
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const [payIn] = payIns();
  assert.ok(payIn);
  h.issuer.recall(payIn);
  await h.runUntil(h.clock.at.add({ minutes: 3 }));
  h.issuer.onPayIn = onPayIn;
  (tell as (() => void) | null)?.();
  await h.runUntil('2026-01-06T12:00:00Z');
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual(
    [payment.status, payment.returned?.reason],
    ['success', 'Taken back'],
    'the reason is the issuer’s own',
  );
  assert.deepEqual(await settlementsOf(h), [], 'what was recalled is not paid out');
});

test('no money of a merchant is paid out while a recall waits whose pay-in is in our books', async () => {
  h = await openHarness('2026-01-05T21:30:00Z');
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const [payIn] = payIns();
  assert.ok(payIn);
  const { movementId: originalMovementId, amountPence, toIssuerWalletId } = payIn;
  const wallet = h.issuer.wallets.get(toIssuerWalletId ?? '')?.wallet;
  h.issuer.onTakenBack = null; // told below, as one that has waited
  const { movementId } = h.issuer.recall(payIn);
  const body = {
    kind: 'recalled',
    externalReference: wallet?.externalReference,
    movementId,
    originalMovementId,
    amountPence,
    reason: { code: 'test', message: 'Taken back' },
  };
  await h.db.transaction((tx) =>
    tx.run(
      `INSERT INTO inbox (source, notification_id, body, received_at, waiting_since, due_at)
       VALUES ('issuer', 'late', $1, $2, $2, '2026-01-06T06:10:00Z')`,
      [JSON.stringify(body), h.clock.at],
    ),
  );
  await h.runUntil('2026-01-06T06:05:00Z'); // settlements open at 06:00
  assert.deepEqual(await settlementsOf(h), []);
  assert.equal((await onlyPaymentOf(h, id)).returned ?? null, null);
  await h.runUntil('2026-01-06T13:00:00Z');
  assert.equal((await onlyPaymentOf(h, id)).returned?.reason, 'Taken back');
  assert.deepEqual(await settlementsOf(h), [], 'what was recalled is not paid out');
});

test('a recall whose pay-in never comes is given up after two days', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const [payIn] = payIns();
  assert.ok(payIn);
  const wallet = [...h.issuer.wallets.values()].find(
    (one) => one.wallet.issuerWalletId === payIn.toIssuerWalletId,
  );
  assert.ok(wallet);
  const never = { ...payIn, movementId: 'mv-never', originalMovementId: 'mv-nobody' };
  h.issuer.onTakenBack?.(wallet.wallet, 'recalled', never);
  await h.runUntil(h.clock.at.add({ hours: 47 }));
  const due = () =>
    h.db.read((tx) => tx.rows('SELECT notification_id FROM inbox WHERE due_at IS NOT NULL'));
  assert.equal((await due()).length, 1);
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  assert.deepEqual(await due(), []);
  assert.equal((await onlyPaymentOf(h, id)).returned ?? null, null);
});
