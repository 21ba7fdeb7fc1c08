import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import { many } from '../../test-support/many-rows.ts';
import { asOwner } from '../../test-support/owner.ts';
import { rowsRead } from '../../test-support/rows-read.ts';
import type { Tx } from '../platform/db/db.ts';
import { externalReference } from '../wallets/service.ts';
import { erasePayers, listNotices } from './copies-store.ts';
import { eraseCustomer, exportCustomer } from './service.ts';

const OTHERS = 5_000;
const FEW = 200;

let h: Harness;
let ref: { merchantId: string; customerId: string };

before(async () => {
  h = await openHarness();
  const schedule = await h.agreed();
  ref = { merchantId: h.merchantId, customerId: schedule.customer.id };
  await h.runUntil('2026-01-15T12:00:00Z');
  await h.update(schedule.id, { status: 'cancelled' });
  await h.runUntil('2026-01-20T12:00:00Z');
  await asOwner(h.db, addOthers);
});
after(() => h.close());

/** Adds what the same merchant and the issuer have of thousands of other customers. */
async function addOthers(tx: Tx): Promise<void> {
  const reference = externalReference(ref.merchantId, 'wal_other');
  const body = JSON.stringify({ kind: 'payin', externalReference: reference, payer: 'v1.sealed' });
  const customer = `'customer_id', 'cus_other_' || n`;
  await tx.run(many('inbox', OTHERS, `'notification_id', 'other' || n, 'body', '${body}'`));
  await tx.run(many('customers', OTHERS, `${customer}, 'phone_index', null`));
  const others = `customer_id IN (SELECT customer_id FROM customers WHERE customer_id LIKE 'cus_other%')`;
  await tx.run(
    `INSERT INTO wallets (merchant_id, wallet_id, customer_id, status, created_at)
     SELECT merchant_id, replace(customer_id, 'cus', 'wal'), customer_id, 'closed', created_at FROM customers WHERE ${others}`,
  );
  await tx.run(
    `INSERT INTO state_changes (merchant_id, object_id, schedule_id, to_state, reason, at)
     SELECT merchant_id, o.id, CASE WHEN o.is_schedule THEN o.id END, 'x', 'x', created_at
     FROM customers, LATERAL (VALUES (customer_id, false), ('sch' || customer_id, true)) o (id, is_schedule)
     WHERE ${others}`,
  );
  await tx.run(
    `INSERT INTO notices (merchant_id, notice_id, kind, cause_id, reader_index, content, status, created_at, customer_id,
       schedule_id)
     SELECT merchant_id, customer_id, 'x', customer_id, '', '', 'sent', created_at, customer_id, 'sch'
     FROM customers WHERE ${others}`,
  );
  await tx.run('ANALYZE');
}

test('an export and an erasure read the rows of their customer, among thousands of others', async () => {
  await h.db.transaction(async (tx) => {
    const asked = { ...ref, reason: 'asked by letter' };
    const before = await rowsRead(tx);
    const held = await exportCustomer(h.platform, tx, h.clock.at, asked);
    assert.equal(held.tables.inbox?.length, 1, 'the notice of their pay-in');
    const between = await rowsRead(tx);
    assert.ok(between - before < FEW, `the export read ${between - before} rows`);
    await eraseCustomer(h.platform, tx, h.clock.at, { ...asked, metadata: true });
    const read = (await rowsRead(tx)) - between;
    assert.ok(read < FEW, `the erasure read ${read} rows`);
  });
});

test('notices of the issuer are found by the index of their wallets, whatever else is switched on', async () => {
  const plans: string[] = [];
  const explained = (tx: Tx): Tx => {
    const first =
      <R>(done: (sql: string, values?: Parameters<Tx['run']>[1]) => Promise<R>) =>
      async (sql: string, values: Parameters<Tx['run']>[1] = []): Promise<R> => {
        if (sql.includes('inbox'))
          plans.push(JSON.stringify(await tx.rows(`EXPLAIN (FORMAT JSON) ${sql}`, values)));
        return done(sql, values);
      };
    return { ...tx, rows: first(tx.rows), run: first(tx.run) } as Tx;
  };
  await asOwner(h.db, async (tx) => {
    await listNotices(explained(tx), ref, 10);
    await erasePayers(explained(tx), ref);
  });
  assert.equal(plans.length, 2);
  for (const plan of plans) {
    assert.match(plan, /"Index Name":"inbox_by_wallet"/);
    assert.doesNotMatch(plan, /Seq Scan/);
  }
});
