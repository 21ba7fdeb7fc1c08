// Slow: kills a process at every step of a report.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { reconcile } from '../../server/src/laws/reconciliation/reconciliation.ts';
import type { Movement } from '../../server/src/wallets/issuer.ts';
import { assertLaws } from '../../server/test-support/books.ts';
import { Doomed } from '../../server/test-support/crash.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const MAX_STEPS = 150;
const JUST_BEFORE = Temporal.Instant.from('2026-01-09T06:29:00Z');
/** A process has half an hour to make the report; then another makes it. */
const AFTERWARDS = JUST_BEFORE.add({ minutes: 45 });

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T00:00:00Z');
});
after(() => h.close());

/** Collects a payment at a given time; returns its pay-in. */
async function collect(at: string, value: number): Promise<Movement> {
  await h.agreed({
    start_date: at,
    frequency: 'yearly',
    amount: { value, currency: 'GBP' },
    customer: { phone: `+4477008${10_000 + value}` },
  });
  await h.runUntil(Temporal.Instant.from(at).add({ minutes: 5 }));
  const found = [...h.issuer.wallets.values()]
    .flatMap(({ movements }) => movements)
    .find((movement) => movement.kind === 'payin' && movement.amountPence === value);
  assert.ok(found);
  return found;
}

/**
 * Runs a day without any notice: a pay-out comes back, a pay-in is recalled, money comes that no payment awaits, and the
 * statement has an unexplained line.
 */
async function liveThroughTheDay(): Promise<void> {
  await collect('2026-01-06T10:00:00Z', 1000);
  const recalled = await collect('2026-01-07T10:00:00Z', 2000);
  await h.runUntil('2026-01-08T12:00:00Z');
  h.issuer.onPayIn = null;
  h.issuer.onTakenBack = null;
  const paid = [...h.issuer.orders.values()].find(
    (order) => order.kind === 'payout' && order.amountPence === 1000,
  );
  h.issuer.comeBack(paid?.idempotencyKey ?? '');
  h.issuer.recall(recalled);
  const wallet = h.issuer.wallets.get(recalled.toIssuerWalletId ?? '');
  assert.ok(wallet);
  const creditor = wallet.wallet.account.accountNumber;
  const extra = h.issuer.payIn({ endToEndId: '', amountPence: 321, creditor });
  wallet.movements.push({ ...extra, movementId: 'mv-strange', kind: 'transfer', amountPence: 7 });
}

const BOOKS = {
  transfers: 'SELECT kind, debit_account_id, credit_account_id, amount_pence FROM transfers',
  accounts: 'SELECT account_id, balance_pence FROM accounts',
  payments: 'SELECT payment_id, status, settlement_id FROM payments',
  settlements: 'SELECT settlement_id, status, stage, error_code, attempts FROM settlements',
  items: 'SELECT amount_pence, reason, status, movement_id FROM unallocated_items',
  debts: 'SELECT amount_pence, movement_id, payment_id FROM debts',
  events: 'SELECT kind, subject_id, sequence FROM events',
  notices: 'SELECT source, notification_id, due_at IS NULL AS is_done FROM inbox',
  differences:
    'SELECT item, amount_pence, what FROM reconciliation_items WHERE resolved_at IS NULL',
  reports:
    'SELECT date, lines, wallets_pence, unallocated_pence, owed_pence, differences FROM reconciliations',
  agenda: 'SELECT due_at FROM reconciliation_agenda',
};

/** Returns the contents of the books, without the times of writing and the random ids. */
async function books(): Promise<Record<string, string[]>> {
  const said: Record<string, string[]> = {};
  for (const [name, sql] of Object.entries(BOOKS)) {
    const rows = await h.db.read((tx) => tx.rows(sql));
    said[name] = rows.map((row) => JSON.stringify(row).replaceAll(/una_\w+/g, 'una')).sort();
  }
  return said;
}

/**
 * Makes the report with a process that crashes before the step, and with another one afterwards. Returns whether the first
 * crashed.
 */
async function reportWithDeath(step: number): Promise<{ died: boolean; said: object }> {
  const restore = await h.backUp();
  const doomed = new Doomed(step, false, 'statement');
  await h
    .runUntil(JUST_BEFORE.add({ minutes: 5 }), h.another(doomed.wrap))
    .catch((error: unknown) => assert.ok(doomed.isDead, String(error)));
  await h.runUntil(AFTERWARDS);
  // The next report finds in the books what the first one did.
  await reconcile(h.platform, h.issuer, Temporal.PlainDate.from('2026-01-08'));
  const said = await books();
  await assertLaws(h);
  await restore();
  h.clock.at = JUST_BEFORE;
  return { died: doomed.isDead, said };
}

test('a daily report that is killed before any of its statements and calls has the result of one that is not', async () => {
  await liveThroughTheDay();
  await h.runUntil(JUST_BEFORE);
  const { said: undisturbed } = await reportWithDeath(Number.POSITIVE_INFINITY);
  for (let step = 1; step <= MAX_STEPS; step++) {
    const { died, said } = await reportWithDeath(step);
    assert.deepEqual(said, undisturbed, `killed before step ${step}`);
    if (died) continue;
    assert.ok(step > 40, `a report takes more than ${step} steps`);
    return;
  }
  assert.fail(`a report takes more than ${MAX_STEPS} steps`);
});
