import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { BE_OWNER } from '../../../test-support/owner.ts';
import type { Db } from '../../platform/db/db.ts';
import { nextChangeId, recordServiceChange } from '../../platform/state/audit-trail.ts';
import { checkLaws } from '../invariants/laws.ts';
import { moveMark, readMark } from './change-store.ts';
import { changedSince } from './changes.ts';
import { checkInvariants } from './invariant-run.ts';

let h: Harness;

before(async () => {
  h = await openHarness();
  for (const n of [1, 2, 3])
    await h.agreed({ customer: { type: 'phone', value: `+44770090012${n}` } });
  await h.runUntil('2026-03-12T12:00:00Z'); // collected and settled three times
  await look();
});
after(() => h.close());

/** Looks, reading as little of the rest as may be; returns the lines found of each broken law. */
async function look(db: Db = h.db): Promise<Record<string, string[]>> {
  const findings = await checkInvariants({ ...h.platform, db }, { atLeast: 0 });
  for (const { error } of findings) assert.ifError(error);
  const broken = findings.filter((one) => one.broken.length > 0);
  return Object.fromEntries(broken.map((one) => [one.law, one.broken]));
}

/** Makes changes as the database owner. */
const byHand = (...statements: string[]): Promise<void> =>
  h.db.transaction(async (tx) => {
    await tx.run(BE_OWNER);
    for (const sql of statements) assert.ok((await tx.run(sql)) > 0, `${sql} touched nothing`);
  });

const OLDEST = `transfer_id = (SELECT min(transfer_id) FROM transfers WHERE kind = 'pay_in')`;

const seal = (pence: number): string =>
  `INSERT INTO account_seals AS s SELECT merchant_id, 'outside', ${pence} FROM merchants
   ON CONFLICT (merchant_id, account_id) DO UPDATE SET pence = s.pence + excluded.pence`;
const outside = (pence: number): string =>
  `UPDATE accounts SET balance_pence = balance_pence + ${pence} WHERE account_id = 'outside'`;

/** What a hand may do to rows that nothing has touched for weeks, the law that it breaks, and how the hand undoes it. */
const BY_HAND = {
  'the amount of an old transfer': {
    law: 'balances-equal-transfers',
    change: `UPDATE transfers SET amount_pence = amount_pence + 1 WHERE ${OLDEST}`,
    undo: `UPDATE transfers SET amount_pence = amount_pence - 1 WHERE ${OLDEST}`,
  },
  'the balance of a customer’s wallet': {
    law: 'balances-equal-transfers',
    change: `UPDATE accounts SET balance_pence = balance_pence + 1 WHERE account_id = (SELECT max(wallet_id) FROM payments)`,
    undo: `UPDATE accounts SET balance_pence = balance_pence - 1 WHERE account_id = (SELECT max(wallet_id) FROM payments)`,
  },
  'a sealed sum': {
    law: 'balances-equal-transfers',
    change: seal(1),
    undo: seal(-1),
  },
  'a sealed sum and its balance': {
    law: 'balances-equal-transfers',
    change: `WITH seal AS (${seal(1)}) ${outside(1)}`,
    undo: `WITH seal AS (${seal(-1)}) ${outside(-1)}`,
  },
  'the status of an old attempt': {
    law: 'one-success-per-payment',
    change: `UPDATE attempts SET status = 'failed' WHERE payment_id = (SELECT max(payment_id) FROM payments)`,
    undo: `UPDATE attempts SET status = 'success' WHERE payment_id = (SELECT max(payment_id) FROM payments)`,
  },
  'the subject of an old event': {
    law: 'one-event-per-outcome',
    change: `UPDATE events SET subject_id = 'x' || subject_id WHERE kind = 'collection.success'`,
    undo: `UPDATE events SET subject_id = substr(subject_id, 2) WHERE kind = 'collection.success'`,
  },
  'the amount of an old settlement': {
    law: 'settlements-equal-payments',
    change: 'UPDATE settlements SET amount_pence = amount_pence + 1, gross_pence = gross_pence + 1',
    undo: 'UPDATE settlements SET amount_pence = amount_pence - 1, gross_pence = gross_pence - 1',
  },
};

for (const [what, { law, change, undo: undone }] of Object.entries(BY_HAND))
  test(`${what} changed by hand is found by the hourly looks of a day, and by the audit at once`, async () => {
    assert.deepEqual(await look(), {});
    await byHand(change);
    const audit = await checkLaws(h.platform);
    assert.ok(audit.find((one) => one.law === law)?.broken.length, 'the audit finds it');
    let hours = 0;
    for (; !(law in (await look())) && hours <= 24; hours++)
      h.clock.at = h.clock.at.add({ hours: 1 });
    assert.ok(hours <= 24, 'not found within a day');
    assert.ok(law in (await look()), 'and it stays found');
    await byHand(undone);
    assert.deepEqual(await look(), {}, 'until it is in order');
    for (let hour = 0; hour < 24; hour++) {
      h.clock.at = h.clock.at.add({ hours: 1 });
      assert.deepEqual(await look(), {});
    }
  });

/** Collects from everybody once more, without a look, and returns the condition that names the last payment. */
async function collectOnceMore(): Promise<string> {
  const before = await h.db.read((tx) => tx.rows('SELECT FROM payments'));
  for (let payments = before.length; payments < before.length + 3; ) {
    await h.runUntil(h.clock.at.add({ hours: 24 }));
    payments = (await h.db.read((tx) => tx.rows('SELECT FROM payments'))).length;
  }
  await h.runUntil(h.clock.at.add({ hours: 24 }));
  return `payment_id = (SELECT max(payment_id) FROM payments WHERE status = 'success')`;
}

