import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { countUnknownPayOuts } from '../../server/src/operators/metrics/books-store.ts';
import { giveUpPayment } from '../../server/src/payments/operator/give-up.ts';
import { type Issuer, IssuerRefused, IssuerUnavailable } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  bankConsentOf,
  onlyPaymentOf,
  paymentsOf,
  refund,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { failingAt, justDue, newPhone } from './acts.ts';

const { h, runFor } = oneForEach();

test('the key of a transfer never changes while an order under the present one has no known outcome', async () => {
  const phone = '+447700900999';
  const start = h.clock.at.round('second').add({ hours: 1 });
  const a = await h.agreed({ start_date: start.toString(), customer: { phone } });
  const later = start.add({ hours: 1 });
  const b = await h.agreed({ start_date: later.toString(), customer: { phone } });
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  h.issuer.transferError = 'technical';
  const gate = new Gate();
  let heard = false;
  const transfer: Issuer['transfer'] = async (orders) => {
    const movements = await h.issuer.transfer(orders);
    if (!heard) {
      heard = true;
      await gate.pass();
    }
    return movements;
  };
  const slow = h.another({
    issuer: (issuer) =>
      new Proxy(issuer, {
        get: (target, name) =>
          name === 'transfer'
            ? transfer
            : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
      }),
  });
  const sleeping = slow.engine.drain();
  await gate.reached; // it has read "failed" for m0, and not recorded it
  h.clock.at = h.clock.at.add({ seconds: 121 });
  await h.service.engine.drain(); // the lease is over: m0 is tried again, failed and recorded; m1 follows in 30 to 38 s
  h.issuer.transferError = null;
  h.clock.at = h.clock.at.add({ seconds: 38 });
  h.issuer.losesAnswers = true; // m1 is made, and its response is lost
  await h.service.engine.drain().catch(() => undefined);
  h.issuer.losesAnswers = false;
  gate.open(); // the suspended process continues: m2
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

test('money whose notice is lost is found, though the bank never says more than ACSC', async () => {
  const { onPayIn } = h.issuer;
  h.bank.mood.slow = true;
  const id = await justDue(h);
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

test('one merchant whose settlement cannot be opened holds up nobody else', async () => {
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

test('a consent whose bank does not answer the check is asked about again before the collection', async () => {
  const start = h.clock.at.round('second').add({ hours: 72 });
  const { id } = await h.agreed({
    start_date: start.toString(),
    customer: { phone: '+447700900321' },
  });
  let asked = 0;
  const readConsent = h.bank.readConsent.bind(h.bank);
  h.bank.readConsent = async (bankConsentId) => {
    asked += 1;
    if (asked < 3) throw new BankUnavailable('the bank is down');
    return readConsent(bankConsentId);
  };
  await h.runUntil(start.subtract({ hours: 1 }));
  assert.equal(asked, 3);
  assert.equal((await h.show(id)).status, 'active');
});

test('a pay-out that the issuer refuses has failed, and its money is settled again', async () => {
  const start = h.clock.at.round('second').add({ hours: 1 });
  await h.agreed({ start_date: start.toString(), customer: { phone: '+447700900322' } });
  const { payOut } = h.issuer;
  h.issuer.payOut = async () => {
    throw new IssuerRefused('wallet_closed', 'The wallet is closed.');
  };
  await h.runUntil(start.add({ hours: 24 }));
  const [refused] = await settlementsOf(h, h);
  assert.equal(refused?.status, 'failed');
  h.issuer.payOut = payOut;
  await h.runUntil(start.add({ hours: 24 * 3 }));
  assert.ok((await settlementsOf(h, h)).some((s) => s.status === 'success'));
});

test('pay-outs that the issuer does not answer are counted, with the age of the oldest', async () => {
  const id = await justDue(h);
  await h.runUntil(h.clock.at.add({ minutes: 20 }));
  const [payment] = await paymentsOf(h, id);
  const { payOut } = h.issuer;
  h.issuer.payOut = async () => {
    throw new IssuerUnavailable('lost on the way');
  };
  const unknown = () => h.db.read((tx) => countUnknownPayOuts(tx));
  const asked = h.clock.at;
  await refund(h, payment?.id ?? '', { amount: { value: 100, currency: 'GBP' } });
  await h.runUntil(asked.add({ hours: 30 }));
  const found = await unknown();
  h.issuer.payOut = payOut;
  const [settlement] = await settlementsOf(h, h);
  assert.deepEqual(
    found.map(({ kind, count, oldest }) => [kind, count, String(oldest)]),
    [
      ['settlement', 1, String(Temporal.Instant.from(settlement?.created_at ?? ''))],
      ['refund', 1, String(asked)],
    ],
  );
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  assert.deepEqual(
    (await unknown()).map(({ count, oldest }) => [count, oldest]),
    [
      [0, null],
      [0, null],
    ],
  );
});

/** Sets up an attempt that was sent and whose outcome is unknown, and another that falls due when the first is queried again. */
async function askedAgainBeside(): Promise<{ lost: string; other: string }> {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const body = (at: Temporal.Instant) => ({
    start_date: at.toString(),
    customer: { phone: newPhone() },
  });
  const { id: lost } = await h.agreed(body(start));
  const { id: other } = await h.agreed(body(start.add({ seconds: 3 })));
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new BankUnavailable('lost on the way');
  };
  await h.service.engine.drain();
  h.bank.before = null;
  h.clock.at = start.add({ seconds: 3 });
  return { lost, other };
}

test('what was learned of a batch is recorded though the database fails in the middle of it', async () => {
  const { lost, other } = await askedAgainBeside();
  h.issuer.onPayIn = null; // only the bank's own report counts
  h.bank.consents.delete(await bankConsentOf(h, lost)); // its repeat is refused: the consent is read
  const failing = h.another({ db: (db) => failingAt(db, 'SET check_at = $1 FROM consents') });
  await failing.engine.drain();
  const [attempt] = (await onlyPaymentOf(h, other)).attempts;
  assert.equal(attempt?.bank_status, 'ACCC', 'the bank said so');
});

test('money of another amount under the name of an attempt does not pay for it', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new BankUnavailable('lost on the way');
  };
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  for (const { wallet } of h.issuer.wallets.values())
    if (wallet.status === 'open')
      h.issuer.payIn({
        endToEndId: `${paymentId}-a1`,
        amountPence: 1,
        creditor: wallet.account.accountNumber,
      });
  await runFor({ hours: 30 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  await assertLaws(h);
  const said = { by: 'Ms Hill', reason: 'the bank has no such payment' };
  const given = giveUpPayment(h.service.authorisation, paymentId, said);
  await assert.rejects(given, /its money lies unallocated/);
  await assertLaws(h);
});
