import { openProfile } from '../../customers/sealed.ts';
import { findCustomer } from '../../customers/store.ts';
import { readMerchant } from '../../merchants/service.ts';
import { readSetting } from '../../notices/setting.ts';
import { findPayment, type PaymentRow } from '../../payments/books/read-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { findRefundsOf } from '../../refunds/store.ts';
import { viewRefund } from '../../refunds/view.ts';
import { findSchedule } from '../../schedules/books/store.ts';
import { statementReference } from '../../schedules/request/statement-reference.ts';
import { findEntries } from '../../wallets/entries-store.ts';
import { type DisputeRow, findDispute, findDisputesOf } from '../store.ts';
import { viewDispute } from '../view.ts';
import type { ArchivedRow } from './archived.ts';
import { type Answered, type Question, questionsOf } from './bank-answers.ts';
import {
  findAllTerms,
  findChangesOf,
  findConsentsOf,
  findEventsOf,
  findLimitChanges,
  findNoticesOf,
  findOrdered,
  findOrders,
  findRecalls,
} from './evidence-store.ts';
import {
  archivedChange,
  archivedEvent,
  archivedNotice,
  shownAnswer,
  shownChange,
  shownConsent,
  shownEntry,
  shownEvent,
  shownNotice,
  shownOrder,
  shownTerms,
} from './shown.ts';

/** A dispute whose case file is made, and what its history is found by. */
export interface Subject {
  dispute: DisputeRow;
  payment: PaymentRow;
  /** The payment, its refunds and its disputes. */
  objectIds: string[];
  /** When its consents were asked for. */
  agreedAt: (Temporal.Instant | null)[];
  /** What its banks can be asked for. */
  questions: Question[];
}

/** Returns what a case file is about. Throws 404 `not_found`. */
export async function findSubject(tx: Tx, merchantId: string, disputeId: string): Promise<Subject> {
  const dispute = orNotFound(await findDispute(tx, merchantId, disputeId), 'dispute');
  const { paymentId, scheduleId } = dispute;
  const payment = orNotFound(await findPayment(tx, merchantId, paymentId), 'payment');
  const refunds = await findRefundsOf(tx, merchantId, [paymentId]);
  const disputes = await findDisputesOf(tx, merchantId, [paymentId]);
  const consents = await findConsentsOf(tx, merchantId, scheduleId, [payment.consentId]);
  const customer = orNotFound(await findCustomer(tx, merchantId, payment.customerId), 'customer');
  // What a bank says names the account that paid, and of who was erased the file names nobody.
  const isErased = customer.erasedAt !== null;
  return {
    dispute,
    payment,
    objectIds: [
      paymentId,
      ...refunds.map(({ refundId }) => refundId),
      ...disputes.map((one) => one.disputeId),
    ],
    agreedAt: consents.flatMap(({ createdAt, grantedAt }) => [createdAt, grantedAt]),
    questions: isErased
      ? []
      : questionsOf(paymentId, await findOrdered(tx, merchantId, paymentId), consents),
  };
}

interface Gathering {
  platform: Platform;
  tx: Tx;
  now: Temporal.Instant;
  merchantId: string;
  bankName(bankId: string): string;
  /** Why it is taken, for the audit trail. */
  reason: string;
}

/** What was found out elsewhere: what banks say now, and what the archive has, and before when the database may lack it. */
export interface Elsewhere {
  answers: readonly Answered[];
  rows: readonly ArchivedRow[];
  /** Null: nothing was archived. */
  before: Temporal.Instant | null;
}

/** A case file: everything that proves a disputed payment. */
export type CaseFile = Awaited<ReturnType<typeof gather>>;

/** Gathers everything that proves a disputed payment, and records that it was taken: docs/rules/disputes.md#the-case-file. */
export async function gather(
  g: Gathering,
  { dispute, payment, objectIds, questions }: Subject,
  { answers, rows: archived, before }: Elsewhere,
) {
  const { platform, tx, now, merchantId, reason } = g;
  const { scheduleId, disputeId } = dispute;
  await recordChanges(tx, now, [
    {
      merchantId,
      objectId: disputeId,
      scheduleId,
      from: 'details',
      to: 'exported',
      reason,
    },
  ]);
  const changes = merged(
    await findChangesOf(tx, merchantId, scheduleId, [...objectIds, scheduleId]),
    shownChange,
    archived.filter((one) => isAbout(one, 'state_changes', 'object_id', objectIds)),
    archivedChange,
  );
  return {
    format: 'case-file/1',
    made_at: formatInstant(now),
    service: { name: platform.config.brand.name, ...firms(platform) },
    ...(await parties(g, payment)),
    dispute: viewDispute(platform.vault, dispute, payment),
    payment: shownPayment(payment),
    ...(await agreed(g, payment)),
    orders: await ordersOf(g, payment.paymentId),
    bank_answers: answers
      .filter(({ about }) => questions.some((question) => question.about === about))
      .map((one) => shownAnswer(one, g.bankName)),
    notices: await noticesOf(g, payment, archived),
    events: merged(
      await findEventsOf(tx, merchantId, scheduleId, [...objectIds, scheduleId]),
      (row) => shownEvent(platform, row),
      archived.filter((one) => isAbout(one, 'events', 'subject_id', objectIds)),
      archivedEvent,
    ),
    refunds: (await findRefundsOf(tx, merchantId, [payment.paymentId])).map(viewRefund),
    ledger: await ledgerOf(g, payment, objectIds),
    changes,
    withdrawals: changes.filter(isWithdrawal),
    archived_before: formatInstant(before),
  };
}