test('what changed since the last look is checked at once, whatever the share of the rest', async () => {
  const lastLook = h.clock.at;
  const last = await collectOnceMore();
  const now = h.clock.at;
  h.clock.at = lastLook; // no time has passed: the share of the rest is the least
  const wrong = [
    `UPDATE accounts SET balance_pence = balance_pence + 1
     WHERE account_id = (SELECT wallet_id FROM payments WHERE ${last})`,
    `UPDATE attempts SET pay_in_id = 'x' || pay_in_id WHERE ${last}`,
    `UPDATE events SET subject_id = 'x' || subject_id WHERE kind = 'collection.success'
       AND subject_id = (SELECT payment_id FROM payments WHERE ${last})`,
  ];
  await byHand(...wrong);
  assert.deepEqual(Object.keys(await look()).sort(), [
    'balances-equal-transfers',
    'debits-equal-credits',
    'money-has-a-place',
    'one-event-per-outcome',
  ]);
  await byHand(
    ...wrong.slice(0, 1).map((sql) => sql.replace('balance_pence + 1', 'balance_pence - 1')),
    `UPDATE attempts SET pay_in_id = substr(pay_in_id, 2) WHERE ${last}`,
    `UPDATE events SET subject_id = substr(subject_id, 2) WHERE subject_id LIKE 'xpay%'`,
  );
  h.clock.at = now;
  assert.deepEqual(await look(), {});
});

test('a look reads each row that changed once, however its changes lie, and none that changes meanwhile', async () => {
  const mark = { ...(await h.db.transaction(readMark)), changeId: 0 };
  const read = async (perPage?: number): Promise<string[]> => {
    const rows: string[] = [];
    for await (const changed of changedSince(h.db, mark, perPage))
      for (const [noun, subjects] of changed)
        rows.push(...subjects.map(({ id }) => `${noun} ${id}`));
    return rows.sort();
  };
  const atOnce = await read();
  assert.equal(new Set(atOnce).size, atOnce.length);
  assert.deepEqual(await read(2), atOnce);
  const isNoEvent = (row: string): boolean => !row.startsWith('event ');
  await collectOnceMore();
  assert.deepEqual((await read()).filter(isNoEvent), atOnce.filter(isNoEvent));
});

test('the mark passes no change whose transaction is still open, though it began last of all', async () => {
  const written = Promise.withResolvers<number>();
  const held = Promise.withResolvers<void>();
  const writing = h.db.transaction(async (tx) => {
    await recordServiceChange(tx, h.clock.at, { objectId: 'late', to: 'made', reason: 'a test' });
    written.resolve(await nextChangeId(tx));
    await held.promise;
  });
  const late = await written.promise;
  const marked = async (): Promise<number> =>
    h.db.transaction(async (tx) => {
      const mark = await readMark(tx);
      await moveMark(tx, mark);
      return mark.thenChangeId;
    });
  await marked();
  assert.ok((await marked()) < late - 1, 'the change is still to come');
  held.resolve();
  await writing;
  // Transactions of other databases of this server hold the mark back too, for a moment.
  for (let tries = 0; (await marked()) < late - 1; tries += 1) assert.ok(tries < 500);
});

test('a law that cannot be checked for what changed is checked for it again', async () => {
  const last = await collectOnceMore();
  const subject = `(SELECT payment_id FROM payments WHERE ${last})`;
  await byHand(`UPDATE events SET subject_id = 'x' || subject_id WHERE subject_id = ${subject}`);
  const failing: Db = {
    ...h.db,
    transaction: (work, options) =>
      h.db.transaction((tx) => {
        const rows: typeof tx.rows = (sql, values) =>
          sql.includes('told_success')
            ? Promise.reject(new Error('too slow'))
            : tx.rows(sql, values);
        return work({ ...tx, rows });
      }, options),
  };
  const findings = await checkInvariants({ ...h.platform, db: failing }, { atLeast: 0 });
  const unknown = findings.filter((one) => one.unknown !== undefined).map((one) => one.law);
  assert.deepEqual(unknown, ['one-event-per-outcome']);
  assert.deepEqual(Object.keys(await look()), ['one-event-per-outcome']);
  await byHand(
    `UPDATE events SET subject_id = substr(subject_id, 2) WHERE subject_id LIKE 'xpay%'`,
  );
  assert.deepEqual(await look(), {});
});

test('after days without a look everything is read', async () => {
  const { change, undo } = BY_HAND['the amount of an old transfer'];
  await byHand(change);
  h.clock.at = h.clock.at.add({ hours: 48 });
  assert.ok('balances-equal-transfers' in (await look()));
  await byHand(undo);
  assert.deepEqual(await look(), {});
});

test('processes that look at the same time seal every transfer once', async () => {
  await collectOnceMore();
  await Promise.all([look(), look(), look()]);
  assert.deepEqual(await look(), {});
  const sums = await h.db.read((tx) =>
    tx.row<{ sealed: number; transfers: number }>(
      `SELECT (SELECT sum(transfers) FROM transfer_seals)::int AS sealed, (SELECT count(*) FROM transfers)::int AS transfers`,
    ),
  );
  assert.equal(sums?.sealed, sums?.transfers);
});
