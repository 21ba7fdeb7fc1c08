import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import type { Tx } from '../../platform/db/db.ts';
import { checkLaws } from '../invariants/laws.ts';
import { compareWithIssuer } from './issuer-comparison.ts';

let h: Harness;

before(async () => {
  h = await openHarness();
  for (const n of [1, 2, 3])
    await h.agreed({ customer: { type: 'phone', value: `+44770090012${n}` } });
  // The issuer accepts transfers and loses the responses: everything is in progress for this merchant.
  h.issuer.losesAnswers = true;
  await h.runUntil('2026-01-10T09:00:30Z');
});

after(() => h.close());

const wallets = () => [...h.issuer.wallets.values()].map((one) => one.wallet);

test('while payments are under way, every wallet is compared net of them, and agrees', async () => {
  const busy = await h.db.read((tx) =>
    tx.row<{ count: number }>(`SELECT count(*) AS count FROM payments WHERE status = 'processing'`),
  );
  assert.equal(busy?.count, 3);
  assert.ok(wallets().some((wallet) => wallet.balancePence === 3 * 4999));
  const { broken, unknown } = await compareWithIssuer(h.platform, h.issuer);
  assert.deepEqual({ broken, unknown }, { broken: [], unknown: undefined });
});

test('a penny removed from any wallet is found while other things are under way', async () => {
  for (const wallet of wallets()) {
    wallet.balancePence -= 1;
    const { broken } = await compareWithIssuer(h.platform, h.issuer);
    wallet.balancePence += 1;
    assert.equal(broken.length, 1, wallet.externalReference);
    assert.match(broken[0] ?? '', new RegExp(wallet.externalReference.replace('/', ' ')));
  }
});

test('a notice that waits to be acted on keeps nobody from being compared', async () => {
  await h.db.transaction((tx) =>
    tx.run(`INSERT INTO inbox (source, notification_id, body, received_at, due_at)
      VALUES ('issuer', 'stuck', '{}', now(), '2030-01-01')`),
  );
  const [wallet] = wallets();
  assert.ok(wallet);
  wallet.balancePence += 1;
  const { broken } = await compareWithIssuer(h.platform, h.issuer);
  wallet.balancePence -= 1;
  await h.db.transaction((tx) => tx.run(`DELETE FROM inbox WHERE notification_id = 'stuck'`));
  assert.equal(broken.length, 1);
});

test('what could not be compared is unknown, and says why', async () => {
  h.issuer.down = true;
  const { broken, unknown } = await compareWithIssuer(h.platform, h.issuer);
  h.issuer.down = false;
  assert.deepEqual({ broken, unknown }, { broken: [], unknown: 'the issuer does not answer' });
});

test('more wallets than the issuer has pages of are all looked at', async () => {
  const list = h.issuer.listBalances.bind(h.issuer);
  h.issuer.listBalances = async function* () {
    for (let n = 0; n < 1200; n++)
      yield { ...EMPTY, issuerWalletId: `x${n}`, externalReference: `mer_x/wal_${n}` };
    yield { ...EMPTY, issuerWalletId: 'y', externalReference: 'mer_x/wal_y', currentPence: 7 };
    yield* list();
  };
  const { broken } = await compareWithIssuer(h.platform, h.issuer);
  h.issuer.listBalances = list;
  assert.deepEqual(broken, ['the issuer has 7 in y, which is not ours']);
});

const EMPTY = { currentPence: 0 };

