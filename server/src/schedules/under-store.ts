import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db.ts';
import type { Terms } from './schedule.ts';
import { TERMS_COLUMNS, type TermsRow, toTerms } from './store.ts';

/** What a schedule under a consent collects. */
export interface TermsUnder {
  consentId: string;
  scheduleId: string;
  terms: Terms;
  /** Null while it is paused, and after its last occurrence. */
  nextDueAt: Temporal.Instant | null;
}

interface TermsUnderRow extends TermsRow {
  consent_id: string;
  schedule_id: string;
  due_at: Temporal.Instant | null;
}

const TERMS = TERMS_COLUMNS.split(',')
  .map((column) => `t.${column.trim()}`)
  .join(', ');

/** Returns the live terms of the schedules under each of these consents that are not cancelled, in one statement. */
export async function findTermsUnder(
  tx: Tx,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<TermsUnder[]> {
  const rows = await tx.rows<TermsUnderRow>(
    `SELECT s.consent_id, s.schedule_id, a.due_at, ${TERMS}
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS f (merchant_id, consent_id)
     JOIN schedules s ON s.merchant_id = f.merchant_id AND s.consent_id = f.consent_id
     JOIN schedule_agenda a ON a.merchant_id = s.merchant_id AND a.schedule_id = s.schedule_id
     JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
     WHERE s.status <> 'cancelled'`,
    columns(consents, 'merchantId', 'consentId'),
  );
  return rows.map((row) => ({
    consentId: row.consent_id,
    scheduleId: row.schedule_id,
    terms: toTerms(row),
    nextDueAt: row.due_at,
  }));
}
