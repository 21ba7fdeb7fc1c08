import type { StoredControlParameters } from '../../consents/consent.ts';
import { ATTEMPT_CONSENT } from '../../payments/books/evidence-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { TERMS_COLUMNS, type TermsRow } from '../../schedules/books/store.ts';

/** An attempt of a payment, with what the bank and the issuer call it, and under which consent it was ordered. */
export interface OrderedAttempt {
  number: number;
  status: string;
  bankPaymentId: string | null;
  bankStatus: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  startedAt: Temporal.Instant;
  sentAt: Temporal.Instant | null;
  finishedAt: Temporal.Instant | null;
  payInId: string | null;
  payInBy: string | null;
  consentId: string;
}

/** Returns the attempts of a payment, in order. */
export function findOrdered(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<OrderedAttempt[]> {
  return tx.rows<OrderedAttempt>(
    `SELECT a.number, a.status, a.bank_payment_id, a.bank_status, a.error_code, a.error_message, a.started_at, a.sent_at,
       a.finished_at, a.pay_in_id, a.pay_in_by, ${ATTEMPT_CONSENT} AS consent_id
     FROM payments p JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
     WHERE p.merchant_id = $1 AND p.payment_id = $2 ORDER BY a.number`,
    [merchantId, paymentId],
  );
}

/** An order to the bank: a call that carried an attempt. */
export interface SentOrder {
  attempt: number;
  call: number;
  sentAt: Temporal.Instant;
  takenBackAt: Temporal.Instant | null;
}

/** Returns the orders of a payment, in order. */
export function findOrders(tx: Tx, merchantId: string, paymentId: string): Promise<SentOrder[]> {
  return tx.rows<SentOrder>(
    `SELECT attempt, call, sent_at, taken_back_at FROM payment_orders
     WHERE merchant_id = $1 AND payment_id = $2 ORDER BY attempt, call`,
    [merchantId, paymentId],
  );
}

/** A version of the terms, and when it was asked for. */
export type DatedTerms = TermsRow & { createdAt: Temporal.Instant };

/** Returns every version of a schedule's terms, oldest first. */
export function findAllTerms(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<DatedTerms[]> {
  return tx.rows<DatedTerms>(
    `SELECT ${TERMS_COLUMNS}, created_at FROM schedule_terms WHERE merchant_id = $1 AND schedule_id = $2 ORDER BY version`,
    [merchantId, scheduleId],
  );
}

/** A consent, as far as it proves what was agreed. */
export interface ProvedConsent {
  consentId: string;
  termsVersion: number;
  status: string;
  bankId: string | null;
  bankConsentId: string | null;
  controlParameters: StoredControlParameters | null;
  payingAccountEnding: string | null;
  createdAt: Temporal.Instant;
  grantedAt: Temporal.Instant | null;
  endedAt: Temporal.Instant | null;
}

/** Returns the consents of a schedule, and those of others that it was collected under, oldest first. */
export function findConsentsOf(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  others: readonly string[],
): Promise<ProvedConsent[]> {
  const names = `consent_id, terms_version, status, bank_id, bank_consent_id, control_parameters,
    paying_account_ending, created_at, granted_at, ended_at`;
  return tx.rows<ProvedConsent>(
    `SELECT ${names} FROM consents WHERE merchant_id = $1 AND schedule_id = $2
     UNION SELECT ${names} FROM consents WHERE merchant_id = $1 AND consent_id = ANY ($3::text[])
     ORDER BY created_at, consent_id`,
    [merchantId, scheduleId, others],
  );
}

/** The limits of a consent as the customer changed them at the bank. */
export interface LimitChange {
  consentId: string;
  at: Temporal.Instant;
  before: StoredControlParameters;
  after: StoredControlParameters;
}

/** Returns the changes of these consents' limits, oldest first. */
export function findLimitChanges(
  tx: Tx,
  merchantId: string,
  consentIds: readonly string[],
): Promise<LimitChange[]> {
  return tx.rows<LimitChange>(
    `SELECT consent_id, at, before, after FROM consent_limit_changes
     WHERE merchant_id = $1 AND consent_id = ANY ($2::text[]) ORDER BY at, consent_id`,
    [merchantId, consentIds],
  );
}

/** A change of state that is still in the database. */
export interface ProvedChange {
  changeId: number;
  objectId: string;
  fromState: string | null;
  toState: string;
  reason: string;
  at: Temporal.Instant;
  actor: string;
}

/** Returns the changes of these objects of a schedule, and of its consents, oldest first. */
export function findChangesOf(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  objectIds: readonly string[],
): Promise<ProvedChange[]> {
  return tx.rows<ProvedChange>(
    `SELECT change_id, object_id, from_state, to_state, reason, at, actor FROM state_changes
     WHERE merchant_id = $1 AND schedule_id = $2 AND (object_id = ANY ($3::text[]) OR object_id LIKE 'con\\_%')
     ORDER BY change_id`,
    [merchantId, scheduleId, objectIds],
  );
}

/** An event that is still in the database, its body as stored. */
export interface ProvedEvent {
  eventId: string;
  kind: string;
  subjectId: string;
  body: string;
  createdAt: Temporal.Instant;
}

/** Returns the events about these objects of a schedule, and about its set-up and end, oldest first. */
export function findEventsOf(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  objectIds: readonly string[],
): Promise<ProvedEvent[]> {
  return tx.rows<ProvedEvent>(
    `SELECT event_id, kind, subject_id, body, created_at FROM events
     WHERE merchant_id = $1 AND schedule_id = $2 AND subject_id = ANY ($3::text[]) ORDER BY sequence`,
    [merchantId, scheduleId, objectIds],
  );
}

/** A notice to the customer that is still in the database, its content sealed. */
export interface ProvedNotice {
  noticeId: string;
  kind: string;
  causeId: string;
  content: string;
  status: string;
  createdAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
}

/** A schedule with more notices than this shows its newest. */
const MOST_NOTICES = 500;

/** Returns the notices to the customer about a schedule, oldest first. */
export async function findNoticesOf(
  tx: Tx,
  merchantId: string,
  { customerId, scheduleId }: { customerId: string; scheduleId: string },
): Promise<ProvedNotice[]> {
  const newest = await tx.rows<ProvedNotice>(
    `SELECT notice_id, kind, cause_id, content, status, created_at, ended_at FROM notices
     WHERE merchant_id = $1 AND customer_id = $2 AND schedule_id = $3 ORDER BY notice_id DESC LIMIT ${MOST_NOTICES}`,
    [merchantId, customerId, scheduleId],
  );
  return newest.reverse();
}

/** Returns the issuer's movements by which the payer's bank took a payment back. */
export async function findRecalls(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<string[]> {
  const rows = await tx.rows<{ movementId: string }>(
    'SELECT movement_id FROM debts WHERE merchant_id = $1 AND payment_id = $2 ORDER BY debt_id',
    [merchantId, paymentId],
  );
  return rows.map(({ movementId }) => movementId);
}
