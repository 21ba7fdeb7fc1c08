import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { BankRefused } from '../../server/src/banks/bank.ts';
import { assertLaws, onlyPaymentOf } from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { allDue, newPhone } from '../races/acts.ts';

// When a bank is asked for the funds that asks for nothing before: docs/rules/payments.md#checks-before-the-first-order.

const { h, runFor } = oneForEach();

/** The calls for payments, in order. */
let calls: string[] = [];

beforeEach(() => {
  calls = [];
  Object.assign(h.bank, { traits: { ...h.bank.traits, fundsCheck: 'after_lack_of_funds' } });
  h.bank.before = async (call) => {
    if (call === 'confirmFunds' || call === 'submitPayment') calls.push(call);
  };
});

/** Says how an operation of the bank answers. */
const condition = (operation: string, is: 'operational' | 'down'): Promise<void> =>
  asOwner(h.db, async (tx) => {
    await tx.run(
      `INSERT INTO bank_conditions (bank_id, operation, condition, since, recent)
       VALUES ($1, $2, $3, $4, 'x') ON CONFLICT (bank_id, operation) DO UPDATE SET condition = excluded.condition`,
      [h.bank.bankId, operation, is, h.clock.at],
    );
  });

test('an order goes without a question, and the retry after a lack of funds with one', async () => {
  const [id = ''] = await allDue(h, 1);
  const { submitPayment } = h.bank;
  h.bank.submitPayment = async () => {
    calls.push('refused');
    const code = 'insufficient_funds';
    throw new BankRefused({ code, message: 'no', kind: 'retryable', bankCode: 'AM04' });
  };
  await h.service.engine.drain();
  assert.deepEqual(calls, ['refused']);
  h.bank.submitPayment = submitPayment;
  await runFor({ hours: 7 * 24 });
  assert.deepEqual(calls, ['refused', 'confirmFunds', 'submitPayment']);
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('after orders that a bank did not answer, the next is asked about and not sent until it answers', async () => {
  const later = h.clock.at.round('second').add({ hours: 1, minutes: 1 });
  const { id: second } = await h.agreed({
    start_date: later.toString(),
    customer: { phone: newPhone() },
  });
  const [first = ''] = await allDue(h, 1);
  h.bank.mood.down = true;
  await h.service.engine.drain();
  assert.deepEqual(calls, ['submitPayment']);
  await h.runUntil(later);
  assert.ok(calls.includes('confirmFunds'));
  assert.equal(new Set(h.bank.submitted).size, 1, 'the first order alone, under one key');
  assert.equal((await onlyPaymentOf(h, second)).attempts[0]?.sent_at, null);
  h.bank.mood.down = false;
  await runFor({ hours: 2 });
  for (const id of [first, second])
    assert.equal((await onlyPaymentOf(h, id)).status, 'success', id);
  assert.equal(new Set(h.bank.submitted).size, 2, 'one order for each');
  await assertLaws(h);
});

test('a bank in trouble is asked before each order, until it is in none that an order meets', async () => {
  const askedFor = async (): Promise<string[]> => {
    calls = [];
    await allDue(h, 1);
    calls = [];
    await h.service.engine.drain();
    return calls;
  };
  for (const operation of ['token', 'funds', 'payment']) {
    await condition(operation, 'down');
    for (let n = 0; n < 2; n++)
      assert.deepEqual(await askedFor(), ['confirmFunds', 'submitPayment']);
    await condition(operation, 'operational');
    assert.deepEqual(await askedFor(), ['submitPayment'], operation);
  }
  await condition('consent', 'down');
  assert.deepEqual(await askedFor(), ['submitPayment'], 'no question ends the trouble of another');
});
