import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { many } from '../../../test-support/many-rows.ts';
import { rowsRead } from '../../../test-support/rows-read.ts';
import { brokenIn, RolledBack, within } from '../../../test-support/slices/laws.ts';
import type { Tx } from '../../platform/db/db.ts';
import { compareWithIssuer } from '../reconciliation/issuer-comparison.ts';
import { checkInvariants } from '../run/invariant-run.ts';
import { checkLaws } from './laws.ts';

let harness: Harness;

before(async () => {
  harness = await openHarness();
  const schedule = await harness.create();
  await harness.decide(schedule.consent_url);
  await harness.runUntil('2026-02-12T12:00:00Z'); // collected twice, settled twice
  for (const { law, broken } of await checkInvariants(harness.platform))
    assert.deepEqual(broken, [], law);
});

after(() => harness.close());

const brokenAfter = (...statements: string[]): Promise<Record<string, string[]>> =>
  brokenIn(harness, statements);

/** Makes changes, and expects exactly these laws to notice. */
async function notice(laws: string[], ...statements: string[]): Promise<void> {
  assert.deepEqual(Object.keys(await brokenAfter(...statements)).sort(), laws.sort());
}

test('after two collections and their settlements every law holds', async () => {
  const findings = await checkLaws(harness.platform);
  assert.ok(findings.length >= 9, `${findings.length} laws`);
  for (const { law, broken } of findings) assert.deepEqual(broken, [], law);
  const successes = await harness.db.read((tx) =>
    tx.rows(`SELECT FROM settlements WHERE status = 'success'`),
  );
  assert.equal(successes.length, 2);
});

test('a balance that was changed by hand is noticed, and by how much', async () => {
  const broken = await brokenAfter(
    `UPDATE accounts SET balance_pence = balance_pence + 7 WHERE kind = 'merchant_wallet'`,
  );
  assert.deepEqual(Object.keys(broken).sort(), [
    'balances-equal-transfers',
    'debits-equal-credits',
  ]);
  assert.match(broken['debits-equal-credits']?.[0] ?? '', /is off by 7$/);
  assert.match(broken['balances-equal-transfers']?.[0] ?? '', /has 7, its transfers say 0$/);
});

test('an order to a stopped bank and of a suspended merchant is noticed, and a held pay-out that was ordered', async () => {
  const values = "now(), 'Robin Fern', 'fraud alert', 0";
  const broken = await brokenAfter(
    `INSERT INTO bank_stops (bank_id, since, given_by, reason, sequence) VALUES ('fakebank', ${values})`,
    ...['suspended', 'pay_outs'].map(
      (kind) => `INSERT INTO merchant_holds (merchant_id, kind, since, given_by, reason, sequence)
         SELECT merchant_id, '${kind}', ${values} FROM merchants`,
    ),
  );
  assert.deepEqual(Object.keys(broken), ['nothing-while-held']);
  const said = broken['nothing-while-held']?.join('\n') ?? '';
  for (const what of ['its merchant was suspended', 'its bank was stopped', ' was ordered at '])
    assert.ok(said.includes(what), `${what} in ${said}`);
});

test('two balances changed so that the sum still fits are noticed', () =>
  notice(
    ['balances-equal-transfers'],
    `UPDATE accounts SET balance_pence = balance_pence + 7 WHERE kind IN ('merchant_wallet')`,
    `UPDATE accounts SET balance_pence = balance_pence - 7 WHERE kind = 'outside'`,
  ));

test('a transfer that was lost is noticed', () =>
  notice(
    ['balances-equal-transfers', 'one-success-per-payment'],
    `DELETE FROM transfers WHERE transfer_id = (SELECT min(transfer_id) FROM transfers WHERE kind = 'move')`,
  ));

test('a transfer with another amount is noticed', () =>
  notice(
    ['balances-equal-transfers', 'settlements-equal-payments'],
    `UPDATE transfers SET amount_pence = amount_pence - 1 WHERE kind = 'settle'`,
  ));

test('a wallet below zero is noticed', () =>
  notice(
    ['balances-equal-transfers', 'no-wallet-below-zero'],
    `UPDATE accounts SET balance_pence = balance_pence - 1 WHERE kind = 'customer_wallet'`,
    `UPDATE accounts SET balance_pence = balance_pence + 1 WHERE kind = 'outside'`,
  ));

