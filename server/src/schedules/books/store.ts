import type { ConsentRef } from '../../consents/consent.ts';
import type { CustomerType } from '../../customers/customer.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { FrequencyType } from '../terms/frequency.ts';
import type { Series } from '../terms/occurrences.ts';
import type { AmountMode, Schedule, ScheduleStatus, Terms } from '../terms/schedule.ts';
import type { NonWorkingDay } from '../terms/working-day.ts';

/** A schedule's row; other statements that read schedules use the same column names. */
export interface ScheduleRow {
  merchantId: string;
  scheduleId: string;
  customerId: string;
  customerType: CustomerType;
  status: ScheduleStatus;
  description: string;
  statementReference: string | null;
  metadata: Record<string, unknown> | null;
  maxRetries: number;
  firstPaymentPence: number | null;
  firstPaymentDescription: string | null;
  termsVersion: number;
  liveVersion: number | null;
  consentedVersion: number | null;
  consentId: string | null;
  dueAt: Temporal.Instant | null;
  nextOccurrence: number | null;
  resumeAt: Temporal.Instant | null;
  changes: number | null;
  createdAt: Temporal.Instant;
}

export const SCHEDULE_COLUMNS = `merchant_id, schedule_id, customer_id, customer_type, status, description,
  statement_reference, metadata, max_retries, terms_version, live_version, consented_version, consent_id, due_at,
  next_occurrence, resume_at, changes, created_at, first_payment_pence, first_payment_description`;

/** Schedules with their agenda, which has `due_at`, `next_occurrence` and `changes`. */
export const SCHEDULES = 'schedules JOIN schedule_agenda USING (merchant_id, schedule_id)';

/** Converts a row to a schedule. */
export const toSchedule = (r: ScheduleRow): Schedule => ({
  merchantId: r.merchantId,
  scheduleId: r.scheduleId,
  customerId: r.customerId,
  customerType: r.customerType,
  status: r.status,
  description: r.description,
  reference: r.statementReference,
  metadata: r.metadata,
  maxRetries: r.maxRetries,
  firstPayment:
    r.firstPaymentPence === null
      ? null
      : { amountPence: r.firstPaymentPence, description: r.firstPaymentDescription },
  termsVersion: r.termsVersion,
  liveVersion: r.liveVersion,
  consentedVersion: r.consentedVersion,
  consentId: r.consentId,
  dueAt: r.dueAt,
  nextOccurrence: r.nextOccurrence,
  resumeAt: r.resumeAt,
  hasChanges: r.changes !== null,
  createdAt: r.createdAt,
});

/** The columns of a terms row; other statements that join terms use the same names. */
export const TERMS_COLUMNS = `version, amount_pence, currency, start_date, frequency_type, frequency_day, frequency_interval,
  first_at, time_of_day, time_zone, end_at, amount_mode, per_payment_pence, per_period_pence, non_working_day,
  not_before, first_pence`;

export interface TermsRow {
  version: number;
  amountPence: number;
  currency: string;
  startDate: Temporal.Instant | null;
  frequencyType: FrequencyType;
  frequencyDay: number | null;
  frequencyInterval: number;
  firstAt: Temporal.Instant;
  timeOfDay: string;
  timeZone: string;
  endAt: Temporal.Instant | null;
  amountMode: AmountMode;
  perPaymentPence: number | null;
  perPeriodPence: number | null;
  nonWorkingDay: NonWorkingDay;
  notBefore: Temporal.Instant | null;
  firstPence: number | null;
}

/** The columns of a terms row that say when its occurrences are. */
export type SeriesRow = Pick<
  TermsRow,
  | 'frequencyType'
  | 'frequencyDay'
  | 'frequencyInterval'
  | 'firstAt'
  | 'timeOfDay'
  | 'timeZone'
  | 'endAt'
  | 'nonWorkingDay'
  | 'notBefore'
>;