const isWithdrawal = ({ about, to }: { about: string; to: string }): boolean =>
  (about.startsWith('con_') && to === 'revoked') ||
  (about.startsWith('sch_') && to === 'cancelled');

const isAbout = (
  { table, row }: ArchivedRow,
  of: string,
  column: string,
  ids: readonly string[],
): boolean => table === of && ids.includes(String(row[column]));

/** Returns rows of the database and of the archive, oldest first, each once: what is in both stayed in the database. */
function merged<R, S extends { id: string; at: string }>(
  rows: readonly R[],
  show: (row: R) => S,
  archived: readonly ArchivedRow[],
  showArchived: (row: ArchivedRow) => S,
): S[] {
  const all = [...archived.map(showArchived), ...rows.map(show)];
  const byId = new Map(all.map((one) => [one.id, one]));
  return [...byId.values()].sort((a, b) => order(a.at, b.at) || order(a.id, b.id));
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function firms({ config: { firm } }: Platform) {
  return {
    firm: { name: firm.name, fca_reference: firm.fcaReference },
    issuer: { name: firm.issuer.name, fca_reference: firm.issuer.fcaReference },
  };
}

async function parties({ platform, tx, merchantId }: Gathering, payment: PaymentRow) {
  const merchant = await readMerchant(platform, tx, merchantId);
  const row = orNotFound(await findCustomer(tx, merchantId, payment.customerId), 'customer');
  const { name, email, reference } = openProfile(platform, merchantId, row);
  return {
    merchant: {
      id: merchantId,
      name: merchant.name,
      legal_name: merchant.legalName,
      time_zone: merchant.timeZone,
    },
    customer: {
      id: payment.customerId,
      name,
      email,
      reference,
      erased_at: formatInstant(row.erasedAt),
    },
  };
}

const shownPayment = (row: PaymentRow) => ({
  id: row.paymentId,
  amount: { value: row.amountPence, currency: row.currency },
  description: row.description,
  due_date: formatInstant(row.dueDate),
  status: row.status,
  completed_at: formatInstant(row.completedAt),
  refunded: { value: row.refundedPence ?? 0, currency: row.currency },
  taken_back:
    row.returnedAt === null
      ? null
      : {
          amount: { value: row.returnedPence ?? 0, currency: row.currency },
          at: formatInstant(row.returnedAt),
          reason: row.returnedReason,
        },
  settlement_id: row.settlementId,
  consent_id: row.consentId,
});

/** The terms as shown, in every version, and the consents to them. */
async function agreed(
  { tx, merchantId, bankName }: Gathering,
  { scheduleId, consentId }: PaymentRow,
) {
  const schedule = orNotFound(await findSchedule(tx, merchantId, scheduleId), 'schedule');
  const consents = await findConsentsOf(tx, merchantId, scheduleId, [consentId]);
  const ids = consents.map((one) => one.consentId);
  const changes = await findLimitChanges(tx, merchantId, ids);
  return {
    schedule: {
      id: scheduleId,
      description: schedule.description,
      statement_reference: statementReference(schedule),
      status: schedule.status,
      created_at: formatInstant(schedule.createdAt),
    },
    terms: (await findAllTerms(tx, merchantId, scheduleId)).map(shownTerms),
    consents: consents.map((one) => shownConsent(one, changes, bankName)),
  };
}

async function ordersOf({ tx, merchantId }: Gathering, paymentId: string) {
  const orders = await findOrders(tx, merchantId, paymentId);
  const attempts = await findOrdered(tx, merchantId, paymentId);
  return attempts.map((one) => shownOrder(one, paymentId, orders));
}

async function noticesOf(
  { platform, tx, merchantId }: Gathering,
  { customerId, scheduleId }: PaymentRow,
  archived: readonly ArchivedRow[],
) {
  const setting = await readSetting(platform, tx, merchantId);
  const rows = await findNoticesOf(tx, merchantId, { customerId, scheduleId });
  type Shown = ReturnType<typeof shownNotice> | ReturnType<typeof archivedNotice>;
  return merged<(typeof rows)[number], Shown>(
    rows,
    (row) => shownNotice(platform, row, setting),
    archived.filter((one) => isAbout(one, 'notices', 'schedule_id', [scheduleId])),
    archivedNotice,
  );
}

async function ledgerOf(
  { tx, merchantId }: Gathering,
  payment: PaymentRow,
  objectIds: readonly string[],
) {
  const attempts = await findOrdered(tx, merchantId, payment.paymentId);
  const refunds = await findRefundsOf(tx, merchantId, [payment.paymentId]);
  const movements = [
    ...attempts.map(({ payInId }) => payInId),
    ...refunds.map(({ returnMovementId }) => returnMovementId),
    ...(await findRecalls(tx, merchantId, payment.paymentId)),
  ].filter((id) => id !== null);
  const entries = await findEntries(tx, merchantId, [...objectIds, ...movements]);
  return entries.map((entry) => shownEntry(entry, payment.currency));
}
