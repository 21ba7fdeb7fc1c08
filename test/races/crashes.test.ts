// Slow: kills a process at every step of a collection.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import { Doomed } from '../../server/test-support/crash.ts';
import { feesFromTomorrow, feeWalletPence } from '../../server/test-support/fees.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const MAX_STEPS = 60;
const FEE = 20;

/**
 * Runs one more month. The collection is due on the 10th and settled within days: from the 9th a process runs that crashes at a
 * step, until another takes over. Returns whether it crashed.
 */
async function monthWithDeath(
  h: Harness,
  month: Temporal.PlainDate,
  step: number,
  afterwards: boolean,
): Promise<boolean> {
  const doomed = new Doomed(step, afterwards);
  const process = h.another(doomed.wrap);
  await h.runUntil(`${month.with({ day: 9 })}T12:00:00Z`);
  await h.runUntil(`${month.with({ day: 14 })}T12:00:00Z`, process).catch(() => undefined);
  await h.runUntil(`${month.with({ day: 24 })}T12:00:00Z`);
  return doomed.isDead;
}

async function assertInOrder(h: Harness, months: number): Promise<void> {
  const payments = await h.db.read((tx) =>
    tx.rows<{ status: string }>('SELECT status FROM payments'),
  );
  assert.deepEqual(
    payments.map((p) => p.status),
    Array.from({ length: months }, () => 'success'),
  );
  assert.equal(h.bank.payments.size, months, 'the bank was debited once for each payment');
  assert.equal(feeWalletPence(h), months * FEE, 'each fee was transferred once');
  for (const finding of [
    ...(await checkLaws(h.platform)),
    await compareWithIssuer(h.platform, h.issuer),
  ])
    assert.deepEqual(finding.broken, [], finding.law);
}

describe('a process killed at any step of a collection', () => {
  let h: Harness;
  before(async () => {
    // The safeguarding days between are killed by a test of their own: safeguarding-crashes.test.ts.
    const safeguarding = { seat: 'initiation_only', at: Temporal.PlainTime.from('00:00') } as const;
    h = await openHarness('2026-01-05T09:30:00Z', { safeguarding });
    await feesFromTomorrow(h, { fixedPence: FEE });
    const created = await h.create();
    await h.decide(created.consent_url);
  });
  after(() => h.close());

  for (const afterwards of [false, true])
    test(`${afterwards ? 'after' : 'before'} the step: never two debits, never a lost event`, async () => {
      const seen = await h.db.read((tx) =>
        tx.rows<{ n: number }>('SELECT count(*) AS n FROM payments'),
      );
      let month = Temporal.PlainDate.from('2026-01-01').add({ months: seen[0]?.n ?? 0 });
      let months = seen[0]?.n ?? 0;
      for (let step = 1; step <= MAX_STEPS; step++) {
        const died = await monthWithDeath(h, month, step, afterwards);
        months += 1;
        month = month.add({ months: 1 });
        await assertInOrder(h, months);
        if (!died) {
          assert.ok(step > 10, `a collection takes more than ${step} steps`);
          return;
        }
      }
      assert.fail(`a month takes more than ${MAX_STEPS} steps`);
    });
});
