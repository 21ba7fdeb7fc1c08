import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { asOwner } from '../../test-support/owner.ts';
import { bareMerchant, type OwnPlatform, ownPlatform } from '../../test-support/slices/platform.ts';
import { DROP_TEST_KEYS } from '../../test-support/test-keys.ts';
import type { Tx } from '../platform/db/db.ts';
import { violates } from '../platform/values/errors.ts';
import { timeOfId } from '../platform/values/ids.ts';
import {
  balanceOf,
  IN_SETTLEMENT,
  OUTSIDE,
  openAccounts,
  type Posting,
  post,
} from './ledger-store.ts';

const WALLETS = ['wal_a', 'wal_b', 'wal_c'];
const MERCHANT_WALLET = 'wal_m';
const ACCOUNTS = [...WALLETS, MERCHANT_WALLET, IN_SETTLEMENT, OUTSIDE];

let platform: OwnPlatform;

before(async () => {
  platform = await ownPlatform();
});

after(() => platform.drop());

/** Makes a merchant with three customers' wallets, its own, and the accounts beside them. */
async function merchant(of = platform): Promise<string> {
  const merchantId = await bareMerchant(of);
  await of.db.transaction((tx) =>
    openAccounts(tx, merchantId, [
      ...WALLETS.map((accountId) => ({ accountId, kind: 'customer_wallet' as const })),
      { accountId: MERCHANT_WALLET, kind: 'merchant_wallet' },
      { accountId: IN_SETTLEMENT, kind: 'in_settlement' },
      { accountId: OUTSIDE, kind: 'outside' },
    ]),
  );
  return merchantId;
}

const postAll = (postings: readonly Posting[]): Promise<void> =>
  platform.db.transaction((tx) => post({ platform, tx, now: platform.clock.now() }, postings));

async function balances(merchantId: string, of = platform): Promise<number[]> {
  return of.db.read(async (tx) => {
    const all: number[] = [];
    for (const account of ACCOUNTS) all.push(await balanceOf(tx, merchantId, account));
    return all;
  });
}

/** Returns the balances computed from the transfers alone. */
async function transfersSay(merchantId: string): Promise<number[]> {
  const rows = await platform.db.read((tx) =>
    tx.rows<{ debit: string; credit: string; pence: number }>(
      `SELECT debit_account_id AS debit, credit_account_id AS credit, amount_pence AS pence
       FROM transfers WHERE merchant_id = $1`,
      [merchantId],
    ),
  );
  return ACCOUNTS.map((account) =>
    rows.reduce(
      (sum, r) => sum + (r.credit === account ? r.pence : 0) - (r.debit === account ? r.pence : 0),
      0,
    ),
  );
}

function payIn(merchantId: string, credit: string, amountPence: number, sourceId: string): Posting {
  return { merchantId, kind: 'pay_in', debit: OUTSIDE, credit, amountPence, sourceId };
}

function move(merchantId: string, debit: string, amountPence: number, sourceId: string): Posting {
  return { merchantId, kind: 'move', debit, credit: MERCHANT_WALLET, amountPence, sourceId };
}

test('whatever is posted, balances equal their transfers, and no wallet is negative', async () => {
  const posting = fc.record({
    debit: fc.constantFrom(...ACCOUNTS, OUTSIDE, OUTSIDE),
    credit: fc.constantFrom(...ACCOUNTS),
    amountPence: fc.integer({ min: -1, max: 500 }),
    kind: fc.constantFrom('pay_in' as const, 'move' as const, 'settle' as const),
    sourceId: fc.integer({ min: 0, max: 40 }).map(String),
  });
  const batches = fc.array(fc.array(posting, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
  });
  let taken = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const merchantId = await merchant();
      for (const batch of all) {
        const wasBefore = await balances(merchantId);
        try {
          await postAll(batch.map((p) => ({ ...p, merchantId })));
          taken++;
        } catch {
          refused++;
          assert.deepEqual(await balances(merchantId), wasBefore);
        }
      }
      const now = await balances(merchantId);
      assert.equal(
        now.reduce((sum, pence) => sum + pence, 0),
        0,
      );
      assert.ok(
        now.slice(0, -1).every((pence) => pence >= 0),
        now.join(),
      );
      assert.deepEqual(now, await transfersSay(merchantId));
    }),
    { numRuns: 20 },
  );
  assert.ok(taken > 2 && refused > 2, `${taken} taken, ${refused} refused`);
});

