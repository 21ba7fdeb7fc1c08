import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Series } from '../terms/occurrences.ts';
import type { Terms } from '../terms/schedule.ts';
import { TERMS_COLUMNS } from './store.ts';

/** Inserts versions of schedules' terms. */
export async function insertTerms(
  tx: Tx,
  merchantId: string,
  versions: readonly { scheduleId: string; terms: Terms }[],
  now: Temporal.Instant,
): Promise<void> {
  const rows = versions.map(({ scheduleId, terms }) => ({
    scheduleId,
    ...terms,
    ...terms.series,
    ...terms.series.frequency,
    ...terms.limits,
    time: timeOfDay(terms.series).toString(),
    nonWorkingDay: terms.series.nonWorkingDay ?? 'same',
    notBefore: terms.series.notBefore ?? null,
    firstPence: terms.firstPence ?? null,
  }));
  await tx.insert(
    `INSERT INTO schedule_terms (merchant_id, created_at, schedule_id, ${TERMS_COLUMNS})
     SELECT $1, $2, t.* FROM unnest($3::text[], $4::int[], $5::bigint[], $6::text[], $7::timestamptz[], $8::text[], $9::int[],
       $10::int[], $11::timestamptz[], $12::time[], $13::text[], $14::timestamptz[], $15::text[], $16::bigint[],
       $17::bigint[], $18::text[], $19::timestamptz[], $20::bigint[]) AS t RETURNING schedule_id`,
    [
      merchantId,
      now,
      ...columns(
        rows,
        'scheduleId',
        'version',
        'amountPence',
        'currency',
        'startDate',
        'type',
        'day',
        'interval',
        'firstAt',
        'time',
        'timeZone',
        'endAt',
        'amountMode',
        'perPaymentPence',
        'perPeriodPence',
        'nonWorkingDay',
        'notBefore',
        'firstPence',
      ),
    ],
  );
}

const timeOfDay = ({ timeOfDay: time, firstAt, timeZone }: Series): Temporal.PlainTime =>
  time ?? firstAt.toZonedDateTimeISO(timeZone).toPlainTime();
