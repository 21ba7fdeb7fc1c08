import { columns, columnsOf } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { earlier } from '../../platform/values/instants.ts';
import { type Changes, NO_CHANGES } from '../terms/amounts.ts';
import type { Terms } from '../terms/schedule.ts';
import { findChanges } from './changes-store.ts';
import { TERMS_COLUMNS, type TermsRow, toTerms } from './store.ts';

/** What a schedule under a consent collects. */
export interface TermsUnder {
  consentId: string;
  scheduleId: string;
  terms: Terms & { changes: Changes };
  /** Null while it is paused, and after its last occurrence. */
  nextDueAt: Temporal.Instant | null;
}

interface TermsUnderRow extends TermsRow {
  merchantId: string;
  consentId: string;
  scheduleId: string;
  dueAt: Temporal.Instant | null;
  changes: number | null;
}

const TERMS = columnsOf('t', TERMS_COLUMNS);

/**
 * Returns the live terms of the schedules under each of these consents that are not cancelled, and what was set for their coming
 * occurrences, in one statement; in two if something was.
 */
export async function findTermsUnder(
  tx: Tx,
  consents: readonly { merchantId: string; consentId: string }[],
  now: Temporal.Instant,
): Promise<TermsUnder[]> {
  const rows = await tx.rows<TermsUnderRow>(
    `SELECT s.merchant_id, s.consent_id, s.schedule_id, a.due_at, a.changes, ${TERMS}
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS f (merchant_id, consent_id)) f
     JOIN schedules s ON s.merchant_id = f.merchant_id AND s.consent_id = f.consent_id
     JOIN schedule_agenda a ON a.merchant_id = s.merchant_id AND a.schedule_id = s.schedule_id
     JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
     WHERE s.status <> 'cancelled'`,
    columns(consents, 'merchantId', 'consentId'),
  );
  const changed = rows.filter((row) => row.changes !== null);
  const keys = changed.map((row) => ({ merchantId: row.merchantId, scheduleId: row.scheduleId }));
  const changes = await findChanges(tx, keys, earliestOf(changed, now));
  return rows.map((row) => ({
    consentId: row.consentId,
    scheduleId: row.scheduleId,
    terms: { ...toTerms(row), changes: changes.get(row.scheduleId) ?? NO_CHANGES },
    nextDueAt: row.dueAt,
  }));
}

/** Returns when the first of these is due, which may be overdue; at most `now`. */
function earliestOf(rows: readonly TermsUnderRow[], now: Temporal.Instant): Temporal.Instant {
  return rows.reduce((first, { dueAt }) => earlier(first, dueAt), now);
}
