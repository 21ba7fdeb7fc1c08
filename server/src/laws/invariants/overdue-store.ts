import { findAllWaiting, type WaitingPayment } from '../../payments/books/waiting-store.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { compareInstants } from '../../platform/values/instants.ts';
import type { Subject } from '../findings/nouns.ts';
import { LIVES, type Life, lifeOf } from './lives.ts';

/** How the rows of a state are found, in SQL: those of the table `from`, named `t`, for which `where` holds. */
interface Source {
  noun: string;
  state: string;
  from: string;
  id: string;
  /** The bank, where its id is a part of the key. */
  bankId: string;
  /** Since when the row is in the state. */
  since: string;
  where: string;
}

const source = (
  noun: string,
  state: string,
  [from, id, bankId = 'NULL::text']: readonly [string, string, string?],
  since: string,
  where: string,
): Source => ({ noun, state, from, id, bankId, since, where });

const CONSENTS = ['consents', 't.consent_id'] as const;
const WALLETS = ['wallets', 't.wallet_id'] as const;
const REFUNDS = ['refunds', 't.refund_id'] as const;
const SETTLEMENTS = ['settlements', 't.settlement_id'] as const;
const DEBTS = ['debts', 't.debt_id'] as const;

/** When the consent `t` was authorised. */
const AUTHORISED_AT = `(SELECT max(c.at) FROM state_changes c WHERE c.merchant_id = t.merchant_id
  AND c.schedule_id = t.schedule_id AND c.object_id = t.consent_id AND c.to_state = 'authorised')`;
/** When the money of the settlement's current attempt was set apart. */
const RESERVED_AT = `(SELECT s.at FROM transfers s WHERE s.merchant_id = t.merchant_id
  AND s.source_id = t.settlement_id || '-' || t.attempts AND s.kind = 'settle')`;
/** A customer's wallet is opened for a consent, which has its own line. */
const OWN = 't.customer_id IS NULL AND t.due_at IS NOT NULL';
const ORDERED_AT = 'coalesce(t.set_apart_at, t.created_at)';

/** Every state that can be overdue, but those of payments and of unallocated money, which have lists of their own. */
const SOURCES: readonly Source[] = [
  ...['pending', 'authorising'].map((state) =>
    source(
      'consents',
      state,
      CONSENTS,
      't.link_expires_at',
      `t.status = '${state}' AND t.due_at IS NOT NULL`,
    ),
  ),
  source(
    'consents',
    'authorised',
    CONSENTS,
    AUTHORISED_AT,
    `t.status = 'authorised' AND t.due_at IS NOT NULL`,
  ),
  source(
    'bank deletions',
    'waiting',
    ['bank_revocations', 't.bank_consent_id', 't.bank_id'],
    't.created_at',
    't.due_at IS NOT NULL',
  ),
  source('wallets', 'planned', WALLETS, 't.created_at', `t.status = 'planned' AND ${OWN}`),
  source('wallets', 'reserved', WALLETS, 't.created_at', `t.status = 'reserved' AND ${OWN}`),
  source(
    'wallets',
    'closing',
    WALLETS,
    't.created_at',
    `t.status = 'closing' AND t.due_at IS NOT NULL`,
  ),
  source('refunds', 'waiting', REFUNDS, 't.created_at', `t.stage = 'wait'`),
  source('refunds', 'pending', REFUNDS, ORDERED_AT, `t.stage = 'pay' AND t.status = 'pending'`),
  source('refunds', 'asked', REFUNDS, ORDERED_AT, `t.stage = 'pay' AND t.status = 'processing'`),
  source('refunds', 'track', REFUNDS, ORDERED_AT, `t.stage = 'track'`),
  source(
    'settlements',
    'pending',
    SETTLEMENTS,
    RESERVED_AT,
    `t.stage = 'pay' AND t.status = 'pending'`,
  ),
  source(
    'settlements',
    'asked',
    SETTLEMENTS,
    RESERVED_AT,
    `t.stage = 'pay' AND t.status = 'processing'`,
  ),
  source('settlements', 'track', SETTLEMENTS, RESERVED_AT, `t.stage = 'track'`),
  source(
    'settlements',
    'differs',
    SETTLEMENTS,
    RESERVED_AT,
    `t.stage IS NULL AND t.status = 'processing'`,
  ),
  source('settlements', 'failed', SETTLEMENTS, 't.failed_at', `t.stage = 'carry'`),
  source(
    'fee transfers',
    'waiting',
    ['fee_transfers', 't.settlement_id'],
    't.created_at',
    't.due_at IS NOT NULL',
  ),
  source('covers', 'owed', DEBTS, 't.created_at', 't.netted_at IS NULL AND t.wallet_id IS NULL'),
  source('covers', 'netted', DEBTS, 't.netted_at', 't.due_at IS NOT NULL'),
  source(
    'deliveries',
    'pending',
    ['deliveries', 't.delivery_id'],
    't.due_at',
    't.due_at IS NOT NULL',
  ),
  source('notices', 'pending', ['notices', 't.notice_id'], 't.created_at', 't.due_at IS NOT NULL'),
];

