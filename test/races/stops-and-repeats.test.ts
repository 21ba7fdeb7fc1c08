import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { BankDefect, BankRefused, BankUnavailable } from '../../server/src/banks/bank.ts';
import type { Db, SqlValue, Tx } from '../../server/src/platform/db.ts';
import { onlyPaymentOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
beforeEach(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(() => h.close());

let customers = 0;
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));

/** A schedule that falls due at the clock's time, nothing of it opened yet. */
async function justDue(phone = `+4477004${String(10_000 + customers++)}`): Promise<string> {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const { id } = await h.agreed({ start_date: start.toString(), customer: { phone } });
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  return id;
}

/** Waits at the gate before the first statement that contains `text`. */
function holdingBefore(db: Db, text: string, gate: Gate): Db {
  let held = false;
  const watch = (tx: Tx): Tx => {
    const wait = async (sql: string): Promise<void> => {
      if (held || !sql.includes(text)) return;
      held = true;
      await gate.pass();
    };
    return {
      rows: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
        await wait(sql);
        return tx.rows<R>(sql, values);
      },
      row: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
        await wait(sql);
        return tx.row<R>(sql, values);
      },
      run: async (sql, values) => {
        await wait(sql);
        return tx.run(sql, values);
      },
    };
  };
  return { ...db, transaction: (work) => db.transaction((tx) => work(watch(tx))) };
}

const creditsTo = (paymentId: string): number =>
  [...h.bank.payments.values()].filter((p) => p.endToEndId.startsWith(paymentId)).length;

test('a pause while a failure is being recorded also stops the retry', async () => {
  const id = await justDue();
  h.bank.mood.funds = false;
  const gate = new Gate();
  const other = h.another({ db: (db) => holdingBefore(db, 'SET polls = 0, manual = false', gate) });
  const collecting = other.engine.drain();
  await gate.reached;
  const pausing = h.update(id, { status: 'paused' }); // it waits for the retry to be planned, and ends it
  gate.open();
  await Promise.all([collecting, pausing]);
  h.bank.cheerUp();
  await runFor({ hours: 30 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal((await h.show(id)).status, 'paused');
  assert.equal(creditsTo(payment.id), 0, 'a paused schedule collected');
});

test('nothing is sent for a schedule paused while the bank could not even be asked for funds', async () => {
  const id = await justDue();
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('the bank is down');
  };
  await h.service.engine.drain();
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  await h.update(id, { status: 'paused' });
  h.bank.cheerUp();
  await runFor({ hours: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(creditsTo(payment.id), 0, 'first POST ever was made after the pause');
});

test('nothing is sent under a consent that is revoked in our books', async () => {
  const id = await justDue();
  h.bank.before = async (call) => {
    if (call === 'confirmFunds' || call === 'deleteConsent') throw new BankUnavailable('down');
  };
  await h.service.engine.drain();
  await h.update(id, { status: 'cancelled' });
  await h.service.engine.drain(); // the deletion fails: the bank is down
  h.bank.cheerUp();
  await runFor({ seconds: 3 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(creditsTo(payment.id), 0, 'collected after the consent was revoked here');
});

test('a payment that was never sent because the bank was down for a day ends', async () => {
  const id = await justDue();
  h.bank.before = async (call) => {
    if (call === 'confirmFunds' || call === 'submitPayment') throw new BankUnavailable('down');
  };
  await runFor({ hours: 24 });
  h.bank.cheerUp();
  await runFor({ hours: 24 * 3 });
  const payment = await onlyPaymentOf(h, id);
  assert.notEqual(payment.status, 'processing', `still ${payment.status} after 4 days`);
});

test('a refused repeat of a call with unknown outcome is no known failure', async () => {
  const { onPayIn } = h.issuer;
  const start = h.clock.at.round('second').add({ hours: 1 });
  const customer = { phone: `+4477004${String(10_000 + customers++)}` };
  const { id } = await h.agreed({ start_date: start.toString(), customer });
  await h.update(id, { amount: { value: 2000, currency: 'GBP' } }); // the consent still allows 49.99 a month
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  h.issuer.onPayIn = null; // the notice of the money is late
  let calls = 0;
  h.bank.mood.losesAnswers = true;
  h.bank.before = async (call) => {
    if (call !== 'submitPayment') return;
    calls += 1;
    // What the connector makes of a 401 at the gateway while the consent is live.
    if (calls === 2)
      throw new BankRefused({
        code: 'technical',
        message: 'no',
        kind: 'retryable',
        bankCode: '401',
      });
  };
  await h.service.engine.drain();
  h.bank.mood.losesAnswers = false;
  await runFor({ hours: 26 });
  h.issuer.onPayIn = onPayIn;
  const payment = await onlyPaymentOf(h, id);
  assert.equal(creditsTo(payment.id), 1, 'debited twice for one occurrence');
});

test('a token endpoint that finds fault with our client fails no collection for good', async () => {
  const id = await justDue();
  const other = h.another({
    bank: (bank) =>
      new Proxy(bank, {
        get: (target, name) =>
          name === 'refresh'
            ? async () => {
                throw new BankDefect('the bank refused us a token', 'invalid_client');
              }
            : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
      }),
  });
  await other.engine.drain();
  const payment = await onlyPaymentOf(h, id);
  assert.notEqual(payment.status, 'failed', JSON.stringify(payment.error));
});
