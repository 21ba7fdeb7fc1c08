import type { StoredControlParameters } from '../../consents/consent.ts';
import { ATTEMPT_CONSENT } from '../../payments/books/evidence-store.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { opaque } from '../../platform/values/opaque.ts';
import { bankDate, type Collection, firstRefused, roomUnder } from '../../schedules/limits/room.ts';
import type { Subject } from '../findings/nouns.ts';
import type { Law } from './law.ts';

interface UsedRow {
  merchantId: string;
  customerId: string;
  consentId: string;
  controlParameters: StoredControlParameters | null;
  /** The limits before each change that the customer made at the bank. */
  earlierParameters: StoredControlParameters[] | null;
  moments: string[];
  ends: (string | null)[];
  amounts: string[];
}

/** Nothing is collected beyond the limits that the customer agreed to: checked with the arithmetic used before sending. */
export const WITHIN_LIMITS: Law = {
  name: 'within-limits',
  sentence: 'No consent was used beyond its limits.',
  parts: [
    {
      noun: 'customer',
      async broken(tx, customers) {
        const rows = await readUsed(tx, customers);
        return rows.flatMap((row) => {
          const reason = beyondLimits(row);
          const what = `${row.merchantId} ${row.consentId}: ${reason}`;
          return reason === null ? [] : [{ merchantId: row.merchantId, id: row.customerId, what }];
        });
      },
    },
  ],
};

/**
 * Returns why collections exceed a consent's limits; null: they do not. If the limits were changed at the bank, any of them
 * may have allowed it: an alarm must be certain.
 */
function beyondLimits(row: UsedRow): string | null {
  const collections = collectionsOf(row);
  let reason: string | null = null;
  for (const stored of [row.controlParameters, ...(row.earlierParameters ?? [])]) {
    const room = roomUnder(stored);
    const refusal = room && firstRefused(room, collections);
    if (refusal === null) return null;
    reason = refusal.reason;
  }
  return reason;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/**
 * Reads what was collected under each consent of these customers, across all schedules. By customer, because a consent serves
 * several of its schedules: each payment is read once.
 */
function readUsed(tx: Tx, customers: readonly Subject[]): Promise<UsedRow[]> {
  return tx.rows<UsedRow>(
    `SELECT k.merchant_id, k.customer_id, c.consent_id, c.control_parameters,
            (SELECT jsonb_agg(l.before) FROM consent_limit_changes l WHERE l.merchant_id = c.merchant_id
               AND l.consent_id = c.consent_id) AS earlier_parameters,
            array_agg(to_char(coalesce(a.sent_at, a.started_at) AT TIME ZONE 'UTC', ${ISO})) AS moments,
            array_agg(to_char(a.finished_at AT TIME ZONE 'UTC', ${ISO})) AS ends,
            array_agg(p.amount_pence::text) AS amounts
     FROM unnest($1::text[], $2::text[]) AS k (merchant_id, customer_id)
     CROSS JOIN LATERAL (SELECT schedule_id FROM schedules
       WHERE merchant_id = k.merchant_id AND customer_id = k.customer_id OFFSET 0) s
     CROSS JOIN LATERAL (SELECT payment_id, consent_id, amount_pence FROM payments
       WHERE merchant_id = k.merchant_id AND schedule_id = s.schedule_id AND ${opaque("status = 'success'")} OFFSET 0) p
     CROSS JOIN LATERAL (SELECT sent_at, started_at, finished_at, consent_id FROM attempts
       WHERE merchant_id = k.merchant_id AND payment_id = p.payment_id AND ${opaque("status = 'success'")} OFFSET 0) a
     CROSS JOIN LATERAL (SELECT merchant_id, consent_id, control_parameters FROM consents
       WHERE merchant_id = k.merchant_id AND consent_id = ${ATTEMPT_CONSENT} OFFSET 0) c
     GROUP BY k.merchant_id, k.customer_id, c.merchant_id, c.consent_id, c.control_parameters`,
    columns(customers, 'merchantId', 'id'),
  );
}

/**
 * Returns the collections, each on the day of its first order, on which the bank accepted it. If the first call was lost and the
 * bank accepted a repeat after midnight, we know only a range of days: such a collection is left out, because an alarm must be
 * certain.
 */
function collectionsOf(row: UsedRow): Collection[] {
  return row.moments.flatMap((moment, i) => {
    const [amount, end] = [row.amounts[i], row.ends[i]];
    if (amount === undefined) return [];
    const [at, until] = [Temporal.Instant.from(moment), Temporal.Instant.from(end ?? moment)];
    const isSure = bankDate(at).equals(bankDate(until));
    return isSure ? [{ at, amountPence: Number(amount) }] : [];
  });
}
