import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bank, BankUnavailable } from '../../server/src/banks/bank.ts';
import {
  assertLaws,
  notifyOf,
  onlyPaymentOf,
  paymentsOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import type { BankPayment } from '../../server/test-support/fake-bank.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { debitsOf, dueWithRoom, justDue } from '../races/acts.ts';

const { h, runFor } = oneForEach();

interface AtBank {
  bank_payment_id: string | null;
  bank_status: string | null;
}

/** Returns what is known of the bank's side of the first attempt. */
async function known(scheduleId: string): Promise<AtBank | undefined> {
  const [attempt] = (await onlyPaymentOf(h, scheduleId)).attempts;
  return attempt && { bank_payment_id: attempt.bank_payment_id, bank_status: attempt.bank_status };
}

/** Records the bank's payment reads from now on. */
function countReads(): { reads: string[] } {
  const reads: string[] = [];
  const read = h.bank.readPayment.bind(h.bank);
  h.bank.readPayment = async (id) => {
    reads.push(id);
    return read(id);
  };
  return { reads };
}

const left = (table: 'payment_evidence' | 'unknown_bank_payments'): Promise<object[]> =>
  h.db.read((tx) => tx.rows(`SELECT * FROM ${table}`));

/** Sets up a payment whose money has come while the bank reported it as pending. */
async function paidWhilePending(): Promise<{ id: string; atBank: BankPayment }> {
  const id = await justDue(h);
  h.bank.mood.slow = true;
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const atBank = h.bank.paymentOf(paymentId, 1);
  assert.equal((await known(id))?.bank_status, 'PDNG');
  h.bank.credit(atBank);
  atBank.status = 'debited';
  await runFor({ seconds: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  return { id, atBank };
}

test('a paid attempt gets the last status of its bank after the money came', async () => {
  const { id, atBank } = await paidWhilePending();
  await runFor({ minutes: 1 });
  assert.equal((await known(id))?.bank_status, 'ACSC');
  atBank.status = 'credited';
  await runFor({ minutes: 10 });
  const { bankPaymentId: bank_payment_id } = atBank;
  assert.deepEqual(await known(id), { bank_payment_id, bank_status: 'ACCC' });
  assert.deepEqual(await left('payment_evidence'), []);
  await assertLaws(h);
});

test('a bank that never says more than ACSC is read daily in the end, and left alone after a week', async () => {
  const { id } = await paidWhilePending();
  const { reads } = countReads();
  await runFor({ hours: 24 * 9 });
  assert.ok(reads.length >= 8 && reads.length <= 11, `${reads.length} reads`);
  assert.equal((await known(id))?.bank_status, 'ACSC');
  assert.deepEqual(await left('payment_evidence'), []);
});

test('a bank that does not answer after a payment holds nothing up, and is asked later', async () => {
  const { id } = await paidWhilePending();
  h.bank.mood.down = true;
  await runFor({ minutes: 10 });
  h.bank.cheerUp();
  await runFor({ hours: 2 });
  assert.equal((await known(id))?.bank_status, 'ACSC');
});

test('a bank that calls a paid payment rejected changes nothing, and the audit trail says so', async () => {
  const { id, atBank } = await paidWhilePending();
  h.bank.fail(atBank, 'final');
  await runFor({ hours: 1 });
  const { id: paymentId, status } = await onlyPaymentOf(h, id);
  assert.deepEqual([status, (await known(id))?.bank_status], ['success', 'RJCT']);
  const changes = await h.db.read((tx) =>
    tx.rows<{ reason: string }>(
      "SELECT reason FROM state_changes WHERE object_id = $1 AND reason LIKE 'the bank says%'",
      [paymentId],
    ),
  );
  assert.deepEqual(changes, [{ reason: 'the bank says RJCT of attempt 1, whose money has come' }]);
  await assertLaws(h);
});

test("an answer that comes after the money names the bank's payment", async () => {
  const id = await justDue(h);
  const answered = new Gate();
  const late = (bank: Bank): Bank => {
    const submitPayment: Bank['submitPayment'] = async (...order) => {
      const report = await bank.submitPayment(...order);
      await answered.pass();
      return report;
    };
    return new Proxy(bank, {
      get: (of, name) => {
        if (name === 'submitPayment') return submitPayment;
        const value: unknown = Reflect.get(of, name);
        return typeof value === 'function' ? value.bind(of) : value;
      },
    });
  };
  const sending = h.another({ bank: late }).engine.drain();
  await answered.reached;
  await runFor({ seconds: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  answered.open();
  await sending;
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const { bankPaymentId: bank_payment_id } = h.bank.paymentOf(paymentId, 1);
  assert.deepEqual(await known(id), { bank_payment_id, bank_status: 'ACCC' });
  await assertLaws(h);
});

test("a paid attempt whose answer was lost gets the bank's payment by its notice, without another order", async () => {
  const id = await justDue(h);
  h.bank.mood.losesAnswers = true;
  await h.service.engine.drain();
  h.bank.cheerUp();
  await runFor({ minutes: 1 });
  const { id: paymentId, status } = await onlyPaymentOf(h, id);
  assert.deepEqual([status, (await known(id))?.bank_payment_id], ['success', null]);
  const { length } = h.bank.submitted;
  const { bankPaymentId: bank_payment_id } = h.bank.paymentOf(paymentId, 1);
  await notifyOf(h, 'payment', bank_payment_id);
  await runFor({ minutes: 1 });
  assert.deepEqual(await known(id), { bank_payment_id, bank_status: 'ACCC' });
  assert.equal(h.bank.submitted.length, length);
  assert.deepEqual(await left('unknown_bank_payments'), []);
});

test("an order whose answer was lost is found by the bank's notice after a cancellation, without another order", async () => {
  const id = await dueWithRoom(h);
  Object.assign(h.bank.mood, { slow: true, losesAnswers: true });
  await h.service.engine.drain();
  await h.update(id, { status: 'cancelled' });
  const { length } = h.bank.submitted;
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const atBank = h.bank.paymentOf(paymentId, 1);
  await notifyOf(h, 'payment', atBank.bankPaymentId);
  await runFor({ minutes: 1 });
  const { bankPaymentId: bank_payment_id } = atBank;
  assert.deepEqual(await known(id), { bank_payment_id, bank_status: 'PDNG' });
  h.bank.fail(atBank, 'final');
  await notifyOf(h, 'payment', atBank.bankPaymentId);
  await runFor({ minutes: 1 });
  const ended = await onlyPaymentOf(h, id);
  assert.deepEqual([ended.status, ended.error?.code], ['failed', 'account_closed']);
  assert.equal(h.bank.submitted.length, length);
  await assertLaws(h);
});

test('a notice of a payment that is none of ours is read once', async () => {
  const { atBank } = await paidWhilePending();
  await runFor({ hours: 24 * 8 });
  const reads: string[] = [];
  const { bankConsentId } = atBank;
  h.bank.readPayment = async (bankPaymentId) => {
    reads.push(bankPaymentId);
    const instructionId = 'of-somebody-else';
    return { bankPaymentId, bankStatus: 'ACCC', outcome: 'credited', bankConsentId, instructionId };
  };
  await notifyOf(h, 'payment', 'bp-strange');
  await notifyOf(h, 'payment', 'bp-strange');
  await runFor({ hours: 24 * 3 });
  assert.deepEqual(reads, ['bp-strange']);
  assert.deepEqual(await left('unknown_bank_payments'), []);
});

test('a payment that the bank tells of and does not show is asked for five times', async () => {
  const { reads } = countReads();
  await notifyOf(h, 'payment', 'bp-hidden');
  await runFor({ hours: 24 * 5 });
  assert.equal(reads.length, 5);
  assert.deepEqual(await left('unknown_bank_payments'), []);
});

/** Sets up a payment that a pause ended after a day, without a final status from the bank. */
async function leftOpen(): Promise<{ id: string; paymentId: string }> {
  const id = await dueWithRoom(h);
  h.bank.mood.slow = true;
  await h.service.engine.drain();
  await h.update(id, { status: 'paused' });
  await runFor({ hours: 25 });
  h.bank.cheerUp();
  await h.update(id, { status: 'active' });
  const { id: paymentId, status, error } = await onlyPaymentOf(h, id);
  assert.deepEqual([status, error?.code], ['failed', 'schedule_paused']);
  return { id, paymentId };
}

test('a payment whose order may still be open at the bank is not retried by hand until the bank has ended it', async () => {
  const { paymentId } = await leftOpen();
  await assert.rejects(retryByHand(h, paymentId), refusedWith('payment_not_retryable'));
  const atBank = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(atBank, 'final');
  await notifyOf(h, 'payment', atBank.bankPaymentId);
  await runFor({ minutes: 1 });
  await retryByHand(h, paymentId);
  await runFor({ minutes: 1 });
  assert.equal(h.bank.paymentOf(paymentId, 2).status, 'credited');
  await assertLaws(h);
});

test('the bank of a payment that may still be open is asked without a notice, too', async () => {
  const { paymentId } = await leftOpen();
  h.bank.fail(h.bank.paymentOf(paymentId, 1), 'final');
  await runFor({ hours: 24 });
  await retryByHand(h, paymentId);
});

test('a payment whose bank never ends its order is retried by hand seven days after the order', async () => {
  const { id, paymentId } = await leftOpen();
  await runFor({ hours: 24 * 5 });
  await assert.rejects(retryByHand(h, paymentId), refusedWith('payment_not_retryable'));
  await runFor({ hours: 24 });
  await retryByHand(h, paymentId);
  await runFor({ minutes: 1 });
  assert.equal((await paymentsOf(h, id))[0]?.status, 'success');
  assert.equal(
    debitsOf(h, paymentId),
    2,
    'the bank was asked for a second order, and says that the first is open',
  );
});

test('money of an order that was left open still pays for it', async () => {
  const { id, paymentId } = await leftOpen();
  h.bank.credit(h.bank.paymentOf(paymentId, 1));
  await runFor({ minutes: 5 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal((await known(id))?.bank_status, 'ACCC');
  await assertLaws(h);
});

test('a payment of which no answer came, and that a pause ended, is not retried by hand for seven days', async () => {
  const id = await dueWithRoom(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new BankUnavailable('lost');
  };
  await h.service.engine.drain();
  await h.update(id, { status: 'paused' });
  h.bank.cheerUp();
  await runFor({ hours: 25 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await assert.rejects(retryByHand(h, paymentId), refusedWith('payment_not_retryable'));
  await runFor({ hours: 24 * 6 });
  await retryByHand(h, paymentId);
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal(debitsOf(h, paymentId), 1);
});

test('reads that an outage of the bank takes up do not count, and a slow last status is found within a week', async () => {
  const { id, atBank } = await paidWhilePending();
  const read = h.bank.readPayment;
  h.bank.readPayment = async () => {
    throw new BankUnavailable('down');
  };
  await runFor({ hours: 50 });
  h.bank.readPayment = read;
  await runFor({ hours: 31 }); // a day and a quarter, with jitter
  assert.equal((await known(id))?.bank_status, 'ACSC');
  await runFor({ hours: 24 });
  atBank.status = 'credited';
  await runFor({ hours: 31 });
  assert.equal((await known(id))?.bank_status, 'ACCC');
  assert.deepEqual(await left('payment_evidence'), []);
});