test('a second attempt that worked is noticed', () =>
  notice(
    ['money-has-a-place', 'one-success-per-payment', 'within-limits'],
    `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
     SELECT merchant_id, payment_id, 2, false, 'success', started_at FROM attempts`,
  ));

test('work of a payment that has ended is noticed', () =>
  notice(
    ['every-attempt-can-end', 'nothing-waits-unseen'],
    `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at)
     SELECT merchant_id, payment_id, 'wait', bank_id, wallet_id, due_date FROM payments`,
  ));

test('a payment under way without work is noticed', () =>
  notice(
    ['every-attempt-can-end'],
    `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
       currency, due_date, status, created_at)
     SELECT merchant_id, payment_id || 'x', schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence, currency,
       due_date + interval '1 hour', 'pending', created_at FROM payments`,
  ));

test('money that moved twice for one payment is noticed', () =>
  notice(
    ['balances-equal-transfers', 'one-success-per-payment'],
    'ALTER TABLE transfers DROP CONSTRAINT transfers_once_per_source_and_kind',
    `INSERT INTO transfers SELECT merchant_id, transfer_id || 'x', kind, debit_account_id, credit_account_id,
       amount_pence, source_id, at FROM transfers WHERE kind = 'move'`,
  ));

test('a payment that was called failed though its money moved is noticed', () =>
  notice(
    ['collected-is-settled', 'one-event-per-outcome', 'one-success-per-payment'],
    `UPDATE payments SET status = 'failed', failed_at = completed_at, completed_at = NULL`,
  ));

for (const [what, change] of Object.entries({
  'before its consent was granted':
    "sent_at = sent_at - interval '30 days', started_at = started_at - interval '30 days'",
  'after its consent had ended': null,
}))
  test(`an attempt that was begun ${what} is noticed`, async () => {
    const statement =
      change === null
        ? `UPDATE consents SET ended_at = granted_at + interval '1 hour'`
        : `UPDATE attempts SET ${change}`;
    const broken = await brokenAfter(statement);
    assert.ok(broken['nothing-without-consent'], JSON.stringify(broken));
  });

for (const [what, no] of Object.entries({
  'a pause': "'paused'",
  'a cancellation': "'cancelled'",
}))
  test(`a repeated order after ${what} is noticed, though the first came before it`, () =>
    notice(
      ['nothing-without-consent'],
      `INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
       SELECT merchant_id, schedule_id, schedule_id, 'active', ${no}, 'planted', now() FROM schedules`,
      `INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
       SELECT merchant_id, payment_id, attempt, call + 1, sent_at FROM payment_orders`,
    ));

test('a repeated order after the end of the consent is noticed', () =>
  notice(
    ['nothing-without-consent'],
    `UPDATE consents SET ended_at = (SELECT max(sent_at) FROM payment_orders) + interval '1 hour'`,
    `INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
     SELECT merchant_id, payment_id, attempt, call + 1, sent_at + interval '60 days' FROM payment_orders`,
  ));

test('an order that never left is no order after a no', async () => {
  const broken = await brokenAfter(
    `INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at, taken_back_at)
     SELECT merchant_id, payment_id, attempt, call + 1, sent_at + interval '60 days', now() FROM payment_orders`,
  );
  assert.deepEqual(broken, {});
});

test('an attempt under a consent that never was is noticed', () =>
  notice(['nothing-without-consent'], `UPDATE consents SET granted_at = NULL`));

test('a collection that is due from a schedule that is paused, or has no agenda, is noticed', async () => {
  const laws = ['occurrences-accounted-for', 'only-active-schedules-are-due'];
  await notice(laws, `UPDATE schedules SET status = 'paused' WHERE status = 'active'`);
  await notice(laws, 'DELETE FROM schedule_agenda');
});

test('a settlement of another amount than its payments is noticed', () =>
  notice(
    ['settlements-equal-payments'],
    'UPDATE settlements SET amount_pence = amount_pence + 1, gross_pence = gross_pence + 1',
  ));

test('a fee that no terms ask for, one that was not taken and one that nobody transferred are noticed', async () => {
  await notice(
    ['fees-as-set', 'settlements-equal-payments'],
    `UPDATE payments SET fee_pence = 1 WHERE payment_id = (SELECT min(payment_id) FROM payments)`,
  );
  await notice(
    ['fees-as-set'],
    `INSERT INTO merchant_fees (merchant_id, from_at, fixed_pence, basis_points, set_by, set_at)
     SELECT merchant_id, '2026-02-01', 20, 0, 'operator:Robin Fern', '2026-01-31' FROM merchants`,
  );
  await notice(
    ['fees-have-a-place'],
    `INSERT INTO fee_transfers (merchant_id, settlement_id, fees_pence, order_pence, due_at, created_at)
     SELECT merchant_id, settlement_id, 5, 5, '2026-02-11', '2026-02-11' FROM settlements`,
  );
});

