import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingOf } from '../../server/src/app/wiring/operators.ts';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { listOverdue } from '../../server/src/laws/invariants/overdue-store.ts';
import { partsOf } from '../../server/src/operators/metrics/books.ts';
import { type EndDecision, endOverdue } from '../../server/src/operators/overdue/service.ts';
import { OperatorRefusal } from '../../server/src/payments/operator/decide.ts';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  refund,
  refundsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach('2026-01-05T09:30:00Z'); // a Monday

const overdue = () => h.db.read((tx) => listOverdue(tx, h.clock.at, 100));
const shown = async () => (await overdue()).map(({ noun, state }) => `${noun} ${state}`);

const end = (noun: string, id: string, word: Partial<EndDecision> & Pick<EndDecision, 'outcome'>) =>
  endOverdue(
    { ...h.service.authorisation, ...endingOf(h.service) },
    { noun, id },
    {
      by: 'Ms Hill',
      reason: 'the issuer said so by telephone',
      ...word,
    },
  );

/** Returns the value of a gauge, from the books. */
async function gauge(name: string, labels: Record<string, string>): Promise<number | undefined> {
  const parts = partsOf({ platform: h.platform, stages: [], banks: [] });
  const samples = await Promise.all(
    parts.map((part) => h.db.read((tx) => part.read(tx, h.clock.at))),
  );
  const found = samples
    .flat()
    .find((one) => one.name === name && JSON.stringify(one.labels) === JSON.stringify(labels));
  return found?.value;
}

/** A settlement whose pay-out has been pending at the issuer for six days. */
async function pendingPayOut(): Promise<string> {
  h.issuer.slowPayOuts = true;
  await dueInAnHour(h, { frequency: 'yearly' });
  await h.runUntil('2026-01-12T09:00:00Z');
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'processing');
  return settlement?.id ?? '';
}

test('a pay-out that stays pending at the issuer is on a list, with its age, and in the metrics', async () => {
  const id = await pendingPayOut();
  const [found] = await overdue();
  assert.deepEqual([found?.noun, found?.state, found?.id], ['settlements', 'track', id]);
  assert.equal(await gauge('recollect_overdue', { noun: 'settlements', state: 'track' }), 1);
  assert.equal(await gauge('recollect_pay_outs_outcome_unknown', { kind: 'settlement' }), 1);
  const age = await gauge('recollect_pay_outs_outcome_unknown_oldest_age_seconds', {
    kind: 'settlement',
  });
  assert.ok((age ?? 0) > 5 * 86_400, `${age}`);
});

test('an operator ends it with evidence: paid, or not paid, and its money goes out later', async () => {
  const id = await pendingPayOut();
  await assert.rejects(end('settlements', id, { outcome: 'done' }), OperatorRefusal);
  await end('settlements', id, { outcome: 'done', evidence: 'their statement' });
  assert.equal((await settlementsOf(h))[0]?.status, 'success');
  assert.deepEqual(await shown(), []);
  h.issuer.endPayOut(`${id}-1`, null);
});

test('a pay-out that was not made goes out with a later settlement', async () => {
  const id = await pendingPayOut();
  h.issuer.slowPayOuts = false;
  await end('settlements', id, { outcome: 'not_done', evidence: 'their letter' });
  h.issuer.endPayOut(`${id}-1`, 'cancelled');
  await runFor({ hours: 48 });
  const all = (await settlementsOf(h)).map(({ status, amount }) => `${status} ${amount.value}`);
  assert.deepEqual(all, ['failed 4999', 'success 4999']);
});

test('what the issuer knows itself is not ended by a word', async () => {
  const id = await pendingPayOut();
  h.issuer.endPayOut(`${id}-1`, null);
  await assert.rejects(
    end('settlements', id, { outcome: 'not_done', evidence: 'a guess' }),
    /settled: it is recorded automatically/,
  );
  await runFor({ hours: 2 });
  assert.equal((await settlementsOf(h))[0]?.status, 'success');
});

test('a refund that stays pending at the issuer for days is on the list, and ends by a word', async () => {
  h.issuer.slowPayOuts = true;
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const { id: refundId } = await refund(h, paymentId);
  await runFor({ hours: 40 * 24 });
  assert.deepEqual(await shown(), ['refunds track']);
  await end('refunds', refundId, { outcome: 'not_done', evidence: 'their letter' });
  assert.equal((await refundsOf(h))[0]?.status, 'failed');
  h.issuer.slowPayOuts = false;
  h.issuer.endPayOut(refundId, 'cancelled');
  await runFor({ hours: 1 });
});

test('a payment in transfer is on the list too', async () => {
  h.issuer.transferError = 'wallet_blocked';
  await dueInAnHour(h, { frequency: 'yearly' });
  await runFor({ hours: 24 });
  assert.deepEqual(await shown(), ['payments move']);
  assert.equal(await gauge('recollect_payments_waiting', { reason: 'not_transferred' }), 1);
  h.issuer.transferError = null;
  await runFor({ hours: 1 });
  assert.deepEqual(await shown(), []);
});

test('what has just begun is on no list', async () => {
  h.bank.mood.slow = true;
  h.issuer.slowPayOuts = true;
  await dueInAnHour(h, { frequency: 'yearly' });
  await h.create({});
  assert.deepEqual(await shown(), []);
});

test('the invariant speaks where something old is on no list', async () => {
  await pendingPayOut();
  const law = async () =>
    (await checkLaws(h.platform)).find((one) => one.law === 'nothing-waits-unseen')?.broken;
  assert.deepEqual(await law(), []);
  const setAttempts = (attempts: number) =>
    h.db.transaction((tx) => tx.run('UPDATE settlements SET attempts = $1', [attempts]));
  await setAttempts(2); // by hand: nothing says since when it is under way
  assert.equal((await law())?.length, 1);
  await setAttempts(1);
  await assertLaws(h);
});