/** Converts the columns of a terms row that say when its occurrences are. */
export const toSeries = (r: SeriesRow): Series => ({
  frequency: { type: r.frequencyType, day: r.frequencyDay, interval: r.frequencyInterval },
  firstAt: r.firstAt,
  timeOfDay: Temporal.PlainTime.from(r.timeOfDay),
  timeZone: r.timeZone,
  endAt: r.endAt,
  nonWorkingDay: r.nonWorkingDay,
  notBefore: r.notBefore,
});

/** Converts a row to terms. */
export function toTerms(r: TermsRow): Terms {
  return {
    version: r.version,
    amountPence: r.amountPence,
    amountMode: r.amountMode,
    currency: r.currency,
    startDate: r.startDate,
    series: toSeries(r),
    limits: { perPaymentPence: r.perPaymentPence, perPeriodPence: r.perPeriodPence },
    firstPence: r.firstPence,
  };
}

export async function findSchedule(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<Schedule | null> {
  const row = await tx.row<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM ${SCHEDULES} WHERE merchant_id = $1 AND schedule_id = $2`,
    [merchantId, scheduleId],
  );
  return row === null ? null : toSchedule(row);
}

/** Whether the customer of a schedule was erased. Locks the customer, so nobody erases them until the transaction ends. */
export async function isErased(
  tx: Tx,
  { merchantId, scheduleId }: { merchantId: string; scheduleId: string },
): Promise<boolean> {
  const row = await tx.row<{ erasedAt: Temporal.Instant | null }>(
    `SELECT erased_at FROM customers WHERE merchant_id = $1 AND customer_id =
       (SELECT customer_id FROM schedules WHERE merchant_id = $1 AND schedule_id = $2) FOR SHARE`,
    [merchantId, scheduleId],
  );
  return row !== null && row.erasedAt !== null;
}

/** Returns some of a merchant's schedules in primary-key order, without locking them. */
export async function findSchedules(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<Schedule[]> {
  const rows = await tx.rows<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM ${SCHEDULES} WHERE merchant_id = $1 AND schedule_id = ANY($2) ORDER BY schedule_id`,
    [merchantId, scheduleIds],
  );
  return rows.map(toSchedule);
}

/**
 * Locks and returns the schedule: always before its consents and payments, and these before its agenda. The lock covers `due_at`:
 * whoever opens an occurrence locks the schedule too. Read by a second statement, so that it is what the lock waited for.
 */
