import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import type { HoldKind } from '../../server/src/merchants/holds/hold.ts';
import { resumeBank, stopBank } from '../../server/src/operators/banks/service.ts';
import { setHold } from '../../server/src/operators/merchants/service.ts';
import {
  assertLaws,
  collectOnceFrom,
  onlyPaymentOf,
  paymentsOf,
  retryByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, debitsOf, dueWithRoom, holdingBefore, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

/** The first statement of the transaction that notes an order. */
const NOTING = 'pg_advisory_xact_lock_shared';
const WORD = { by: 'Robin Fern', reason: 'fraud alert' };

const setMerchantHold = (kind: HoldKind, isHeld: boolean): Promise<boolean> =>
  h.db.transaction((tx) =>
    setHold(h.platform, { tx, now: h.clock.at, merchantId: h.merchantId }, kind, {
      ...WORD,
      isHeld,
    }),
  );

const aboutBank = () => ({ now: h.clock.at, bankId: h.bank.bankId });

/** The holds that stop payment orders: how each is given, and ended. */
const HOLDS = {
  'a suspension of the merchant': {
    give: () => setMerchantHold('suspended', true),
    end: () => setMerchantHold('suspended', false),
  },
  'a stop of the bank': {
    give: () => h.db.transaction((tx) => stopBank({ tx, ...aboutBank() }, WORD, [h.bank.bankId])),
    end: () => h.db.transaction((tx) => resumeBank({ tx, ...aboutBank() }, WORD)),
  },
};

for (const [what, { give, end }] of Object.entries(HOLDS)) {
  test(`8 due payments are not sent during ${what}, and each once after it`, async () => {
    const ids = await allDue(h, 8);
    await give();
    const other = h.another();
    await Promise.all([h.service.engine.drain(), other.engine.drain()]);
    await runFor({ hours: 5 });
    assert.equal(h.bank.submitted.length, 0);
    await end();
    await Promise.all([h.service.engine.drain(), other.engine.drain()]);
    await runFor({ minutes: 20 });
    for (const id of ids) {
      const payment = await onlyPaymentOf(h, id);
      assert.equal(payment.status, 'success', what);
      assert.equal(debitsOf(h, payment.id), 1);
    }
    await assertLaws(h);
  });

  test(`an order that is claimed and checked when ${what} comes is not sent`, async () => {
    const id = await justDue(h);
    const checked = new Gate();
    const slow = h.another({
      db: (db) => holdingBefore(db, NOTING, checked),
    });
    const sending = slow.engine.drain();
    await checked.reached;
    await give();
    checked.open();
    await sending;
    assert.equal(h.bank.submitted.length, 0);
    await runFor({ hours: 1 });
    assert.equal(h.bank.submitted.length, 0);
    await end();
    await runFor({ minutes: 20 });
    assert.equal((await onlyPaymentOf(h, id)).status, 'success');
    await assertLaws(h);
  });

  test(`${what} waits for an order that is being noted, which counts as sent before it`, async () => {
    const id = await justDue(h);
    const noted = new Gate();
    const slow = h.another({
      db: (db) => holdingBefore(db, 'INSERT INTO payment_orders', noted),
    });
    const sending = slow.engine.drain();
    await noted.reached;
    let isHeld = false;
    const holding = give().then(() => {
      isHeld = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(isHeld, false, 'the hold waits until the order is noted');
    noted.open();
    await Promise.all([holding, sending]);
    await runFor({ hours: 1 });
    assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 1);
    await assertLaws(h);
  });

  test(`an order that may have arrived is not repeated during ${what}; its money is taken`, async () => {
    const id = await dueWithRoom(h);
    h.bank.before = async (call) => {
      if (call === 'submitPayment') throw new BankUnavailable('lost');
    };
    await h.service.engine.drain();
    const before = h.bank.submitted.length;
    await give();
    h.bank.cheerUp();
    await runFor({ hours: 6 });
    assert.equal(h.bank.submitted.length, before);
    assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
    await end();
    await runFor({ hours: 1 });
    const payment = await onlyPaymentOf(h, id);
    assert.deepEqual([payment.status, debitsOf(h, payment.id)], ['success', 1]);
    await assertLaws(h);
  });

  test(`a retry that falls due during ${what} is sent after it, as the attempt it was`, async () => {
    const id = await dueWithRoom(h);
    h.bank.mood.funds = false;
    await h.service.engine.drain();
    h.bank.cheerUp();
    await give();
    await runFor({ hours: 30 });
    assert.equal(h.bank.submitted.length, 0);
    await end();
    await runFor({ minutes: 20 });
    const payment = await onlyPaymentOf(h, id);
    assert.deepEqual([payment.status, payment.attempts.length], ['success', 2]);
    await assertLaws(h);
  });
}

test('a suspended merchant opens no payment: occurrences wait, and each is collected once after the resume', async () => {
  const start = h.clock.at.add({ hours: 1 }).toString();
  const { id } = await h.agreed({ frequency: { type: 'daily' }, start_date: start });
  await runFor({ hours: 2 });
  const before = (await paymentsOf(h, id)).length;
  await setMerchantHold('suspended', true);
  await runFor({ hours: 50 });
  assert.equal((await paymentsOf(h, id)).length, before);
  await setMerchantHold('suspended', false);
  await runFor({ hours: 1 });
  const payments = await paymentsOf(h, id);
  assert.equal(new Set(payments.map((one) => one.due_date)).size, payments.length);
  assert.ok(payments.length >= before + 2, `${payments.length} payments`);
  await assertLaws(h);
});

test('other merchants are collected while one is suspended', async () => {
  const other = await h.merchant();
  const start_date = h.clock.at.add({ hours: 1 }).toString();
  const { id } = await other.agreed({ start_date });
  await justDue(h);
  await setMerchantHold('suspended', true);
  await runFor({ hours: 1 });
  assert.equal((await paymentsOf(h, id, other))[0]?.status, 'success');
});

test('a suspended merchant creates, retries and collects nothing, and can pause and cancel', async () => {
  const id = await dueWithRoom(h);
  h.bank.mood.refuses = 'final';
  await h.service.engine.drain();
  h.bank.cheerUp();
  await setMerchantHold('suspended', true);
  const refused = { code: 'merchant_suspended' };
  await assert.rejects(h.create(), refused);
  await assert.rejects(
    collectOnceFrom(h, id, { amount: { value: 100, currency: 'GBP' } }),
    refused,
  );
  await assert.rejects(retryByHand(h, (await onlyPaymentOf(h, id)).id), refused);
  await h.update(id, { status: 'paused' });
  await h.update(id, { status: 'cancelled' });
  await assertLaws(h);
});

test('a held settlement waits with its money, and is paid once after the release', async () => {
  await justDue(h);
  await runFor({ minutes: 5 });
  h.clock.at = Temporal.Instant.from('2026-01-06T05:59:00Z');
  const paying = new Gate();
  const slow = h.another({ db: (db) => holdingBefore(db, 'SET ordered_at', paying) });
  await setMerchantHold('pay_outs', true);
  await runFor({ hours: 30 });
  assert.deepEqual(await settlementsOf(h), []);
  await setMerchantHold('pay_outs', false);
  const done = h.runUntil('2026-01-08T06:30:00Z', slow);
  await paying.reached;
  paying.open();
  await done;
  assert.deepEqual(
    (await settlementsOf(h)).map((one) => one.status),
    ['success'],
  );
  await assertLaws(h);
});

test('a settlement that is claimed when the pay-outs are held is not ordered', async () => {
  await justDue(h);
  await runFor({ minutes: 5 });
  const claimed = new Gate();
  const slow = h.another({
    db: (db) => holdingBefore(db, NOTING, claimed),
  });
  const done = h.runUntil('2026-01-06T06:10:00Z', slow);
  await claimed.reached;
  await setMerchantHold('pay_outs', true);
  claimed.open();
  await done;
  const waiting = await settlementsOf(h);
  assert.deepEqual(
    waiting.map((one) => one.status),
    ['pending'],
  );
  assert.equal(h.issuer.orders.has(`${waiting[0]?.id}-1`), false);
  await runFor({ hours: 10 });
  assert.equal((await settlementsOf(h))[0]?.status, 'pending');
  await setMerchantHold('pay_outs', false);
  await runFor({ minutes: 1 });
  assert.equal((await settlementsOf(h))[0]?.status, 'success');
  await assertLaws(h);
});
