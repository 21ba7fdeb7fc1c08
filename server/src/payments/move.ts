import { recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import { claim, earliestDue } from '../platform/claim.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { appendEvents } from '../platform/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer, Movement } from '../wallets/issuer.ts';
import { post } from '../wallets/ledger.ts';

const LEASE_MS = 60_000;
const AFTER_FAILURE = Temporal.Duration.from({ seconds: 30 });

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
  const { platform, issuer } = deps;
  return {
    name: 'payments.move',
    batch: 500,
    nextDue: (tx) => earliestDue(tx, 'payments', "stage = 'move'"),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) => claimMoves(tx, now, limit));
      if (rows.length === 0) return 0;
      const movements = await issuer.transfer(
        rows.map((row) => ({
          idempotencyKey: keyOf(row),
          fromIssuerWalletId: row.from_wallet,
          toIssuerWalletId: row.to_wallet,
          amountPence: row.amount_pence,
          reference: row.payment_id,
        })),
      );
      await platform.db.transaction((tx) =>
        recordMoves(deps, tx, platform.clock.now(), rows, movements),
      );
      return rows.length;
    },
  };
}

async function claimMoves(tx: Tx, now: Temporal.Instant, limit: number): Promise<MoveRow[]> {
  const claimed = await claim<Omit<MoveRow, 'from_wallet' | 'to_wallet' | 'to_account'>>(
    tx,
    now,
    LEASE_MS,
    limit,
    {
      table: 'payments',
      key: ['merchant_id', 'payment_id'],
      where: "t.stage = 'move'",
      returning: `t.merchant_id, t.payment_id, t.schedule_id, t.wallet_id, t.amount_pence, t.currency, t.polls`,
    },
  );
  if (claimed.length === 0) return [];
  const wallets = await tx.rows<{
    payment_id: string;
    from_wallet: string;
    to_wallet: string;
    to_account: string;
  }>(
    `SELECT r.payment_id, f.issuer_wallet_id AS from_wallet, m.issuer_wallet_id AS to_wallet, m.wallet_id AS to_account
     FROM unnest($1::text[], $2::text[], $3::text[]) AS r (merchant_id, payment_id, wallet_id)
     JOIN wallets f ON f.merchant_id = r.merchant_id AND f.wallet_id = r.wallet_id
     JOIN wallets m ON m.merchant_id = r.merchant_id AND m.customer_id IS NULL AND m.status = 'open'`,
    [
      claimed.map((c) => c.merchant_id),
      claimed.map((c) => c.payment_id),
      claimed.map((c) => c.wallet_id),
    ],
  );
  const byPayment = new Map(wallets.map((w) => [w.payment_id, w]));
  return claimed.flatMap((row) => {
    const found = byPayment.get(row.payment_id);
    return found === undefined ? [] : [{ ...row, ...found }];
  });
}

/** Moves that the issuer made become successes; the others are tried again. */
async function recordMoves(
  deps: MoveDeps,
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly MoveRow[],
  movements: ReadonlyMap<string, Movement>,
): Promise<void> {
  const sorted = [...rows].sort((a, b) => (a.payment_id < b.payment_id ? -1 : 1));
  const settled = sorted.filter((row) => movements.get(keyOf(row))?.status === 'settled');
  const failed = sorted.filter((row) => movements.get(keyOf(row))?.status === 'failed');
  await recordSuccess(deps, tx, now, settled);
  logLeftOut(deps.platform, sorted, movements);
  if (failed.length === 0) return;
  deps.platform.log.error(
    { payments: failed.map((f) => f.payment_id) },
    'the issuer refused transfers, they are tried again',
  );
  // Only the key that failed gives way: another process may have gone on to the next one, whose outcome is not known.
  await tx.run(
    `UPDATE payments p SET polls = p.polls + 1, due_at = $3
     FROM unnest($1::text[], $2::text[], $4::int[]) AS f (merchant_id, payment_id, polls)
     WHERE p.merchant_id = f.merchant_id AND p.payment_id = f.payment_id AND p.stage = 'move' AND p.polls = f.polls`,
    [
      failed.map((f) => f.merchant_id),
      failed.map((f) => f.payment_id),
      now.add(AFTER_FAILURE),
      failed.map((f) => f.polls),
    ],
  );
}

/** Orders that the issuer did not answer keep their key and are asked again after the lease. */
function logLeftOut(
  platform: Platform,
  rows: readonly MoveRow[],
  movements: ReadonlyMap<string, Movement>,
): void {
  const leftOut = rows.filter((row) => !movements.has(keyOf(row)));
  if (leftOut.length === 0) return;
  platform.log.error(
    { keys: leftOut.map(keyOf) },
    'the issuer left transfers out of its answer: their keys may have been used with other content',
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
     WHERE p.merchant_id = d.merchant_id AND p.payment_id = d.payment_id AND p.stage = 'move'
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
    },
  };
}
