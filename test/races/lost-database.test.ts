import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { settlementMoment } from '../../server/src/settlements/settlement-day.ts';
import {
  assertLaws,
  eventsOf,
  paymentsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { debitsOf, justDue } from './acts.ts';

let h: Harness;

before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(() => assertLaws(h));
after(() => h.close());

/** Loses everything that was written to the database during `work`, and lets another process continue with the backup. */
async function loseWhatIsWritten(work: () => Promise<void>): Promise<void> {
  const restore = await h.backUp();
  await work();
  await restore();
  await h.runUntil(h.clock.at.add({ hours: 2 }), h.another());
}

async function assertCollectedOnce(id: string): Promise<void> {
  const [payment, ...others] = await paymentsOf(h, id);
  assert.equal(others.length, 0);
  assert.equal(payment?.status, 'success');
  assert.equal(debitsOf(h, payment.id), 1);
  const kinds = (await eventsOf(h, id)).map((event) => event.kind);
  assert.deepEqual(kinds, ['schedule.setup_success', 'collection.success']);
}

test('a database that loses the minute in which a payment was made debits the customer once', async () => {
  const id = await justDue(h);
  const debitsBefore = h.bank.payments.size;
  await loseWhatIsWritten(() => h.runUntil(h.clock.at.add({ minutes: 1 })));
  assert.equal(h.bank.payments.size, debitsBefore + 1, 'the bank was asked for one payment');
  await assertCollectedOnce(id);
});

test('the same where the answer of the bank was lost too', async () => {
  const id = await justDue(h);
  const debitsBefore = h.bank.payments.size;
  await loseWhatIsWritten(async () => {
    h.bank.mood.losesAnswers = true;
    await h.runUntil(h.clock.at.add({ seconds: 1 }));
    h.bank.cheerUp();
  });
  assert.equal(h.bank.payments.size, debitsBefore + 1, 'the bank was asked for one payment');
  await assertCollectedOnce(id);
});

test('a payment has the same id in every database that opens its occurrence', async () => {
  const id = await justDue(h);
  const seen: string[] = [];
  const restore = await h.backUp();
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  seen.push(...(await paymentsOf(h, id)).map((payment) => payment.id));
  await restore();
  await h.runUntil(h.clock.at.add({ minutes: 1 }), h.another());
  seen.push(...(await paymentsOf(h, id)).map((payment) => payment.id));
  assert.equal(seen.length, 2);
  assert.equal(seen[0], seen[1]);
});

test('a settlement that was paid out before the database was lost is paid out once', async () => {
  const id = await justDue(h);
  await h.runUntil(h.clock.at.add({ minutes: 1 }));
  const [payment] = await paymentsOf(h, id);
  assert.equal(payment?.status, 'success');
  const payAt = settlementMoment(h.clock.at).payAt;
  await h.runUntil(payAt.subtract({ seconds: 1 }));
  await loseWhatIsWritten(() => h.runUntil(payAt));
  const payOuts = [...h.issuer.orders.values()].filter(
    (movement) =>
      movement.kind === 'payout' && Temporal.Instant.compare(movement.createdAt, payAt) >= 0,
  );
  assert.equal(payOuts.length, 1, 'the issuer paid out once');
  const [settlement] = await settlementsOf(h);
  assert.equal(settlement?.status, 'success');
});
