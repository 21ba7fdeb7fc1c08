import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import { listWaiting } from '../../server/src/payments/books/waiting-store.ts';
import { endUnallocated } from '../../server/src/payments/operator/decide.ts';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import {
  assertLaws,
  eventsOf,
  onlyPaymentOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { justDue } from './acts.ts';

const { h, runFor } = oneForEach();

type Decision = Parameters<typeof endUnallocated>[2];

/** An operator decides on the only open item. */
async function decide(
  end: Decision['end'],
  paymentId: string | null = null,
  by = 'Robin Fern',
): Promise<string> {
  const [item] = await openItems();
  assert.ok(item);
  const byId = `opr_${by.trim().toLowerCase().replaceAll(/\s+/g, '_')}`;
  const decision = { end, paymentId, by, byId, reason: "the bank's letter of 4 March" };
  return (await endUnallocated(h.service.authorisation, item.itemId, decision)).kind;
}

function openItems(): Promise<{ itemId: string; amountPence: number; walletId: string }[]> {
  return h.db.read((tx) =>
    tx.rows("SELECT item_id, amount_pence, wallet_id FROM unallocated_items WHERE status = 'open'"),
  );
}

/** Sets up a payment that its bank reports as paid, and for which this many pence came. */
async function cameAs(amountPence: number): Promise<{ id: string; paymentId: string }> {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const atBank = h.bank.paymentOf(paymentId, 1);
  atBank.status = 'credited';
  if (amountPence > 0) h.issuer.payIn({ ...atBank, amountPence });
  await runFor({ hours: 1 });
  return { id, paymentId };
}

const waits = async (): Promise<unknown[]> =>
  (await h.db.read((tx) => listWaiting(tx, h.clock.at, 10))).map((one) => [
    one.payment_id,
    one.waits_for,
  ]);

const giveUp = (paymentId: string, evidence?: string): Promise<string> =>
  giveUpPayment(h.service.authorisation, paymentId, {
    by: 'Robin Fern',
    reason: 'Ms Hill, by phone',
    ...(evidence === undefined ? {} : { evidence }),
  });

test('money a penny short is accepted in part: the payment is a success of what has come, and is settled so', async () => {
  const { id, paymentId } = await cameAs(4998);
  assert.deepEqual(await waits(), [[paymentId, 'wrong_amount']]);
  await assert.rejects(decide('allocated', paymentId), /accept the money in part/);
  assert.equal(await decide('accepted_in_part', paymentId), 'done');
  await runFor({ minutes: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.amount.value], ['success', 4998]);
  assert.deepEqual(await waits(), []);
  assert.equal(payment.unexpected_money[0]?.status, 'accepted_in_part');
  await runFor({ hours: 72 });
  assert.deepEqual(
    (await settlementsOf(h)).map((one) => [one.amount.value, one.status]),
    [[4998, 'success']],
  );
  await assertLaws(h);
});

test('money a penny short of an amount that the merchant set is accepted in part, and the laws hold', async () => {
  const { paymentId } = await cameAs(4998);
  await h.db.transaction((tx) =>
    tx.run(`INSERT INTO occurrence_changes (merchant_id, schedule_id, due_date, amount_pence, changed_at)
      SELECT merchant_id, schedule_id, due_date, amount_pence, created_at FROM payments`),
  );
  assert.equal(await decide('accepted_in_part', paymentId), 'done');
  await runFor({ minutes: 1 });
  await assertLaws(h);
});

test('money a penny over pays the payment, and the penny is an item of its own', async () => {
  const { id, paymentId } = await cameAs(5000);
  assert.equal(await decide('accepted_in_part', paymentId), 'done');
  await runFor({ minutes: 1 });
  assert.deepEqual(
    [(await onlyPaymentOf(h, id)).status, (await onlyPaymentOf(h, id)).amount.value],
    ['success', 4999],
  );
  const [penny] = await openItems();
  assert.equal(penny?.amountPence, 1);
  await assertLaws(h);
  const wallet = h.issuer.wallets.get(`iw-${penny?.walletId}`)?.wallet;
  assert.ok(wallet);
  await assert.rejects(decide('returned'), /the issuer holds 1 pence/);
  wallet.balancePence -= 1;
  assert.equal(await decide('returned'), 'done');
  assert.deepEqual(await openItems(), []);
  await assertLaws(h);
});

test('a payment whose money came short is ended by an operator only once that money was returned', async () => {
  const { id, paymentId } = await cameAs(4998);
  const [item] = await openItems();
  await assert.rejects(giveUp(paymentId), new RegExp(`lies unallocated as ${item?.itemId}`));
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  const wallet = h.issuer.wallets.get(`iw-${item?.walletId}`)?.wallet;
  assert.ok(wallet);
  wallet.balancePence -= 4998;
  assert.equal(await decide('returned'), 'done');
  assert.equal(await giveUp(paymentId), 'failed');
  await assertLaws(h);
});

test("a payment that its bank calls credited without money is listed, and ended by an operator's word", async () => {
  const { id, paymentId } = await cameAs(0);
  await runFor({ hours: 30 });
  assert.deepEqual(await waits(), [[paymentId, 'credited_without_money']]);
  assert.equal((await onlyPaymentOf(h, id)).waits_for_operator?.reason, 'credited_without_money');
  assert.equal(await giveUp(paymentId), 'failed');
  assert.deepEqual(await waits(), []);
  await assertLaws(h);
});

test('a payment that its bank calls debited, and whose credit was returned to the payer, is ended too', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  h.bank.paymentOf(paymentId, 1).status = 'debited';
  await runFor({ hours: 30 });
  assert.deepEqual(await waits(), [[paymentId, 'no_outcome']]);
  assert.equal(await giveUp(paymentId), 'failed');
  await assertLaws(h);
});

