import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import { openHarness } from '../../server/test-support/harness.ts';

test('a schedule is consented to, collected and settled, and every law of money holds', async () => {
  const h = await openHarness();
  try {
    const created = await h.create();
    assert.equal(created.status, 'pending_consent');
    assert.equal(await h.decide(created.consent_url), 'granted');
    assert.equal((await h.show(created.id)).next_payment_date, '2026-01-10T09:00:00.000Z');
    await h.runUntil('2026-02-20T12:00:00Z');
    const payments = await h.db.read((tx) =>
      tx.rows<{ status: string; dueDate: Temporal.Instant }>(
        'SELECT status, due_date FROM payments',
      ),
    );
    assert.deepEqual(
      payments.map((p) => p.status),
      ['success', 'success'],
    );
    const settlements = await h.db.read((tx) =>
      tx.rows<{ status: string; settleDate: Temporal.PlainDate; amountPence: number }>(
        'SELECT status, settle_date, amount_pence FROM settlements ORDER BY 2',
      ),
    );
    assert.deepEqual(
      settlements.map((s) => [s.status, s.settleDate.toString(), s.amountPence]),
      [
        ['success', '2026-01-13', 4999],
        ['success', '2026-02-11', 4999],
      ],
    );
    const events = await h.db.read((tx) =>
      tx.rows<{ kind: string }>('SELECT kind FROM events ORDER BY event_id'),
    );
    assert.deepEqual(
      events.map((e) => e.kind),
      [
        'schedule.setup_success',
        'collection.success',
        'settlement.success',
        'collection.success',
        'settlement.success',
      ],
    );
    for (const finding of [
      ...(await checkLaws(h.platform)),
      await compareWithIssuer(h.platform, h.issuer),
    ])
      assert.deepEqual(finding.broken, [], finding.law);
  } finally {
    await h.close();
  }
});
