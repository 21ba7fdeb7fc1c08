import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { BankDefect, BankRefused, BankUnavailable } from '../../server/src/banks/bank.ts';
import type { Db, SqlValue, Tx } from '../../server/src/platform/db.ts';
import { onlyPaymentOf, paymentsOf, settlementsOf } from '../../server/test-support/books.ts';
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

test('F1: a pause while a failure is being recorded also stops the retry', async () => {
  const id = await justDue();
  h.bank.mood.funds = false;
  const gate = new Gate();
  const other = h.another({ db: (db) => holdingBefore(db, 'SET polls = 0, manual = false', gate) });
  const collecting = other.engine.drain();
  await gate.reached;
  await h.update(id, { status: 'paused' });
  gate.open();
  await collecting;
  h.bank.cheerUp();
  await runFor({ hours: 30 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal((await h.show(id)).status, 'paused');
  assert.equal(creditsTo(payment.id), 0, 'a paused schedule collected');
});

test('F2: nothing is sent for a schedule paused while the bank could not even be asked for funds', async () => {
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

test('F2b: nothing is sent under a consent that is revoked in our books', async () => {
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

test('F3: a payment that was never sent because the bank was down for a day ends', async () => {
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

test('F4: a refused repeat of a call with unknown outcome is no known failure', async () => {
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

test('F5: a transfer key never changes while an order under the present one is unknown', async () => {
  const phone = '+447700900999';
  const start = h.clock.at.round('second').add({ hours: 1 });
  const a = await h.agreed({ start_date: start.toString(), customer: { phone } });
  const later = start.add({ hours: 1 });
  const b = await h.agreed({ start_date: later.toString(), customer: { phone } });
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  h.issuer.transferError = 'technical';
  const gate = new Gate();
  const slow = h.another({
    db: (db) => holdingBefore(db, 'SET polls = p.polls + 1, due_at = $3', gate),
  });
  const sleeping = slow.engine.drain();
  await gate.reached; // heard "failed" for m0, not recorded
  h.clock.at = h.clock.at.add({ seconds: 61 });
  await h.service.engine.drain(); // the lease is over: m0 again, failed, recorded: m1 in 30 s
  h.issuer.transferError = null;
  h.clock.at = h.clock.at.add({ seconds: 31 });
  h.issuer.losesAnswers = true; // m1 is made, and its answer lost
  await h.service.engine.drain().catch(() => undefined);
  h.issuer.losesAnswers = false;
  gate.open(); // the sleeper wakes: m2
  await sleeping.catch(() => undefined);
  await h.runUntil(later.subtract({ seconds: 1 }));
  h.issuer.transferError = 'technical'; // the money of the second payment has to wait a moment
  await h.runUntil(later);
  h.issuer.transferError = null;
  await h.runUntil(later.add({ minutes: 10 }));
  const ids = [...(await paymentsOf(h, a.id)), ...(await paymentsOf(h, b.id))].map((p) => p.id);
  const moved = ids.map((id) =>
    [...h.issuer.orders.values()]
      .filter((m) => m.idempotencyKey?.startsWith(`${id}-m`) && m.status === 'settled')
      .map((m) => m.idempotencyKey?.slice(26)),
  );
  assert.deepEqual(
    moved.map((m) => m.length),
    [1, 1],
    `the issuer moved ${JSON.stringify(moved)}`,
  );
});

test('F6: money whose notice is lost is found, though the bank never says more than ACSC', async () => {
  const { onPayIn } = h.issuer;
  h.bank.mood.slow = true;
  const id = await justDue();
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const atBank = h.bank.paymentOf(paymentId, 1);
  h.issuer.onPayIn = null;
  h.bank.credit(atBank);
  atBank.status = 'debited';
  h.issuer.onPayIn = onPayIn;
  h.bank.cheerUp();
  await runFor({ hours: 24 * 3 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('F7: a token endpoint that finds fault with our client fails no collection for good', async () => {
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

test('F8: one merchant whose settlement cannot be opened holds up nobody else', async () => {
  const good = await h.merchant();
  const bad = await h.merchant();
  const [first, second] = [good, bad].sort((x, y) => (x.merchantId < y.merchantId ? -1 : 1));
  assert.ok(first && second);
  const start = h.clock.at.round('second').add({ hours: 1 });
  for (const m of [good, bad])
    await m.agreed({ start_date: start.toString(), customer: { phone: '+447700900123' } });
  await h.runUntil(start.add({ minutes: 5 }));
  await h.db.transaction((tx) =>
    tx.run('UPDATE merchants SET settlement_account = $2 WHERE merchant_id = $1', [
      bad.merchantId,
      'v1.other.broken',
    ]),
  );
  await runFor({ hours: 24 * 5 }).catch(() => undefined);
  for (let n = 0; n < 3; n++) await h.service.engine.drain().catch(() => undefined);
  const settled = await settlementsOf(h, good);
  assert.ok(settled.length > 0, 'the good merchant was not paid out in five days');
});
