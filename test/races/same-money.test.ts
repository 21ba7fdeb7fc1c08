import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type PayInNotice,
  recordPayIn,
  recordPayIns,
} from '../../server/src/payments/pay-ins/pay-ins.ts';
import type { LogEventCode } from '../../server/src/platform/log/log-events.ts';
import { readExternalReference } from '../../server/src/wallets/service.ts';
import { assertLaws, onlyPaymentOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, holdingBefore } from './acts.ts';

const { h, runFor } = oneForEach();

/** Returns the notices of the money of these payments, which nobody has recorded. */
function creditAll(): PayInNotice[] {
  const notices: PayInNotice[] = [];
  h.issuer.onPayIn = ({ externalReference }, { movementId, endToEndId, amountPence }) => {
    const wallet = readExternalReference(externalReference);
    assert.ok(wallet);
    notices.push({ ...wallet, movementId, endToEndId, amountPence, at: h.clock.at, payer: null });
  };
  for (const payment of h.bank.payments.values()) h.bank.credit(payment);
  return notices;
}

test('money that is on the list already is booked once, though a batch of notices names its payment', async () => {
  h.bank.mood.slow = true;
  const ids = await allDue(h, 2);
  await h.service.engine.drain();
  const [first, second] = creditAll();
  assert.ok(first && second);
  const work = { platform: h.platform, now: h.clock.at };
  const early = { ...first, endToEndId: null, at: first.at.subtract({ hours: 1 }) };
  await h.db.transaction((tx) => recordPayIn({ ...work, tx }, early));
  const together = h.db.transaction((tx) => recordPayIns({ ...work, tx }, [first, second]));
  await assert.rejects(together, /transfers_once_per_source_and_kind/);
  // As the inbox does with a batch that fails.
  for (const one of [first, second])
    await h.db.transaction((tx) => recordPayIn({ ...work, tx }, one));
  await runFor({ hours: 1 });
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('money that another transaction is just booking is not taken for unexpected money', async () => {
  h.bank.mood.slow = true;
  const ids = await allDue(h, 2);
  await h.service.engine.drain();
  const notices = creditAll();
  const [first] = notices;
  assert.ok(first);
  const reported: string[] = [];
  const log = { ...h.platform.log, report: (code: LogEventCode) => void reported.push(code) };
  const platform = { ...h.platform, log };
  const now = h.clock.at;
  const locking = new Gate();
  const slow = holdingBefore(h.db, 'SELECT w.payment_id', locking);
  const alone = slow.transaction((tx) => recordPayIn({ platform, tx, now }, first));
  await Promise.race([locking.reached, alone]); // the payment is next
  await h.db.transaction((tx) => recordPayIns({ platform, tx, now }, notices));
  locking.open();
  await alone;
  assert.deepEqual(reported, []);
  await runFor({ hours: 1 });
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});
