import assert from 'node:assert/strict';
import { checkLaws } from '../../src/laws/invariants/laws.ts';
import { checkInvariants } from '../../src/laws/run/invariant-run.ts';
import type { Db, Tx } from '../../src/platform/db/db.ts';
import type { Harness } from '../harness.ts';
import { BE_OWNER } from '../owner.ts';

/** Ends a transaction that is to leave nothing behind. */
export class RolledBack extends Error {}

/** Returns the same database, whose reads and transactions are all made within a transaction of the test. */
export const within = (db: Db, tx: Tx): Db => ({
  ...db,
  read: (work) => work(tx),
  transaction: (work) => work(tx),
});

/**
 * Returns the laws broken by changes that the database owner makes directly; they are rolled back afterwards. The audit finds
 * them, and so do the hourly looks of a day, though everything had been looked at and sealed before.
 */
export async function brokenIn(
  harness: Harness,
  statements: readonly string[],
): Promise<Record<string, string[]>> {
  const broken: Record<string, string[]> = {};
  const work = harness.db.transaction(async (tx: Tx) => {
    await tx.run(BE_OWNER);
    await tx.run('ALTER TABLE accounts DROP CONSTRAINT accounts_not_below_zero');
    for (const sql of statements)
      assert.ok((await tx.run(sql)) > 0 || sql.startsWith('ALTER'), `${sql} touched nothing`);
    const db = within(harness.db, tx);
    for (const finding of await checkLaws({ ...harness.platform, db }))
      if (finding.broken.length > 0) broken[finding.law] = finding.broken;
    assert.deepEqual(await brokenADayLater(harness, tx), Object.keys(broken).sort());
    throw new RolledBack();
  });
  await assert.rejects(work, RolledBack);
  return broken;
}

/** Returns the laws of which a look a day later finds violations. */
async function brokenADayLater(harness: Harness, tx: Tx): Promise<string[]> {
  const db = within(harness.db, tx);
  const clock = { now: () => harness.clock.at.add({ hours: 24 }) };
  const findings = await checkInvariants({ ...harness.platform, db, clock });
  for (const { error } of findings) assert.ifError(error);
  return findings
    .filter(({ broken }) => broken.length > 0)
    .map(({ law }) => law)
    .sort();
}
