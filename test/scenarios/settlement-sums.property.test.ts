import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import fc from 'fast-check';
import { stepsOf } from '../../dashboard/src/pages/settlements/steps.ts';
import { assertLaws, paymentsIn, paymentsOf, refund, settlementsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
afterEach(() => h.close());

/** What happens to one customer's daily collections. */
const life = fc.record({
  pence: fc.integer({ min: 200, max: 90_000 }),
  refunded: fc.option(fc.integer({ min: 1, max: 199 }), { nil: null }),
  isRecalled: fc.boolean(),
});

test('in whatever books, collected less refunds, fees and what was recalled is what was paid out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), fc.boolean(), async (lives, fails) => {
      h = await openHarness('2026-01-05T09:30:00Z');
      const ids: string[] = [];
      for (const [n, { pence }] of lives.entries()) {
        const customer = { phone: `+4477009005${String(n).padStart(2, '0')}` };
        const amount = { value: pence, currency: 'GBP' };
        ids.push((await h.agreed({ frequency: 'daily', amount, customer })).id);
      }
      h.issuer.payOutError = fails ? 'invalid_account' : null;
      await h.runUntil('2026-01-07T12:00:00Z');
      h.issuer.payOutError = null;
      for (const [n, { refunded, isRecalled }] of lives.entries()) {
        const [payment] = await paymentsOf(h, ids[n] ?? '');
        if (payment?.status !== 'success') continue;
        if (refunded !== null) await refund(h, payment.id, refunded);
        if (isRecalled) recall(payment.amount.value);
      }
      await h.runUntil('2026-01-12T12:00:00Z');
      const settlements = await settlementsOf(h);
      assert.ok(settlements.length > 1);
      for (const settlement of settlements) {
        const { gross, refunds, fees, carried, amount } = settlement;
        const payments = await paymentsIn(h, settlement.id);
        const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);
        if (settlement.status === 'success') {
          assert.equal(sum(payments.map((one) => one.amount.value)), gross.value);
          assert.equal(sum(payments.map((one) => one.fee?.value ?? 0)), fees.value);
        }
        assert.equal(gross.value - refunds.value - fees.value - carried.value, amount.value);
        const [paid, last] = stepsOf(settlement).slice(-2).toReversed();
        assert.deepEqual([paid?.value, last?.to], [amount.value, amount.value]);
      }
      const references = settlements.map((one) => one.statement_reference);
      assert.equal(new Set(references).size, references.length);
      await assertLaws(h);
      await h.close();
    }),
    { numRuns: 4 },
  );
});

/** The bank of a customer recalls one pay-in of this amount. */
function recall(pence: number): void {
  const [payIn] = [...h.issuer.wallets.values()]
    .flatMap(({ movements }) => movements)
    .filter(({ kind, amountPence }) => kind === 'payin' && amountPence === pence);
  assert.ok(payIn);
  h.issuer.recall(payIn);
}