/** Something that has been in its state for longer than its limit. */
export interface Overdue {
  noun: string;
  state: string;
  merchantId: string;
  id: string;
  /** Null: its own row has it, or it is about no bank. */
  bankId: string | null;
  since: Temporal.Instant;
}

const rowsOf = ({ noun, state, from, id, bankId, since, where }: Source, also = ''): string =>
  `SELECT * FROM (SELECT '${noun}' AS noun, '${state}' AS state, t.merchant_id, ${id} AS id, ${bankId} AS bank_id,
       ${since} AS since FROM ${from} t WHERE ${where} ${also}) x
   WHERE since <= $1::timestamptz - interval '${limitOf(noun, state)} seconds'`;

function limitOf(noun: string, state: string): number {
  const { limit } = lifeOf(noun, state);
  if (limit === null) throw new Error(`${noun} may be ${state} for ever`);
  return limit.total('seconds');
}

/** Lists what is overdue, the oldest first, at most `most` of each state; payments and unallocated money are left out. */
export async function listOthers(tx: Tx, now: Temporal.Instant, most: number): Promise<Overdue[]> {
  const each = SOURCES.map((one) => `(${rowsOf(one)} ORDER BY since LIMIT $2)`);
  return tx.rows<Overdue>(`SELECT * FROM (${each.join(' UNION ALL ')}) f ORDER BY since, id`, [
    now,
    most,
  ]);
}

const STATE_OF_STAGE: Readonly<Record<string, string>> = { wait: 'pending' };

/** Returns a payment that waits for a person as something overdue. */
export const asOverdue = ({ row, waiting }: WaitingPayment): Overdue => ({
  noun: 'payments',
  state: STATE_OF_STAGE[row.stage ?? ''] ?? row.stage ?? '',
  merchantId: row.merchantId,
  id: row.paymentId,
  bankId: row.bankId,
  since: waiting.since,
});

/** Lists everything that is overdue and waits for a person, the oldest first; unallocated money has its own list. */
export async function listOverdue(tx: Tx, now: Temporal.Instant, most: number): Promise<Overdue[]> {
  const payments = (await findAllWaiting(tx, now, most)).map(asOverdue);
  const all = [...payments, ...(await listOthers(tx, now, most))];
  return all.sort((a, b) => compareInstants(a.since, b.since)).slice(0, most);
}

/** Returns what is overdue with this id, of a noun; null: it is not. Payments are left out. */
export async function findOverdue(
  tx: Tx,
  now: Temporal.Instant,
  noun: string,
  id: string,
): Promise<Overdue | null> {
  const each = SOURCES.filter((one) => one.noun === noun).map((one) =>
    rowsOf(one, `AND ${one.id} = $2`),
  );
  if (each.length === 0) return null;
  return tx.row<Overdue>(`${each.join(' UNION ALL ')} LIMIT 1`, [now, id]);
}

/** Counts what is overdue, by state: every state has a line, also with nothing in it. */
export async function countOverdue(
  tx: Tx,
  now: Temporal.Instant,
  payments: readonly Overdue[],
  most: number,
): Promise<{ life: Life; count: number; oldest: Temporal.Instant | null }[]> {
  const all = [...payments, ...(await listOthers(tx, now, most))];
  return LIVES.filter(({ list }) => list === 'overdue' || list === 'payments').map((life) => {
    const some = all.filter(({ noun, state }) => noun === life.noun && state === life.state);
    const [oldest = null] = some.map(({ since }) => since).sort(compareInstants);
    return { life, count: some.length, oldest };
  });
}

/** Returns which of these rows of a noun are on the list of what is overdue. */
export async function findOverdueAmong(
  tx: Tx,
  now: Temporal.Instant,
  noun: string,
  subjects: readonly Subject[],
): Promise<Set<string>> {
  const each = SOURCES.filter((one) => one.noun === noun).map((one) =>
    rowsOf(one, `AND (t.merchant_id, ${one.id}) IN (SELECT * FROM unnest($2::text[], $3::text[]))`),
  );
  const rows = await tx.rows<Overdue>(each.join(' UNION ALL '), [
    now,
    ...columns(subjects, 'merchantId', 'id'),
  ]);
  return new Set(rows.map(({ merchantId, id }) => `${merchantId} ${id}`));
}

/** The states of which the list knows how to find the rows. */
export const LISTED: readonly { noun: string; state: string }[] = SOURCES;