test('a payment that was left out of its settlement is noticed', () =>
  notice(
    ['collected-is-settled', 'settlements-equal-payments'],
    `UPDATE payments SET settlement_id = NULL WHERE payment_id = (SELECT min(payment_id) FROM payments)`,
  ));

test('a payment that is to be settled a business day late is noticed, and one that was put off is not', async () => {
  const again = (settleAt: string, putOff: string): string =>
    `INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence, put_off_from)
     SELECT merchant_id, payment_id, ${settleAt}, amount_pence, ${putOff} FROM payments`;
  const onItsDay = `(date_trunc('day', completed_at) + interval '54 hours')`; // collected on a Saturday: Tuesday
  const days = await brokenAfter(again(`${onItsDay} + interval '1 day'`, 'NULL'));
  assert.match(days['settled-on-its-day']?.[0] ?? '', /is to be settled at .*, not at /);
  const putOff = await brokenAfter(again(`now()`, 'completed_at'));
  assert.equal(putOff['settled-on-its-day'], undefined);
});

test('a payment that is in a settlement and to be settled too is noticed', () =>
  notice(
    ['collected-is-settled'],
    `INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
     SELECT merchant_id, payment_id, completed_at, amount_pence FROM payments`,
  ));

for (const kind of ['collection.success', 'settlement.success']) {
  test(`a ${kind} that was lost is noticed`, () =>
    notice(['one-event-per-outcome'], `DELETE FROM events WHERE kind = '${kind}'`));

  test(`a ${kind} that was told twice is noticed`, () =>
    notice(
      ['no-event-lost', 'one-event-per-outcome'],
      `INSERT INTO events (merchant_id, event_id, kind, schedule_id, sequence, subject_id, body, created_at)
       SELECT merchant_id, event_id || 'x', kind, schedule_id, sequence + 100, subject_id, body, created_at
       FROM events WHERE kind = '${kind}'`,
    ));
}

test('an event without an endpoint that is not on their list is noticed', () =>
  notice(
    ['no-event-lost'],
    `DELETE FROM events_without_endpoint WHERE event_id = (SELECT min(event_id) FROM events)`,
  ));

test('a granted consent that lost its grant is noticed', () =>
  notice(['granted-consents-have-grants'], 'DELETE FROM bank_grants'));

test('an event that lost its delivery is noticed', () =>
  notice(
    ['no-event-lost'],
    `INSERT INTO webhook_endpoints (merchant_id, endpoint_id, url, event_kinds, status, secret, created_at, updated_at)
     SELECT merchant_id, 'end_1', 'https://shop.example', '{}', 'enabled', '', now(), now() FROM merchants`,
    `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, created_at)
     SELECT merchant_id, event_id, event_id, 'end_1', 'held', now() FROM events`,
    'DELETE FROM events_without_endpoint',
    `DELETE FROM deliveries WHERE event_id = (SELECT min(event_id) FROM events)`,
  ));

test('a failed attempt without its event is noticed', () =>
  notice(
    ['one-event-per-outcome'],
    `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
     SELECT merchant_id, payment_id, 2, false, 'failed', started_at FROM attempts`,
  ));

test('a collection beyond the limits of its consent is noticed, and how', async () => {
  const less = (path: string): string =>
    `UPDATE consents SET control_parameters = jsonb_set(control_parameters, '${path}', '4998')`;
  const single = await brokenAfter(less('{maximumAmountPence}'));
  assert.deepEqual(Object.keys(single), ['within-limits']);
  assert.match(single['within-limits']?.[0] ?? '', /the most for one payment/);
  const period = await brokenAfter(less('{periodicLimits,0,amountPence}'));
  assert.deepEqual(Object.keys(period), ['within-limits']);
});

test('a payment that takes another amount than the terms that it names is noticed', async () => {
  await notice(['collected-as-set'], 'UPDATE schedule_terms SET amount_pence = amount_pence - 1');
});

