import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { isBusinessDay } from '../../platform/time/calendar.ts';
import type { Subject } from '../findings/nouns.ts';
import type { Breach, Law } from './law.ts';

interface ToSettle {
  merchantId: string;
  paymentId: string;
  completedAt: Temporal.Instant;
  /** When it was to be settled before anything put it off. */
  plannedAt: Temporal.Instant;
}

/**
 * Returns 06:00 in London of the business day after the one to which money collected at this moment belongs: the rule of
 * docs/rules/settlements.md#when-money-is-paid-out, day by day and apart from the product's own computation.
 */
function dayAfter(collectedAt: Temporal.Instant): Temporal.Instant {
  let day = collectedAt.toZonedDateTimeISO('Europe/London').toPlainDate();
  let businessDays = isBusinessDay(day) ? 1 : 0;
  while (businessDays < 2) {
    day = day.add({ days: 1 });
    if (isBusinessDay(day)) businessDays += 1;
  }
  return day.toZonedDateTime({ timeZone: 'Europe/London', plainTime: '06:00' }).toInstant();
}

async function brokenAmong(tx: Tx, subjects: readonly Subject[]): Promise<Breach[]> {
  const rows = await tx.rows<ToSettle>(
    `SELECT t.merchant_id, t.payment_id, p.completed_at, coalesce(t.put_off_from, t.settle_at) AS planned_at
     FROM unnest($1::text[], $2::text[]) AS k (merchant_id, id)
     JOIN to_settle t ON t.merchant_id = k.merchant_id AND t.payment_id = k.id
     JOIN payments p ON p.merchant_id = t.merchant_id AND p.payment_id = t.payment_id
     WHERE p.completed_at IS NOT NULL`,
    columns(subjects, 'merchantId', 'id'),
  );
  return rows.flatMap(({ merchantId, paymentId, completedAt, plannedAt }) => {
    const due = dayAfter(completedAt);
    // What a settlement that failed has released has been due since its success.
    if (plannedAt.equals(due) || plannedAt.equals(completedAt)) return [];
    const what = `${merchantId} ${paymentId} of ${completedAt} is to be settled at ${plannedAt}, not at ${due}`;
    return [{ merchantId, id: paymentId, what }];
  });
}

/** What was collected on a day is in the settlement of its day, unless that was held, doubted, owed or failed. */
export const SETTLED_NEXT_DAY: Law = {
  name: 'settled-on-its-day',
  sentence:
    'What is collected on a business day is settled on the next one, unless it was put off or its settlement failed.',
  parts: [{ noun: 'to settle', broken: brokenAmong }],
};