export async function lockSchedule(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<Schedule | null> {
  const [, schedule] = await Promise.all([
    lockSchedules(tx, merchantId, [scheduleId]),
    findSchedule(tx, merchantId, scheduleId),
  ]);
  return schedule;
}

/** Locks some of a merchant's schedules, in primary-key order. */
async function lockSchedules(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<void> {
  await tx.run(
    'SELECT 1 FROM schedules WHERE merchant_id = $1 AND schedule_id = ANY($2) ORDER BY schedule_id FOR UPDATE',
    [merchantId, scheduleIds],
  );
}

/** Locks and returns the schedule of a consent. Throws if there is none: a defect. */
export async function lockScheduleOf(
  tx: Tx,
  ref: Pick<ConsentRef, 'merchantId' | 'scheduleId'>,
): Promise<Schedule> {
  const schedule = await lockSchedule(tx, ref.merchantId, ref.scheduleId);
  if (schedule === null) throw new Error(`no schedule ${ref.scheduleId}`);
  return schedule;
}

/**
 * Locks the schedule of a consent and all others that collect under it. A schedule that joins meanwhile has to lock the consent,
 * which is locked next.
 */
export async function lockSchedulesUnder(
  tx: Tx,
  ref: Pick<ConsentRef, 'merchantId' | 'scheduleId' | 'consentId'>,
): Promise<void> {
  const { merchantId, scheduleId, consentId } = ref;
  const under = await findSchedulesUnder(tx, merchantId, consentId);
  await lockSchedules(tx, merchantId, [scheduleId, ...under.map((one) => one.scheduleId)]);
}

/** Locks and returns the schedules that collect under a locked consent, in primary-key order. */
export async function lockSchedulesOfConsent(
  tx: Tx,
  merchantId: string,
  consentId: string,
): Promise<Schedule[]> {
  const whose = 'merchant_id = $1 AND consent_id = $2 ORDER BY schedule_id';
  const [, rows] = await Promise.all([
    tx.run(`SELECT 1 FROM schedules WHERE ${whose} FOR UPDATE`, [merchantId, consentId]),
    tx.rows<ScheduleRow>(`SELECT ${SCHEDULE_COLUMNS} FROM ${SCHEDULES} WHERE ${whose}`, [
      merchantId,
      consentId,
    ]),
  ]);
  return rows.map(toSchedule);
}

/** Returns the ids of all schedules that collect under a consent or did so last, without locking them. */
export async function findSchedulesOfConsent(
  tx: Tx,
  merchantId: string,
  consentId: string,
): Promise<string[]> {
  const rows = await tx.rows<{ scheduleId: string }>(
    'SELECT schedule_id FROM schedules WHERE merchant_id = $1 AND consent_id = $2 ORDER BY schedule_id',
    [merchantId, consentId],
  );
  return rows.map((row) => row.scheduleId);
}

/** Returns the schedules that collect under a consent and are not cancelled, the oldest first. */
export async function findSchedulesUnder(
  tx: Tx,
  merchantId: string,
  consentId: string,
): Promise<Schedule[]> {
  const rows = await tx.rows<ScheduleRow>(
    `SELECT ${SCHEDULE_COLUMNS} FROM ${SCHEDULES} WHERE merchant_id = $1 AND consent_id = $2 AND status <> 'cancelled'
     ORDER BY schedule_id`,
    [merchantId, consentId],
  );
  return rows.map(toSchedule);
}

/** Returns versions of terms of many schedules at once, by `<schedule id> <version>`. */
export async function findTerms(
  tx: Tx,
  merchantId: string,
  wanted: readonly { scheduleId: string; version: number }[],
): Promise<Map<string, Terms>> {
  const rows = await tx.rows<TermsRow & { scheduleId: string }>(
    `SELECT schedule_id, ${TERMS_COLUMNS} FROM schedule_terms
     WHERE merchant_id = $1 AND (schedule_id, version) IN (SELECT * FROM unnest($2::text[], $3::int[]))`,
    [merchantId, ...columns(wanted, 'scheduleId', 'version')],
  );
  return new Map(rows.map((row) => [termsKey(row.scheduleId, row.version), toTerms(row)]));
}

export const termsKey = (scheduleId: string, version: number): string => `${scheduleId} ${version}`;

/** Returns one version of a schedule's terms. */
export async function readTerms(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  version: number,
): Promise<Terms> {
  const terms = (await findTerms(tx, merchantId, [{ scheduleId, version }])).get(
    termsKey(scheduleId, version),
  );
  if (terms === undefined) throw new Error(`schedule ${scheduleId} has no terms ${version}`);
  return terms;
}

/** Returns the terms that a schedule collects under; before the first consent, those that were asked for. */
export function readTermsInForce(tx: Tx, schedule: Schedule): Promise<Terms> {
  const { merchantId, scheduleId, liveVersion, termsVersion } = schedule;
  return readTerms(tx, merchantId, scheduleId, liveVersion ?? termsVersion);
}

/** Returns the latest version of a schedule's terms. */
export async function lastVersion(tx: Tx, merchantId: string, scheduleId: string): Promise<number> {
  return (await lastVersions(tx, merchantId, [scheduleId])).get(scheduleId) ?? 0;
}

/** Returns the latest versions of the terms of schedules, by their ids. */
export async function lastVersions(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ scheduleId: string; version: number }>(
    `SELECT schedule_id, max(version) AS version FROM schedule_terms
     WHERE merchant_id = $1 AND schedule_id = ANY($2) GROUP BY schedule_id`,
    [merchantId, scheduleIds],
  );
  return new Map(rows.map((row) => [row.scheduleId, row.version]));
}