test('a payment that its bank calls open is ended with evidence', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await runFor({ hours: 30 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await assert.rejects(giveUp(paymentId), /still open: PDNG/);
  assert.equal(await giveUp(paymentId, "the bank's letter of 4 March"), 'failed');
  const told = (await eventsOf(h, id)).at(-1);
  assert.equal(told?.kind, 'collection.failed');
  await assertLaws(h);
});

test('above the set amount two people must say the same, and one person does not count twice', async () => {
  Object.assign(h.platform.config, { fourEyesAbovePence: 4000 });
  const { id, paymentId } = await cameAs(4998);
  assert.equal(await decide('accepted_in_part', paymentId), 'waits');
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  await assert.rejects(
    decide('accepted_in_part', paymentId, ' robin  fern'),
    /another person has to agree/,
  );
  assert.equal(await decide('accepted_in_part', paymentId, 'Sam Moss'), 'done');
  const [row] = await h.db.read((tx) =>
    tx.rows('SELECT ended_by, confirmed_by, end_reason FROM unallocated_items'),
  );
  assert.deepEqual(row, {
    endedBy: 'Robin Fern',
    confirmedBy: 'Sam Moss',
    endReason: "the bank's letter of 4 March",
  });
  await assertLaws(h);
});

test('money sent back by hand agrees with the issuer for as long as the second person takes', async () => {
  Object.assign(h.platform.config, { fourEyesAbovePence: 4000 });
  await cameAs(4998);
  const [item] = await openItems();
  assert.ok(item);
  h.issuer.payOutByHand(`iw-${item.walletId}`, item.amountPence);
  assert.equal(await decide('returned'), 'waits');
  await runFor({ hours: 30 });
  const { broken, unknown } = await compareWithIssuer(h.platform, h.issuer);
  assert.deepEqual({ broken, unknown }, { broken: [], unknown: undefined });
  assert.equal(await decide('returned', null, 'Sam Moss'), 'done');
  await runFor({ minutes: 1 });
  await assertLaws(h);
});

test('late money without a name is allocated to the payment that failed, by a person', async () => {
  h.bank.mood.slow = true;
  const id = await justDue(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const late = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(late, 'final');
  await runFor({ minutes: 10 });
  h.issuer.payIn({ ...late, endToEndId: 'NOTPROVIDED' });
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'failed');
  assert.equal(await decide('allocated', paymentId), 'done');
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assert.rejects(decide('returned'));
  await assertLaws(h);
});
