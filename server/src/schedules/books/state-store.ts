import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { moveRows, type Step } from '../../platform/state/move-rows.ts';
import type { Column } from '../../platform/state/move-statement.ts';
import { transition } from '../../platform/state/state-machine.ts';
import { SCHEDULE_STATES, type Schedule, type ScheduleStatus } from '../terms/schedule.ts';
import { type Next, setNext } from './agenda-store.ts';

/** Every write of a schedule's row; nothing else writes its status. The caller has locked the schedule. */

/** Inserts schedules of one merchant, each with its agenda, on which nothing is due yet. */
export async function insertSchedules(
  tx: Tx,
  merchantId: string,
  schedules: readonly Schedule[],
): Promise<void> {
  const metadata = schedules.map((one) => one.metadata && JSON.stringify(one.metadata));
  const ids = schedules.map(({ scheduleId }) => scheduleId);
  await Promise.all([
    tx.insert(
      `INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
         terms_version, created_at, updated_at, statement_reference, metadata, first_payment_pence, first_payment_description)
       SELECT $1, s.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[],
         $9::timestamptz[], $9::timestamptz[], $10::text[], $11::jsonb[], $12::bigint[], $13::text[]) AS s RETURNING schedule_id`,
      [
        merchantId,
        ...columns(
          schedules,
          'scheduleId',
          'customerId',
          'customerType',
          'status',
          'description',
          'maxRetries',
          'termsVersion',
          'createdAt',
          'reference',
        ),
        metadata,
        schedules.map(({ firstPayment }) => firstPayment?.amountPence ?? null),
        schedules.map(({ firstPayment }) => firstPayment?.description ?? null),
      ],
    ),
    tx.insert(
      'INSERT INTO schedule_agenda (merchant_id, schedule_id) SELECT $1, id FROM unnest($2::text[]) AS s (id) RETURNING schedule_id',
      [merchantId, ids],
    ),
  ]);
}

/** What can change of a schedule besides its status; fields left out stay unchanged. */
export type ScheduleChange = Partial<
  Pick<
    Schedule,
    | 'description'
    | 'reference'
    | 'metadata'
    | 'maxRetries'
    | 'termsVersion'
    | 'liveVersion'
    | 'consentedVersion'
    | 'consentId'
    | 'resumeAt'
  >
> & { next?: Next };

/** The columns of a `ScheduleChange`. */
const FIELDS: Readonly<Record<string, Column<Schedule>>> = {
  description: ['text', (one) => one.description],
  statement_reference: ['text', (one) => one.reference],
  metadata: ['jsonb', (one) => one.metadata && JSON.stringify(one.metadata)],
  max_retries: ['int', (one) => one.maxRetries],
  terms_version: ['int', (one) => one.termsVersion],
  live_version: ['int', (one) => one.liveVersion],
  consented_version: ['int', (one) => one.consentedVersion],
  consent_id: ['text', (one) => one.consentId],
  resume_at: ['timestamptz', (one) => one.resumeAt],
};

/** Updates a locked schedule, and its agenda if the next occurrence changes; returns it as changed. */
export async function changeSchedule(
  tx: Tx,
  schedule: Schedule,
  change: ScheduleChange,
  now: Temporal.Instant,
): Promise<Schedule> {
  const changed = changedBy(schedule, change);
  const set = Object.keys(FIELDS).map((column, n) => `${column} = $${n + 4}`);
  await tx.run(
    `UPDATE schedules SET ${set.join(', ')}, updated_at = $3 WHERE merchant_id = $1 AND schedule_id = $2`,
    [
      schedule.merchantId,
      schedule.scheduleId,
      now,
      ...Object.values(FIELDS).map(([, value]) => value(changed)),
    ],
  );
  if (change.next !== undefined) await setNext(tx, changed, change.next, now);
  return changed;
}

/** The same with another status, along an edge of the table. Throws if the schedule is in another state. */
export async function moveSchedule(
  tx: Tx,
  now: Temporal.Instant,
  schedule: Schedule,
  { status, ...change }: ScheduleChange & { status: ScheduleStatus },
  told: Pick<Step<ScheduleStatus, Schedule>, 'audit' | 'events'> = {},
): Promise<Schedule> {
  const changed = { ...changedBy(schedule, change), status };
  const moved = await moveRows<ScheduleStatus, Schedule>(tx, now, {
    ...told,
    rows: [changed],
    move: transition(SCHEDULE_STATES, [schedule.status], status),
    columns: {
      merchant_id: ['text', (one) => one.merchantId],
      schedule_id: ['text', (one) => one.scheduleId],
      updated_at: ['timestamptz', () => now],
      ...FIELDS,
    },
    set: ['updated_at', ...Object.keys(FIELDS)].map((column) => `${column} = n.${column}`).join(),
  });
  if (moved.length !== 1)
    throw new Error(`the schedule ${schedule.scheduleId} was not ${schedule.status}`);
  if (change.next !== undefined) await setNext(tx, changed, change.next, now);
  return changed;
}

const changedBy = (schedule: Schedule, { next, ...fields }: ScheduleChange): Schedule => ({
  ...schedule,
  ...fields,
  ...(next && { dueAt: next.dueAt, nextOccurrence: next.occurrence }),
});