test('a source is posted once for each kind, ever, even by eight at once', async () => {
  const merchantId = await merchant();
  const posting = payIn(merchantId, 'wal_a', 4999, 'pay_1');
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => postAll([posting])));
  const refusals = results.filter((result) => result.status === 'rejected');
  assert.equal(refusals.length, 7);
  for (const { reason } of refusals)
    assert.ok(violates(reason, 'transfers_once_per_source_and_kind'), String(reason));
  assert.equal((await balances(merchantId))[0], 4999);
  await postAll([move(merchantId, 'wal_a', 4999, 'pay_1')]); // the same source, of another kind
  await assert.rejects(postAll([posting, posting]));
  assert.deepEqual(await balances(merchantId), [0, 0, 0, 4999, 0, -4999]);
});

test('a wallet cannot give what it has not, and the refusal takes the whole batch with it', async () => {
  const merchantId = await merchant();
  await postAll([payIn(merchantId, 'wal_a', 100, 'pay_1')]);
  const batch = [payIn(merchantId, 'wal_b', 50, 'pay_2'), move(merchantId, 'wal_a', 101, 'pay_1')];
  await assert.rejects(postAll(batch), (error) => violates(error, 'accounts_not_below_zero'));
  assert.deepEqual(await balances(merchantId), [100, 0, 0, 0, 0, -100]);
});

test('within a batch only the end counts: money may come and go in one', async () => {
  const merchantId = await merchant();
  await postAll([move(merchantId, 'wal_a', 70, 'pay_1'), payIn(merchantId, 'wal_a', 70, 'pay_1')]);
  assert.deepEqual(await balances(merchantId), [0, 0, 0, 70, 0, -70]);
});

test('nothing, less than nothing, and money from an account to itself are no postings', async () => {
  const merchantId = await merchant();
  for (const posting of [
    payIn(merchantId, 'wal_a', 0, 'pay_1'),
    payIn(merchantId, 'wal_a', -5, 'pay_1'),
    payIn(merchantId, OUTSIDE, 5, 'pay_1'),
    payIn(merchantId, 'wal_unknown', 5, 'pay_1'),
    { ...payIn(merchantId, 'wal_a', 5, 'pay_1'), debit: 'wal_unknown' },
  ])
    await assert.rejects(postAll([posting]));
  await postAll([]);
  assert.deepEqual(await balances(merchantId), [0, 0, 0, 0, 0, 0]);
});

test('sixteen posters at once over the same accounts lose nothing, and none waits in a ring', async () => {
  const [one, other] = [await merchant(), await merchant()];
  for (const merchantId of [one, other])
    await postAll(WALLETS.map((wallet) => payIn(merchantId, wallet, 1_000_000, `start_${wallet}`)));
  let tries = 0;
  const poster = async (n: number): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      const postings = [one, other].flatMap((merchantId) =>
        WALLETS.map((wallet) => move(merchantId, wallet, n + 1, `pay_${n}_${turn}_${wallet}`)),
      );
      const order = [postings, postings.toReversed()][n % 2] ?? [];
      await platform.db.transaction((tx) => {
        tries++;
        return post({ platform, tx, now: platform.clock.now() }, order);
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, n) => poster(n)));
  assert.equal(tries, 80, 'nobody had to be tried again: no deadlock');
  const moved = 5 * ((16 * 17) / 2);
  for (const merchantId of [one, other]) {
    const left = 1_000_000 - moved;
    assert.deepEqual(await balances(merchantId), [left, left, left, 3 * moved, 0, -3_000_000]);
    assert.deepEqual(await balances(merchantId), await transfersSay(merchantId));
  }
});

test('opening an account again changes nothing, and one never opened has nothing in it', async () => {
  const merchantId = await merchant();
  await postAll([payIn(merchantId, 'wal_a', 10, 'pay_1')]);
  await platform.db.transaction((tx) =>
    openAccounts(tx, merchantId, [{ accountId: 'wal_a', kind: 'merchant_wallet' }]),
  );
  assert.equal((await balances(merchantId))[0], 10);
  assert.equal(await platform.db.read((tx) => balanceOf(tx, merchantId, 'wal_z')), 0);
});

test('a transfer between sealed accounts has an id of the time after the seal', async () => {
  const merchantId = await merchant();
  const until = platform.clock.now().add({ hours: 1 }).round('millisecond');
  await platform.db.transaction((tx) =>
    tx.run('UPDATE accounts SET sealed_until = $2 WHERE merchant_id = $1 AND account_id = $3', [
      merchantId,
      until,
      OUTSIDE,
    ]),
  );
  await postAll([payIn(merchantId, 'wal_a', 100, 'pay_1')]);
  const [transfer] = await platform.db.read((tx) =>
    tx.rows<{ transferId: string }>('SELECT transfer_id FROM transfers WHERE merchant_id = $1', [
      merchantId,
    ]),
  );
  assert.ok(Temporal.Instant.compare(timeOfId(transfer?.transferId ?? ''), until) >= 0);
  assert.deepEqual(await balances(merchantId), [100, 0, 0, 0, 0, -100]);
});