test('money that comes and is booked between two calls to the issuer is no difference', async () => {
  const own = await openHarness();
  try {
    await own.agreed({ customer: { type: 'phone', value: '+447700900999' } });
    await own.runUntil('2026-01-10T08:59:00Z');
    const row = await own.db.read((tx) =>
      tx.row<{ id: string }>(
        'SELECT issuer_wallet_id AS id FROM wallets WHERE customer_id IS NULL',
      ),
    );
    const merchants = own.issuer.wallets.get(row?.id ?? '');
    assert.ok(merchants);
    merchants.wallet.balancePence += 1; // it differs, so it is examined
    const { readWallet } = own.issuer;
    let reads = 0;
    own.issuer.readWallet = async (id) => {
      reads += 1;
      if (reads === 1) merchants.wallet.balancePence -= 1;
      const wallet = { ...(await readWallet.call(own.issuer, id)) };
      if (reads === 2) await own.runUntil('2026-01-10T09:30:00Z');
      return wallet;
    };
    assert.deepEqual((await compareWithIssuer(own.platform, own.issuer)).broken, []);
    assert.equal(merchants.wallet.balancePence, 4999, 'the money came meanwhile');
  } finally {
    await own.close();
  }
});

test('whoever wants to know that the laws hold is met by an error where one cannot be checked', async () => {
  const read = (): Promise<never> => Promise.reject(new Error('too slow'));
  const platform = { ...h.platform, db: { ...h.db, read, snapshot: read, transaction: read } };
  await assert.rejects(checkLaws(platform), { message: 'too slow' });
  await assert.rejects(compareWithIssuer(platform, h.issuer), { message: 'too slow' });
});

test('when many wallets differ, the statement says of which the money is under way, without a call for each', async () => {
  const own = await openHarness();
  try {
    for (let n = 100; n < 130; n++)
      await own.agreed({ customer: { type: 'phone', value: `+447700900${n}` } });
    own.issuer.losesAnswers = true;
    await own.runUntil('2026-01-10T09:00:30Z');
    const examined = new Set<string>();
    for (const method of ['readWallet', 'listMovements'] as const) {
      const call = own.issuer[method].bind(own.issuer) as (id: string, at: never) => never;
      own.issuer[method] = (id: string, at?: unknown) => {
        examined.add(id);
        return call(id, at as never);
      };
    }
    const { broken, unknown } = await compareWithIssuer(own.platform, own.issuer);
    assert.deepEqual({ broken, unknown }, { broken: [], unknown: undefined });
    assert.equal(examined.size, 1, 'the merchant’s own');
    const stolen = [...own.issuer.wallets.values()].filter(
      ({ movements }) => movements.length === 2,
    );
    const one = stolen[7]?.wallet;
    assert.ok(one);
    one.balancePence -= 1;
    const found = await compareWithIssuer(own.platform, own.issuer);
    assert.equal(found.broken.length, 1);
    assert.match(found.broken[0] ?? '', new RegExp(one.externalReference.replace('/', ' ')));
    assert.deepEqual([...examined].sort().includes(one.issuerWalletId), true);
    assert.equal(examined.size, 2, 'and the one that the statement does not explain');
  } finally {
    await own.close();
  }
});

test('money that is booked between two reads of our own books is no difference', async () => {
  const own = await openHarness();
  try {
    await own.agreed({ customer: { type: 'phone', value: '+447700900998' } });
    own.issuer.losesAnswers = true;
    await own.runUntil('2026-01-10T09:00:30Z');
    own.issuer.losesAnswers = false;
    let isBooked = false;
    const slow = (tx: Tx): Tx => ({
      ...tx,
      async rows(sql, values) {
        if (!isBooked && sql.includes('AS booked')) {
          isBooked = true;
          await own.runUntil('2026-01-10T10:00:00Z');
        }
        return tx.rows(sql, values);
      },
    });
    const db = {
      ...own.db,
      read: <T>(work: (tx: Tx) => Promise<T>) => own.db.read((tx) => work(slow(tx))),
      snapshot: <T>(work: (tx: Tx) => Promise<T>) => own.db.snapshot((tx) => work(slow(tx))),
    };
    const { broken, unknown } = await compareWithIssuer({ ...own.platform, db }, own.issuer);
    assert.deepEqual(
      { isBooked, broken, unknown },
      { isBooked: true, broken: [], unknown: undefined },
    );
  } finally {
    await own.close();
  }
});
