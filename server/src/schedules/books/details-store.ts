import type { StoredControlParameters } from '../../consents/consent.ts';
import type { CustomerRow } from '../../customers/store.ts';
import { columnsOf } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import {
  countUnlessByCursor,
  firstPage,
  type List,
  type Page,
  pageFrom,
} from '../../platform/http/lists/page.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';
import type { ConsentTrouble } from './consent-notice.ts';
import { findDriving } from './drive.ts';
import { findWithFailures } from './history-store.ts';
import { AMOUNT, orderOf, type ScheduleFilter, schedulesStatement } from './list-store.ts';
import {
  findTerms,
  SCHEDULE_COLUMNS,
  type ScheduleRow,
  TERMS_COLUMNS,
  type TermsRow,
  termsKey,
  toSchedule,
  toTerms,
} from './store.ts';

/** A schedule with everything that the API shows with it. */
export interface ScheduleDetails {
  schedule: Schedule;
  /** The terms that the merchant requested last. */
  asked: Terms;
  /** The terms that the customer agreed to; null before the first consent. */
  consented: Terms | null;
  customer: CustomerRow;
  /** The consent that is open to the customer, its link sealed. */
  open: { consentId: string; link: string; anotherAccount: boolean } | null;
  /** The consent that the customer granted, its link sealed: it leads to their page for as long as the schedule is there. */
  granted: { consentId: string; link: string } | null;
  /** The last digits of the number of the paying account; null before it is known. */
  payingAccountEnding: string | null;
  /** For the live consent; null if there is none. */
  trouble: ConsentTrouble | null;
}

interface ScheduleDetailsRow extends ScheduleRow, TermsRow, CustomerRow {
  openConsentId: string | null;
  link: string | null;
  anotherAccount: boolean | null;
  payingAccountEnding: string | null;
  consentStatus: string | null;
  portalConsentId: string | null;
  portalLink: string | null;
  doubtedAt: Temporal.Instant | null;
  suspendedAt: Temporal.Instant | null;
  limitsChangedAt: Temporal.Instant | null;
  changedLimits: StoredControlParameters | null;
}

const names = (columns: string): string[] => columns.split(',').map((name) => name.trim());
const OF_AGENDA: ReadonlySet<string> = new Set(['due_at', 'next_occurrence', 'changes']);
const COLUMNS = [
  ...names(SCHEDULE_COLUMNS).map((name) => `${OF_AGENDA.has(name) ? 'g' : 's'}.${name}`),
  columnsOf('a', TERMS_COLUMNS),
  'u.phone, u.bank_account, u.name, u.email, u.reference',
  'k.consent_id AS open_consent_id, k.link, k.another_account, p.*',
].join(', ');

/** Columns of the live consent; its limits only if they were changed, which is rare. */
const CONSENT = `consent_id AS portal_consent_id, link AS portal_link, paying_account_ending, status AS consent_status,
  doubted_at, suspended_at, limits_changed_at,
  CASE WHEN limits_changed_at IS NOT NULL THEN control_parameters END AS changed_limits`;

/**
 * Reads what belongs to the schedules `s`, each row by its key: otherwise the planner reads all customers of a merchant that its
 * statistics do not know yet. `now`: the parameter with the present moment.
 */
const related = (now: string): string => `
  CROSS JOIN LATERAL (SELECT * FROM schedule_terms WHERE merchant_id = s.merchant_id AND schedule_id = s.schedule_id
    AND version = s.terms_version OFFSET 0) a
  CROSS JOIN LATERAL (SELECT due_at, next_occurrence, changes FROM schedule_agenda WHERE merchant_id = s.merchant_id
    AND schedule_id = s.schedule_id OFFSET 0) g
  CROSS JOIN LATERAL (SELECT phone, bank_account, name, email, reference FROM customers WHERE merchant_id = s.merchant_id
    AND customer_id = s.customer_id OFFSET 0) u
  LEFT JOIN LATERAL (SELECT consent_id, link, another_account FROM consents
    WHERE merchant_id = s.merchant_id AND schedule_id = s.schedule_id
      AND status IN ('pending', 'authorising') AND link_expires_at > ${now} OFFSET 0) k ON true
  LEFT JOIN LATERAL (SELECT ${CONSENT} FROM consents WHERE merchant_id = s.merchant_id
    AND consent_id = s.consent_id OFFSET 0) p ON true`;

/**
 * Returns one of the merchant's schedules, or null, in one statement whose plan PostgreSQL keeps; in two if the customer agreed
 * to other terms than were requested last.
 */
