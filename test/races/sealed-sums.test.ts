import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sealTransfers } from '../../server/src/laws/seals/seals.ts';
import type { Tx } from '../../server/src/platform/db/db.ts';
import {
  IN_SETTLEMENT,
  OUTSIDE,
  openAccounts,
  type Posting,
  post,
} from '../../server/src/wallets/ledger-store.ts';
import { assertLaws } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';

let h: Harness;
before(async () => {
  h = await openHarness();
  await h.db.transaction((tx) =>
    openAccounts(
      tx,
      h.merchantId,
      ['a', 'b', 'c'].map((accountId) => ({ accountId, kind: 'customer_wallet' as const })),
    ),
  );
});
after(() => h.close());

let sources = 0;

const payIn = (credit: string): Posting => ({
  merchantId: h.merchantId,
  kind: 'move',
  debit: OUTSIDE,
  credit,
  amountPence: 1,
  sourceId: `s${sources++}`,
});

const postAt = (at: Temporal.Instant, ...postings: Posting[]): Promise<void> =>
  h.db.transaction((tx) => post({ platform: h.platform, tx, now: at }, postings));

/** Returns how many transfers there are, and how many are sealed; the laws hold, the one of the seals among them. */
async function counted(): Promise<{ transfers: number; sealed: number }> {
  await assertLaws(h);
  const row = await h.db.read((tx) =>
    tx.row<{ transfers: number; sealed: number }>(
      `SELECT (SELECT count(*) FROM transfers)::int AS transfers,
         (SELECT coalesce(sum(transfers), 0) FROM transfer_seals)::int AS sealed`,
    ),
  );
  assert.ok(row);
  return row;
}

test('a posting whose moment is long past is not added to what is sealed', async () => {
  await postAt(h.clock.at, payIn(IN_SETTLEMENT));
  await sealTransfers(h.db);
  await postAt(h.clock.at.subtract({ hours: 5 }), payIn('b'));
  assert.deepEqual(await counted(), { transfers: 2, sealed: 1 });
  await sealTransfers(h.db);
  assert.deepEqual(await counted(), { transfers: 2, sealed: 2 });
});

test('who seals waits for a posting that has begun, and seals it', async () => {
  const { transfers } = await counted();
  const [posted, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const early = h.clock.at;
  const poster = h.db.transaction(async (tx: Tx) => {
    await post({ platform: h.platform, tx, now: early }, [payIn('a')]);
    posted.resolve();
    await release.promise;
  });
  await posted.promise;
  await postAt(early.add({ seconds: 1 }), payInElsewhere());
  const sealing = sealTransfers(h.db);
  const first = await Promise.race([sealing.then(() => 'sealed'), waitsForALock()]);
  release.resolve();
  await Promise.all([poster, sealing]);
  assert.equal(first, 'waits');
  assert.deepEqual(await counted(), { transfers: transfers + 2, sealed: transfers + 2 });
});

/** A posting that has none of the accounts that the first poster holds. */
const payInElsewhere = (): Posting => ({ ...payIn('c'), debit: IN_SETTLEMENT });

/** Resolves when somebody waits for a lock in this database. */
async function waitsForALock(): Promise<string> {
  for (let tries = 0; tries < 20_000; tries++) {
    const row = await asOwner(h.db, (tx) =>
      tx.row<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    );
    if ((row?.count ?? 0) > 0) return 'waits';
  }
  return 'nobody waits';
}

test('among many posters of all ages and several who seal, no transfer is sealed twice or left out', async () => {
  const age = (n: number): Temporal.Instant =>
    h.clock.at.add({ milliseconds: ((n * 7_919) % 2_000) - 1_000 });
  const posters = Array.from({ length: 8 }, async (_, poster) => {
    for (let n = 0; n < 40; n++)
      await postAt(age(poster * 40 + n), payIn('a'), payIn(n % 2 === 0 ? 'b' : 'c'));
  });
  let isOver = false;
  const sealers = Array.from({ length: 2 }, async () => {
    while (!isOver) await sealTransfers(h.db);
  });
  await Promise.all(posters);
  isOver = true;
  await Promise.all(sealers);
  await sealTransfers(h.db);
  const { transfers, sealed } = await counted();
  assert.equal(sealed, transfers);
});