test('without a key of the database no money goes to an account that was never opened', async (t) => {
  const product = await withoutTestKeys(t);
  const merchantId = await bareMerchant(product);
  const accounts = [{ accountId: OUTSIDE, kind: 'outside' as const }];
  await product.db.transaction((tx) => openAccounts(tx, merchantId, accounts));
  const posting = payIn(merchantId, 'wal_z', 100, 'pay_1');
  await assert.rejects(
    product.db.transaction((tx) =>
      post({ platform: product, tx, now: product.clock.now() }, [posting]),
    ),
    /never opened/,
  );
  assert.equal(await product.db.read((tx) => balanceOf(tx, merchantId, OUTSIDE)), 0);
});

test('transfers are never changed nor removed', async () => {
  const merchantId = await merchant();
  await postAll([payIn(merchantId, 'wal_a', 10, 'pay_1')]);
  for (const sql of ['UPDATE transfers SET amount_pence = 1', 'DELETE FROM transfers'])
    await assert.rejects(
      platform.db.transaction((tx) => tx.run(sql)),
      { code: '42501' },
    );
});

test('a poster holds its balances before it writes anything: whoever waits has written nothing', async (t) => {
  // Without the keys of tests: to check one of them the holder would wait for the poster, which waits for the holder.
  const product = await withoutTestKeys(t);
  const merchantId = await merchant(product);
  const postIn = (posting: Posting): Promise<void> =>
    product.db.transaction((tx) =>
      post({ platform: product, tx, now: product.clock.now() }, [posting]),
    );
  await postIn(payIn(merchantId, 'wal_a', 100, 'pay_1'));
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holder = product.db.transaction(
    onlyOnce(async (tx) => {
      await tx.run(`SELECT 1 FROM accounts WHERE merchant_id = $1 AND account_id = $2 FOR UPDATE`, [
        merchantId,
        MERCHANT_WALLET,
      ]);
      held.resolve();
      await release.promise;
      await tx.run(`SET LOCAL lock_timeout = '5s'`);
      await tx.run('SAVEPOINT looked');
      // It would wait for a transfer of the same source that is written and not committed.
      await tx.run(
        `INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
         VALUES ($1, 'trf_x', 'move', 'wal_a', $2, 100, 'pay_1', now())`,
        [merchantId, MERCHANT_WALLET],
      );
      await tx.run('ROLLBACK TO looked');
    }),
  );
  await held.promise;
  const poster = postIn(move(merchantId, 'wal_a', 100, 'pay_1'));
  const waiting = await waitingStatement(product);
  release.resolve();
  await Promise.all([holder, poster]);
  assert.match(waiting, /FROM accounts.* FOR UPDATE.* INSERT INTO transfers/s);
  assert.deepEqual(await balances(merchantId, product), [0, 0, 0, 100, 0, -100]);
});

/** Returns the same work, which fails with its first error however often the transaction is tried. */
function onlyOnce(work: (tx: Tx) => Promise<void>): (tx: Tx) => Promise<void> {
  let first: { error: unknown } | null = null;
  return async (tx) => {
    if (first !== null) throw first.error;
    try {
      await work(tx);
    } catch (error) {
      first = { error };
      throw error;
    }
  };
}

/** Opens a database with exactly the product's schema. */
async function withoutTestKeys(t: TestContext): Promise<OwnPlatform> {
  const product = await ownPlatform();
  t.after(() => product.drop());
  for (const sql of DROP_TEST_KEYS) await asOwner(product.db, (tx) => tx.run(sql));
  return product;
}

/**
 * Returns the statement that waits for a lock in this database. It must be seen twice: the view reads the statement first and
 * the wait afterwards, so the first read may show the connection's previous statement.
 */
async function waitingStatement({ db }: OwnPlatform): Promise<string> {
  let seen: string | undefined;
  for (let tries = 0; tries < 6_000; tries++) {
    const rows = await asOwner(db, (tx) =>
      tx.rows<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    );
    if (rows[0] !== undefined && rows[0].query === seen) return seen.trim();
    seen = rows[0]?.query;
    await sleep(10);
  }
  throw new Error('nobody waits');
}
