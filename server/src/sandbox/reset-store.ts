import type { Tx } from '../platform/db/db.ts';
import { ApiError } from '../platform/values/errors.ts';
import { isStampedLive } from '../platform/vault/deployment-store.ts';

/** The tables that a reset empties. All others stay: a test lists both. */
export const BOOKS: readonly string[] = [
  'account_seals',
  'accounts',
  'announced_occurrences',
  'archives',
  'attempts',
  'bank_condition_changes',
  'bank_conditions',
  'bank_grants',
  'bank_revocations',
  'bank_stops',
  'carried_debts',
  'carried_payments',
  'carried_refund_lines',
  'came_back_lines',
  'consent_limit_changes',
  'consent_looks',
  'consents',
  'customer_words',
  'customers',
  'debts',
  'deliveries',
  'delivery_attempts',
  'disputes',
  'events',
  'events_without_endpoint',
  'fee_transfers',
  'fee_wallet',
  'idempotency_keys',
  'imported_lines',
  'inbox',
  'law_breaches',
  'law_findings',
  'law_marks',
  'law_rounds',
  'merchant_holds',
  'notices',
  'occurrence_changes',
  'payee_checks',
  'payment_evidence',
  'payment_orders',
  'payment_work',
  'payments',
  'prepared_acts',
  'reconciliation_items',
  'reconciliations',
  'refund_lines',
  'refunds',
  'request_log',
  'safeguarding_breaches',
  'safeguarding_runs',
  'schedule_agenda',
  'schedule_change_lines',
  'schedule_changes',
  'schedule_runs',
  'schedule_terms',
  'schedule_words',
  'schedules',
  'settlement_account_changes',
  'settlements',
  'skipped_occurrences',
  'state_changes',
  'to_settle',
  'transfer_seals',
  'transfers',
  'unallocated_items',
  'unknown_bank_payments',
  'wallets',
];

/**
 * Empties the books, immutable rows included, because whole tables are truncated. Throws 403 `forbidden` if the database is
 * stamped live; there the database refuses too.
 */
export async function emptyBooks(tx: Tx): Promise<void> {
  if (await isStampedLive(tx))
    throw new ApiError('forbidden', 'This database belongs to a live service.');
  await tx.run('SELECT empty_tables($1)', [BOOKS]);
}

/** The business times of what stays. Times of the machine's clock (sign-ins, operators and their keys) are not among them. */
export const SHIFTED: Readonly<Record<string, readonly string[]>> = {
  announcements: ['due_at'],
  coming_announcements: ['due_at'],
  api_keys: ['created_at', 'expires_at', 'revoked_at', 'last_used_at', 'refused_at'],
  api_key_limits: ['spent_at'],
  bank_distrusts: ['since', 'ended_at'],
  former_addresses: ['until'],
  members: ['joined_at', 'confirms_from', 'leaves_at', 'due_at'],
  merchant_fees: ['from_at', 'set_at'],
  merchants: ['created_at'],
  operator_notices: ['due_at', 'created_at'],
  operator_requests: ['asked_at', 'expires_at', 'ended_at'],
  safeguarding_register: ['added_at', 'ended_at'],
  saved_views: ['created_at'],
  webhook_endpoints: ['created_at', 'updated_at', 'next_secret_at', 'due_at'],
};

/** Shifts the business times of what stays by `ms` milliseconds. */
export async function shiftRemaining(tx: Tx, ms: number): Promise<void> {
  for (const [table, columns] of Object.entries(SHIFTED)) {
    const moves = columns.map(
      (name) => `${name} = ${name} + $1::bigint * interval '1 millisecond'`,
    );
    await tx.run(`UPDATE ${table} SET ${moves.join(', ')}`, [ms]);
  }
  await tx.run('SELECT shift_let_ins($1)', [ms]);
  await tx.run(`UPDATE reconciliation_agenda SET due_at = '1970-01-01T00:00:00Z'`);
  await tx.run(`UPDATE safeguarding_agenda SET due_at = '1970-01-01T00:00:00Z', since = NULL`);
}

/** Returns every merchant of this sandbox, oldest first. */
export async function findMerchants(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    'SELECT merchant_id FROM merchants ORDER BY created_at, merchant_id',
  );
  return rows.map((row) => row.merchantId);
}
