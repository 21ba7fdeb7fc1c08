import { allOrApart } from '../platform/apart.ts';
import { recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import { claim, earliestDue } from '../platform/claim.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { appendEvents, type DataOf } from '../platform/events.ts';
import type { Platform } from '../platform/platform.ts';
import { spread } from '../platform/spread.ts';
import { unguessed } from '../platform/unguessed.ts';
import { type Issuer, IssuerRefused, type Movement } from '../wallets/issuer.ts';
import { post } from '../wallets/ledger.ts';
import { type DatedTransfer, orderTransfers } from '../wallets/orders.ts';
import type { PAYMENT_EVENTS } from './events.ts';
import { holdPayments } from './outcomes.ts';

const LEASE_MS = 120_000;
/** Of a payment `p`: whether it is still to be moved. */
const IN_MOVE = unguessed("p.stage = 'move'");
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 1800;
/** How often the issuer is asked about a transfer that is pending there; a notice makes it due now. */
const PENDING_WAIT_SECONDS = 60;

interface MoveRow {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  wallet_id: string;
  amount_pence: number;
  currency: string;
  polls: number;
  from_wallet: string;
  to_wallet: string;
  to_account: string;
  /** The transfer was not ordered before. */
  first_at: Temporal.Instant;
}

export interface MoveDeps {
  platform: Platform;
  issuer: Issuer;
  /** When money that is collected at a moment is paid out. */
  payOutOf(collectedAt: Temporal.Instant): Temporal.Instant;
}

/** Each known failure of a transfer gets a new key; an unknown outcome keeps it. */
const keyOf = (row: MoveRow): string => `${row.payment_id}-m${row.polls}`;

/** Money in the customer's wallet goes on to the merchant's: one call to the issuer and one transaction for hundreds. */
export function moveStage(deps: MoveDeps): Stage {
  const { platform } = deps;
  return {
    name: 'payments.move',
    batch: 500,
    ...earliestDue('payments', "stage = 'move'"),
    async run(now, limit) {
      const rows = await claimMoves(platform, now, limit);
      if (rows.length === 0) return 0;
      const movements = await transferAll(deps, rows);
      await allOrApart(
        rows,
        async (some) => {
          const record = (tx: Tx) => recordMoves(deps, tx, platform.clock.now(), some, movements);
          await platform.db.transaction(record);
          return [];
        },
        ({ payment_id }, err) =>
          platform.log.error(
            { payment_id, err },
            'a move could not be recorded, it is asked again',
          ),
      );
      return rows.length;
    },
  };
}

/**
 * What became of the transfers, by key. A request that the issuer refuses whole is made again in parts, down to the order
 * that it refuses: that one is left out, keeps its key, and waits. Throws IssuerUnavailable.
 */
async function transferAll(
  { platform, issuer }: MoveDeps,
  rows: readonly MoveRow[],
): Promise<ReadonlyMap<string, Movement>> {
  const made = await allOrApart(
    rows,
    async (some) => [...(await orderTransfers(issuer, platform.clock.now(), some.map(toOrder)))],
    async (row, err) => {
      const { payment_id } = row;
      platform.log.error({ payment_id, err }, 'the issuer refused a transfer, it is tried again');
      const wait = { row, polls: row.polls, seconds: LONGEST_WAIT_SECONDS };
      await platform.db.transaction((tx) => letWait(tx, platform.clock.now(), [wait]));
    },
    (error) => !(error instanceof IssuerRefused),
  );
  return new Map(made);
}

function toOrder(row: MoveRow): DatedTransfer {
  const order = {
    idempotencyKey: keyOf(row),
    fromIssuerWalletId: row.from_wallet,
    toIssuerWalletId: row.to_wallet,
    amountPence: row.amount_pence,
    reference: row.payment_id,
  };
  return { order, firstAt: row.first_at };
}

type Wallets = Pick<MoveRow, 'from_wallet' | 'to_wallet' | 'to_account' | 'first_at'>;

type ClaimedMove = Omit<MoveRow, keyof Wallets> & { due_date: Temporal.Instant };

function claimMoves(platform: Platform, now: Temporal.Instant, limit: number): Promise<MoveRow[]> {
  return platform.db.transaction(async (tx) => {
    const claimed = await claim<ClaimedMove>(tx, now, LEASE_MS, limit, {
      table: 'payments',
      key: ['merchant_id', 'payment_id'],
      where: "t.stage = 'move'",
      returning: `t.merchant_id, t.payment_id, t.schedule_id, t.wallet_id, t.amount_pence, t.currency, t.polls, t.due_date`,
    });
    if (claimed.length === 0) return [];
    const byPayment = await findWallets(tx, claimed, now);
    const rows = claimed.flatMap((row) => {
      const found = byPayment.get(row.payment_id);
      return found === undefined ? [] : [{ ...row, ...found }];
    });
    if (rows.length < claimed.length)
      platform.log.warn(
        { payments: claimed.map((c) => c.payment_id).filter((id) => !byPayment.has(id)) },
        "payments wait because their merchant's wallet is not open",
      );
    return rows;
  });
}

async function findWallets(
  tx: Tx,
  claimed: readonly ClaimedMove[],
  now: Temporal.Instant,
): Promise<Map<string, Wallets>> {
  const wallets = await tx.rows<Wallets & { payment_id: string }>(
    `WITH target AS MATERIALIZED (
       SELECT k.merchant_id, w.* FROM (SELECT DISTINCT merchant_id FROM unnest($1::text[]) AS u (merchant_id)) k
       CROSS JOIN LATERAL (SELECT wallet_id, issuer_wallet_id FROM wallets
         WHERE merchant_id = k.merchant_id AND customer_id IS NULL AND status = 'open' OFFSET 0) w
     )
     SELECT r.payment_id, f.issuer_wallet_id AS from_wallet, m.issuer_wallet_id AS to_wallet, m.wallet_id AS to_account,
       CASE WHEN r.due_date > $5::timestamptz - interval '1 day' THEN r.due_date ELSE coalesce(
         (SELECT a.finished_at FROM attempts a WHERE a.merchant_id = r.merchant_id AND a.payment_id = r.payment_id
            AND a.status = 'success' LIMIT 1), r.due_date) END AS first_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS r (merchant_id, payment_id, wallet_id, due_date)
     CROSS JOIN LATERAL (SELECT issuer_wallet_id FROM wallets
       WHERE merchant_id = r.merchant_id AND wallet_id = r.wallet_id OFFSET 0) f
     JOIN target m ON m.merchant_id = r.merchant_id`,
    [
      claimed.map((c) => c.merchant_id),
      claimed.map((c) => c.payment_id),
      claimed.map((c) => c.wallet_id),
      claimed.map((c) => c.due_date),
      now,
    ],
  );
  return new Map(wallets.map((w) => [w.payment_id, w]));
}

/** Moves that the issuer made become successes; the others are tried again. */
async function recordMoves(
  deps: MoveDeps,
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly MoveRow[],
  movements: ReadonlyMap<string, Movement>,
): Promise<void> {
  const { log } = deps.platform;
  await holdPayments(tx, rows.map(refOf));
  const statusOf = (row: MoveRow) => movements.get(keyOf(row))?.status;
  const sorted = [...rows].sort((a, b) => (a.payment_id < b.payment_id ? -1 : 1));
  const failed = sorted.filter((row) => statusOf(row) === 'failed');
  await recordSuccess(
    deps,
    tx,
    now,
    sorted.filter((row) => statusOf(row) === 'settled'),
  );
  const leftOut = sorted.filter((row) => statusOf(row) === undefined);
  if (leftOut.length > 0)
    log.error(
      { keys: leftOut.map(keyOf) },
      'transfers are missing in the issuer’s answer: other content under their keys, or not to be read',
    );
  const pending = sorted.filter((row) => statusOf(row) === 'pending');
  if (pending.length > 0)
    await letWait(
      tx,
      now,
      pending.map((row) => ({ row, polls: row.polls, seconds: PENDING_WAIT_SECONDS })),
    );
  if (failed.length === 0) return;
  log.error(
    { payments: failed.map((f) => f.payment_id) },
    'the issuer refused transfers, they are tried again',
  );
  const wait = (row: MoveRow) => FIRST_WAIT_SECONDS * 2 ** Math.min(row.polls, 6);
  await letWait(
    tx,
    now,
    failed.map((row) => ({ row, polls: row.polls + 1, seconds: wait(row) })),
  );
}

/** The issuer has news of transfers: it is asked about them now. */
export async function moveNow(
  tx: Tx,
  now: Temporal.Instant,
  payments: readonly { merchantId: string; paymentId: string }[],
): Promise<void> {
  await tx.run(
    `UPDATE payments p SET due_at = $3 FROM unnest($1::text[], $2::text[]) AS n (merchant_id, payment_id)
     WHERE p.merchant_id = n.merchant_id AND p.payment_id = n.payment_id AND ${IN_MOVE} AND ${unguessed('p.due_at > $3')}`,
    [payments.map((one) => one.merchantId), payments.map((one) => one.paymentId), now],
  );
}

const refOf = (row: MoveRow) => ({
  ref: { merchantId: row.merchant_id, paymentId: row.payment_id },
});

interface Wait {
  row: MoveRow;
  /** What the key is made of from now on. */
  polls: number;
  seconds: number;
}

/** Only the key that failed gives way: another process may have gone on to the next one, whose outcome is not known. */
async function letWait(tx: Tx, now: Temporal.Instant, waits: readonly Wait[]): Promise<void> {
  await tx.run(
    `UPDATE payments p SET polls = f.polls_next, due_at = f.due_at
     FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::timestamptz[])
       AS f (merchant_id, payment_id, polls, polls_next, due_at)
     WHERE p.merchant_id = f.merchant_id AND p.payment_id = f.payment_id
       AND ${unguessed("p.stage = 'move' AND p.polls = f.polls")}`,
    [
      waits.map(({ row }) => row.merchant_id),
      waits.map(({ row }) => row.payment_id),
      waits.map(({ row }) => row.polls),
      waits.map(({ polls }) => polls),
      waits.map(({ row, seconds }) =>
        now.add(spread(Math.min(seconds, LONGEST_WAIT_SECONDS), keyOf(row))),
      ),
    ],
  );
}

async function recordSuccess(
  { platform, payOutOf }: MoveDeps,
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly MoveRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const marked = await tx.rows<{ payment_id: string }>(
    `UPDATE payments p SET status = 'success', stage = NULL, due_at = NULL, completed_at = $3, settle_at = $4,
       error_code = NULL, error_message = NULL, manual = false
     FROM unnest($1::text[], $2::text[]) AS d (merchant_id, payment_id)
     WHERE p.merchant_id = d.merchant_id AND p.payment_id = d.payment_id AND ${IN_MOVE}
     RETURNING p.payment_id`,
    [rows.map((r) => r.merchant_id), rows.map((r) => r.payment_id), now, payOutOf(now)],
  );
  const ids = new Set(marked.map((m) => m.payment_id));
  const done = rows.filter((row) => ids.has(row.payment_id));
  await post(
    tx,
    platform.ids,
    now,
    done.map((row) => ({
      merchantId: row.merchant_id,
      kind: 'move',
      debit: row.wallet_id,
      credit: row.to_account,
      amountPence: row.amount_pence,
      sourceId: row.payment_id,
    })),
  );
  await recordChanges(tx, now, done.map(toChange));
  await appendEvents(
    tx,
    platform,
    now,
    done.map((row) => toEvent(row, now)),
  );
}

function toChange(row: MoveRow): Parameters<typeof recordChanges>[2][number] {
  return {
    merchantId: row.merchant_id,
    objectId: row.payment_id,
    scheduleId: row.schedule_id,
    from: 'processing',
    to: 'success',
    reason: "in the merchant's wallet",
  };
}

function toEvent(row: MoveRow, now: Temporal.Instant): Parameters<typeof appendEvents>[3][number] {
  return {
    merchantId: row.merchant_id,
    kind: 'collection.success',
    scheduleId: row.schedule_id,
    subjectId: row.payment_id,
    data: {
      payment_id: row.payment_id,
      schedule_id: row.schedule_id,
      amount: { value: row.amount_pence, currency: row.currency },
      completed_at: formatInstant(now),
    } satisfies DataOf<typeof PAYMENT_EVENTS, 'collection.success'>,
  };
}