export async function findDetails(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  now: Temporal.Instant,
): Promise<ScheduleDetails | null> {
  const row = await tx.row<ScheduleDetailsRow>(
    `SELECT ${COLUMNS} FROM schedules s ${related('$3')} WHERE s.merchant_id = $1 AND s.schedule_id = $2`,
    [merchantId, scheduleId, now],
  );
  if (row === null) return null;
  const [shown] = await withConsented(tx, merchantId, [row]);
  return shown ?? null;
}

/**
 * Returns a page of the merchant's schedules, newest first unless sorted otherwise, in one statement. A filter that leaves few is
 * looked up before it.
 */
export async function findDetailsPage(
  tx: Tx,
  merchantId: string,
  filter: ScheduleFilter,
  page: Page,
  now: Temporal.Instant,
): Promise<List<ScheduleDetails>> {
  const driving = await findDrivingOf(tx, merchantId, filter);
  const statement = schedulesStatement(merchantId, filter, page, driving);
  const { values, counted } = statement;
  const [rows, count] = await Promise.all([
    tx.rows<ScheduleDetailsRow>(
      `SELECT ${COLUMNS}, s.search_text FROM (${statement.page}) s ${related(`$${values.length + 1}`)} ${statement.orderBy}`,
      [...values, now],
    ),
    countUnlessByCursor(tx, page, counted.from, counted.values, AMOUNT),
  ]);
  const found = pageFrom(rows, page, orderOf(filter));
  return { ...found, data: await withConsented(tx, merchantId, found.data), ...count };
}

/** Returns the ids of up to `limit` of the merchant's schedules that a filter of the list finds. */
export async function findMatchingIds(
  tx: Tx,
  merchantId: string,
  filter: ScheduleFilter,
  limit: number,
): Promise<string[]> {
  const driving = await findDrivingOf(tx, merchantId, filter);
  const { counted } = schedulesStatement(merchantId, filter, firstPage(1), driving);
  const rows = await tx.rows<{ scheduleId: string }>(
    `SELECT s.schedule_id FROM ${counted.from} LIMIT $${counted.values.length + 1}`,
    [...counted.values, limit],
  );
  return rows.map((row) => row.scheduleId);
}

const findDrivingOf = (
  tx: Tx,
  merchantId: string,
  filter: ScheduleFilter,
): Promise<string[] | null> =>
  filter.failing === undefined
    ? findDriving(tx, merchantId, filter)
    : findWithFailures(tx, merchantId);

/**
 * Adds the terms to which customers agreed, where they are others than were requested last: few schedules wait for a raise to be
 * agreed to, and a join for all was a sixth of the statement. A version never changes, so it may be read a moment later.
 */
async function withConsented(
  tx: Tx,
  merchantId: string,
  rows: readonly ScheduleDetailsRow[],
): Promise<ScheduleDetails[]> {
  const wanted = rows.flatMap(({ scheduleId, termsVersion, consentedVersion: version }) =>
    version === null || version === termsVersion ? [] : [{ scheduleId, version }],
  );
  const others = wanted.length === 0 ? NO_TERMS : await findTerms(tx, merchantId, wanted);
  return rows.map((row) => toDetails(row, others));
}

const NO_TERMS: ReadonlyMap<string, Terms> = new Map();

function toDetails(row: ScheduleDetailsRow, others: ReadonlyMap<string, Terms>): ScheduleDetails {
  const {
    openConsentId: consentId,
    link,
    anotherAccount,
    portalConsentId: grantedId,
    portalLink: own,
  } = row;
  return {
    schedule: toSchedule(row),
    asked: toTerms(row),
    consented: consentedOf(row, others),
    customer: row,
    payingAccountEnding: row.payingAccountEnding,
    trouble: troubleOf(row),
    open:
      consentId === null || link === null
        ? null
        : { consentId, link, anotherAccount: anotherAccount === true },
    granted: grantedId === null || own === null ? null : { consentId: grantedId, link: own },
  };
}

function troubleOf(row: ScheduleDetailsRow): ConsentTrouble | null {
  if (row.consentStatus !== 'granted') return null;
  return {
    doubtedAt: row.doubtedAt,
    suspendedAt: row.suspendedAt,
    limitsChangedAt: row.limitsChangedAt,
    limits: row.changedLimits,
  };
}

function consentedOf(row: ScheduleDetailsRow, others: ReadonlyMap<string, Terms>): Terms | null {
  const { scheduleId, consentedVersion: version } = row;
  if (version === null) return null;
  if (version === row.termsVersion) return toTerms(row);
  return others.get(termsKey(scheduleId, version)) ?? null;
}