test('a payment that does not take what was set for its occurrence is noticed', async () => {
  const set = (pence: string): string =>
    `INSERT INTO occurrence_changes (merchant_id, schedule_id, due_date, amount_pence, changed_at)
     SELECT merchant_id, schedule_id, due_date, ${pence}, created_at FROM payments`;
  await notice([], set('amount_pence'));
  await notice(['collected-as-set'], set('amount_pence - 1'));
  await notice(['collected-as-set'], set('amount_pence + 1')); // less than set, and nothing was accepted in part
  const skipped = await brokenAfter(set('NULL'));
  assert.match(skipped['collected-as-set']?.[0] ?? '', /takes 4999 though it was skipped/);
});

/** Makes the second payment belong to another schedule of the same customer, under the same consent. */
const OF_ANOTHER_SCHEDULE = [
  `INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
     terms_version, created_at, updated_at)
   SELECT merchant_id, 'sch_2', customer_id, customer_type, status, description, max_retries, terms_version, created_at,
     updated_at FROM schedules`,
  `INSERT INTO schedule_agenda (merchant_id, schedule_id) SELECT merchant_id, 'sch_2' FROM schedules WHERE schedule_id = 'sch_2'`,
  `UPDATE payments SET schedule_id = 'sch_2' WHERE created_at = (SELECT max(created_at) FROM payments)`,
];

test('all schedules under one consent are held against its limits together', async () => {
  const each = await brokenAfter(...OF_ANOTHER_SCHEDULE);
  assert.equal(each['within-limits'], undefined);
  const first = '(SELECT min(started_at) FROM attempts)';
  const sameDay = `UPDATE attempts SET started_at = ${first}, sent_at = ${first}, finished_at = NULL`;
  const both = await brokenAfter(...OF_ANOTHER_SCHEDULE, sameDay);
  assert.match(both['within-limits']?.[0] ?? '', / con_.*: more than £49.99 from/);
});

/** Changes the last attempt as if it had been sent and had ended at these moments. */
const lastAttempt = (sentAt: string, finishedAt: string): string =>
  `UPDATE attempts SET started_at = '${sentAt}', sent_at = '${sentAt}', finished_at = '${finishedAt}'
   WHERE started_at = (SELECT max(started_at) FROM attempts)`;

test('a collection of which the bank may have taken a repeat after midnight counts on no day for sure', async () => {
  await notice(['within-limits'], lastAttempt('2026-01-31T23:55:00Z', '2026-01-31T23:59:00Z'));
  await notice([], lastAttempt('2026-01-31T23:55:00Z', '2026-02-01T00:01:00Z'));
});

test('a law reports twenty breaches at most', async () => {
  const broken = await brokenAfter(
    `INSERT INTO accounts SELECT merchant_id, 'wal_' || n, 'customer_wallet', -1 FROM merchants, generate_series(1, 50) n`,
  );
  assert.equal(broken['no-wallet-below-zero']?.length, 20);
});

test('a look at the books reads each row a few times, however many one merchant has', async () => {
  const settlements = 200;
  const events = 2_000;
  const work = harness.db.transaction(async (tx: Tx) => {
    await tx.run(
      many(
        'settlements',
        settlements,
        `'settlement_id', 'set_' || n, 'settle_date', settle_date - n - 9`,
      ),
    );
    await tx.run(many('events', events, `'event_id', 'evt_' || n, 'sequence', null`));
    const before = await rowsRead(tx);
    await checkLaws({ ...harness.platform, db: within(harness.db, tx) });
    const each = ((await rowsRead(tx)) - before) / (settlements + events);
    assert.ok(each > 1 && each < 12, `${each.toFixed(1)} rows read for each that there is`);
    throw new RolledBack();
  });
  await assert.rejects(work, RolledBack);
});

test('a difference between our ledger and the issuer is noticed, and an even one is not', async () => {
  const even = await compareWithIssuer(harness.platform, harness.issuer);
  assert.deepEqual(even.broken, []);
  const wallets = await harness.db.read((tx) =>
    tx.rows(`SELECT FROM wallets WHERE status = 'open'`),
  );
  assert.equal(wallets.length, 2);
  const { wallets: atIssuer } = harness.issuer;
  const change = (pence: number): void => {
    for (const { wallet } of atIssuer.values()) wallet.balancePence += pence;
  };
  change(1);
  const odd = await compareWithIssuer(harness.platform, harness.issuer);
  change(-1);
  assert.equal(odd.broken.length, 2);
  assert.match(odd.broken[0] ?? '', /ledger 0, issuer 1$/);
});
