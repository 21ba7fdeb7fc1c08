import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stepsOf } from '../../dashboard/src/pages/settlements/steps.ts';
import type { SettlementView } from '../../server/src/settlements/view.ts';
import {
  assertLaws,
  paymentsIn,
  paymentsOf,
  refund,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { feesFromTomorrow } from '../../server/test-support/fees.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

/** What happens to one customer's daily collections. */
interface Life {
  pence: number;
  refunded: number;
  isRecalled: boolean;
}

const life: fc.Arbitrary<Life> = fc.record({
  pence: fc.integer({ min: 200, max: 90_000 }),
  refunded: fc.integer({ min: 0, max: 199 }),
  isRecalled: fc.boolean(),
});
const book = fc.record({
  lives: fc.array(life, { minLength: 1, maxLength: 4 }),
  fails: fc.boolean(),
});

/** Lives a week in which the first pay-out may fail, and payments are refunded and recalled. */
async function live(h: Harness, { lives, fails }: { lives: Life[]; fails: boolean }) {
  await feesFromTomorrow(h, { fixedPence: 1, basisPoints: 150 });
  const ids: string[] = [];
  for (const [n, { pence: value }] of lives.entries()) {
    const customer = { phone: `+4477009005${String(n).padStart(2, '0')}` };
    const amount = { value, currency: 'GBP' };
    const start_date = '2026-01-06T09:00:00Z';
    ids.push((await h.agreed({ frequency: 'daily', start_date, amount, customer })).id);
  }
  h.issuer.payOutError = fails ? 'invalid_account' : null;
  await h.runUntil('2026-01-07T12:00:00Z');
  h.issuer.payOutError = null;
  for (const [n, { refunded: value, isRecalled }] of lives.entries()) {
    const [payment] = await paymentsOf(h, ids[n] ?? '');
    assert.equal(payment?.status, 'success');
    if (value > 0) await refund(h, payment.id, { amount: { value, currency: 'GBP' } });
    if (isRecalled) recall(h, payment.amount.value);
  }
  await h.runUntil('2026-01-12T12:00:00Z');
}

/** The bank of a customer recalls one pay-in of this amount. */
function recall(h: Harness, pence: number): void {
  const movements = [...h.issuer.wallets.values()].flatMap((one) => one.movements);
  const payIn = movements.find((one) => one.kind === 'payin' && one.amountPence === pence);
  assert.ok(payIn);
  h.issuer.recall(payIn);
}

async function assertAddsUp(h: Harness, settlement: SettlementView): Promise<void> {
  const { gross, refunds, fees, carried, amount } = settlement;
  assert.equal(gross.value - refunds.value - fees.value - carried.value, amount.value);
  const [last, paid] = stepsOf(settlement).slice(-2);
  assert.deepEqual([paid?.value, last?.to], [amount.value, amount.value]);
  if (settlement.status !== 'success') return; // its payments went on to a later one
  const payments = await paymentsIn(h, settlement.id);
  const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);
  assert.equal(sum(payments.map((one) => one.amount.value)), gross.value);
  assert.equal(sum(payments.map((one) => one.fee?.value ?? 0)), fees.value);
}

test('in whatever books, collected less refunds, fees and what was recalled is what was paid out', async () => {
  const netted = { refunds: 0, fees: 0, carried: 0 };
  for (const one of fc.sample(book, { numRuns: 3, seed: 46 })) {
    const h = await openHarness('2026-01-05T09:30:00Z');
    try {
      await live(h, one);
      const settlements = await settlementsOf(h);
      assert.ok(settlements.length > 1);
      for (const settlement of settlements) {
        await assertAddsUp(h, settlement);
        for (const what of ['refunds', 'fees', 'carried'] as const)
          netted[what] += settlement[what].value;
      }
      const references = settlements.map((settlement) => settlement.statement_reference);
      assert.equal(new Set(references).size, references.length);
      await assertLaws(h);
    } finally {
      await h.close();
    }
  }
  for (const [what, pence] of Object.entries(netted)) assert.ok(pence > 0, `nothing of ${what}`);
});
