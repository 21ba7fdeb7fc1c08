import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { many } from '../../../test-support/many-rows.ts';
import { rowsRead } from '../../../test-support/rows-read.ts';
import type { Tx } from '../../platform/db/db.ts';
import { compareWithIssuer } from './issuer-comparison.ts';

let harness: Harness;

before(async () => {
  harness = await openHarness();
  await harness.agreed();
  await harness.runUntil('2026-02-12T12:00:00Z');
});
after(() => harness.close());

class RolledBack extends Error {}

test('which wallets are quiet is found in one look at what is under way, however many there are of both', async () => {
  const [wallets, payments] = [400, 400];
  const work = harness.db.transaction(async (tx: Tx) => {
    const customer = `'customer_id', 'cus_' || n`;
    await tx.run(many('customers', wallets, `${customer}, 'phone_index', null`));
    await tx.run(
      `INSERT INTO wallets SELECT (jsonb_populate_record(w, jsonb_build_object('wallet_id', 'wal_' || n, ${customer}))).*
       FROM wallets w, generate_series(1, ${wallets}) n WHERE w.customer_id IS NOT NULL`,
    );
    await tx.run(
      `INSERT INTO accounts SELECT merchant_id, wallet_id, 'customer_wallet' FROM wallets ON CONFLICT DO NOTHING`,
    );
    const waiting = `'status', 'pending', 'completed_at', null`;
    await tx.run(
      many(
        'payments',
        payments,
        `'payment_id', 'pay_' || n, 'due_date', due_date - n * interval '1 day', 'settlement_id', null, ${waiting}`,
      ),
    );
    const before = await rowsRead(tx);
    const db = { ...harness.db, read: <T>(look: (own: Tx) => Promise<T>) => look(tx) };
    await compareWithIssuer({ ...harness.platform, db }, harness.issuer);
    const each = ((await rowsRead(tx)) - before) / (wallets + payments);
    assert.ok(each < 10, `${each.toFixed(1)} rows read for each that there is`);
    throw new RolledBack();
  });
  await assert.rejects(work, RolledBack);
});
