// Slow: collects the books of many months.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { letTokensEnd } from './multiply.ts';
import { openPartnerBooks } from './partner-books.ts';
import { agree, openTown, type Town } from './town.ts';

/** Some agree through the pages, the others are copied. */
const CUSTOMERS = 24;
const LOOK_EVERY_MS = 200;
const LOOKS = 300;

/** Waits until every payment has its outcome; returns how many have which. */
async function outcomes({ running }: Town): Promise<Record<string, number>> {
  for (let look = 0; look < LOOKS; look++) {
    const rows = await running.platform.db.read((tx) =>
      tx.rows<{ status: string; n: number }>(
        'SELECT status, count(*)::int AS n FROM payments GROUP BY status',
      ),
    );
    const byStatus = Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    if (rows.length > 0 && !byStatus.pending && !byStatus.processing) return byStatus;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('payments have no outcome');
}

test('customers whose agreement is a copy are collected from as those who have been through the pages', async () => {
  await using town = await openTown();
  const { running, merchantId, client } = town;
  await agree(town, 0, CUSTOMERS);
  const first = (await client.schedules.list({ limit: 1 })).data[0];
  assert.match(first?.customer.type === 'phone' ? first.customer.value : '', /^\+447\d{9}$/);
  using books = openPartnerBooks(running.config.dataDir);
  const kept = books.bank.all<{ consents: number; grants: number }>(
    'SELECT count(DISTINCT consent_id) AS consents, count(DISTINCT grant_id) AS grants FROM consents',
  );
  assert.deepEqual({ ...kept[0] }, { consents: CUSTOMERS, grants: CUSTOMERS });
  await letTokensEnd(running.platform, merchantId);
  const due = await running.platform.db.read((tx) =>
    tx.row<{ due: Temporal.Instant }>('SELECT min(due_at) AS due FROM schedule_agenda'),
  );
  await client.sandbox.advance({ to: (due?.due ?? running.platform.clock.now()).toString() });
  assert.deepEqual(await outcomes(town), { success: CUSTOMERS });
  const broken = (await checkLaws(running.platform)).filter((finding) => finding.broken.length > 0);
  assert.deepEqual(broken, []);
});
