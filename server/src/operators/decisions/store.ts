import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { DecisionKind } from './case.ts';
import type { LikelyPayment } from './money-case.ts';

/** Something of a merchant, by its id. */
export interface Ref {
  merchantId: string;
  id: string;
}

/** Names each of many rows of a table by merchant and id, so that it is read along its primary key. */
const NAMED = 'unnest($1::text[], $2::text[]) AS r (merchant_id, id)';

/** Returns these payments as they stand, by id. */
export async function findLikelyPayments(
  tx: Tx,
  refs: readonly Ref[],
): Promise<Map<string, LikelyPayment>> {
  const rows = await tx.rows<LikelyPayment>(
    `SELECT p.merchant_id, p.payment_id, p.schedule_id, p.customer_id, p.bank_id, p.wallet_id, p.amount_pence, p.status,
       w.stage, p.attempts, p.due_date
     FROM ${NAMED} JOIN payments p ON p.merchant_id = r.merchant_id AND p.payment_id = r.id
     LEFT JOIN payment_work w ON w.merchant_id = p.merchant_id AND w.payment_id = p.payment_id`,
    columns(refs, 'merchantId', 'id'),
  );
  return new Map(rows.map((row) => [row.paymentId, row]));
}

/** Returns whose wallets these are, by id; null: the merchant's own. */
export async function findOwners(
  tx: Tx,
  refs: readonly Ref[],
): Promise<Map<string, string | null>> {
  const rows = await tx.rows<{ walletId: string; customerId: string | null }>(
    `SELECT w.wallet_id, w.customer_id FROM ${NAMED} JOIN wallets w ON w.merchant_id = r.merchant_id AND w.wallet_id = r.id`,
    columns(refs, 'merchantId', 'id'),
  );
  return new Map(rows.map((row) => [row.walletId, row.customerId]));
}

/** What is known of something that is overdue. */
export interface Subject {
  id: string;
  amountPence: number | null;
  paymentId: string | null;
  scheduleId: string | null;
  customerId: string | null;
  bankId: string | null;
}

const subject = (table: string, id: string, known: Partial<Record<keyof Subject, string>>) =>
  `SELECT t.${id} AS id, ${known.amountPence ?? 'NULL::bigint'} AS amount_pence, ${known.paymentId ?? 'NULL::text'} AS payment_id,
     ${known.scheduleId ?? 'NULL::text'} AS schedule_id, ${known.customerId ?? 'NULL::text'} AS customer_id,
     ${known.bankId ?? 'NULL::text'} AS bank_id
   FROM ${NAMED} JOIN ${table} t ON t.merchant_id = r.merchant_id AND t.${id} = r.id`;

const SUBJECTS: Partial<Record<DecisionKind, string>> = {
  settlement: subject('settlements', 'settlement_id', { amountPence: 't.amount_pence' }),
  fee_transfer: subject('fee_transfers', 'settlement_id', { amountPence: 't.fees_pence' }),
  cover: subject('debts', 'debt_id', {
    amountPence: 't.amount_pence',
    paymentId: 't.payment_id',
  }),
  refund: subject('refunds', 'refund_id', {
    amountPence: 't.amount_pence',
    paymentId: 't.payment_id',
    scheduleId: 't.schedule_id',
  }),
  consent: subject('consents', 'consent_id', {
    scheduleId: 't.schedule_id',
    customerId: 't.customer_id',
    bankId: 't.bank_id',
  }),
  wallet: subject('wallets', 'wallet_id', { customerId: 't.customer_id' }),
};

/** Returns what is known of these, of one kind, by id. */
export async function findSubjects(
  tx: Tx,
  kind: DecisionKind,
  refs: readonly Ref[],
): Promise<Map<string, Subject>> {
  const sql = SUBJECTS[kind];
  if (sql === undefined || refs.length === 0) return new Map();
  const rows = await tx.rows<Subject>(sql, columns(refs, 'merchantId', 'id'));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the names of these merchants. */
export async function findMerchantNames(
  tx: Tx,
  merchantIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows<{ merchantId: string; name: string }>(
    'SELECT merchant_id, name FROM merchants WHERE merchant_id = ANY ($1::text[])',
    [merchantIds],
  );
  return new Map(rows.map((row) => [row.merchantId, row.name]));
}

/** A hold of a merchant's pay-outs that only people end. */
export interface LongHold {
  merchantId: string;
  since: Temporal.Instant;
  givenBy: string;
  reason: string;
}

/** Returns the pay-outs that the service holds until operators release them, or an operator has held since then, oldest first. */
export function listLongHolds(tx: Tx, before: Temporal.Instant, most: number): Promise<LongHold[]> {
  return tx.rows<LongHold>(
    `SELECT merchant_id, since, given_by, reason FROM merchant_holds
     WHERE ended_at IS NULL AND ends_at IS NULL
       AND (kind = 'account_changed' OR kind = 'pay_outs' AND since <= $1)
     ORDER BY since, merchant_id LIMIT $2`,
    [before, most],
  );
}

/** A bank whose answers about consents are not acted on. */
export interface Distrusted {
  bankId: string;
  since: Temporal.Instant;
  vanished: number;
  lookedAt: number;
}

/** Returns the banks whose answers about consents are not acted on. */
export function listDistrusted(tx: Tx): Promise<Distrusted[]> {
  return tx.rows<Distrusted>(
    'SELECT bank_id, since, vanished, looked_at FROM bank_distrusts WHERE ended_at IS NULL ORDER BY since',
  );
}

/** A change of a settlement account that waits for a second operator. */
export interface WaitingAccount {
  merchantId: string;
  changeId: string;
  requestedBy: string;
  requestedAt: Temporal.Instant;
  reason: string | null;
}

/** Returns the changes of settlement accounts that an operator asked for and nobody has agreed with, oldest first. */
export function listWaitingAccounts(tx: Tx, most: number): Promise<WaitingAccount[]> {
  return tx.rows<WaitingAccount>(
    `SELECT merchant_id, change_id, requested_by, requested_at, reason FROM settlement_account_changes
     WHERE due_at IS NOT NULL AND agreed_by IS NULL AND split_part(requested_by, ':', 1) = 'operator'
     ORDER BY requested_at, change_id LIMIT $1`,
    [most],
  );
}

/** A change of state, as the audit trail has it. */
export interface Step {
  at: Temporal.Instant;
  fromState: string | null;
  toState: string;
  reason: string;
}

/** Returns the changes of an object without who looked, oldest first; `scheduleId` null: it belongs to none. */
export function listSteps(
  tx: Tx,
  { merchantId, id }: Ref,
  scheduleId: string | null,
): Promise<Step[]> {
  const which =
    scheduleId === null ? 'schedule_id IS NULL AND $3::text IS NULL' : 'schedule_id = $3';
  return tx.rows<Step>(
    `SELECT at, from_state, to_state, reason FROM state_changes
     WHERE merchant_id = $1 AND object_id = $2 AND to_state <> 'shown' AND ${which} ORDER BY change_id`,
    [merchantId, id, scheduleId],
  );
}
