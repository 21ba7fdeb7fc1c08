import { BankRefused } from '../banks/bank.ts';
import { claim, earliestDueInLanes } from '../platform/claim.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { Lanes, mapInParallel } from '../platform/lanes.ts';
import type { Platform } from '../platform/platform.ts';
import { toOutcome } from './answers.ts';
import { takeArrival } from './arrivals.ts';
import type { StopCode } from './order-decision.ts';
import { Patience } from './patience.ts';
import type { Learned, Outcome } from './payment.ts';
import type { SubmitDeps } from './send.ts';
import { settleOutcomes } from './settle-outcomes.ts';
import { endWhenOver } from './track-stopped.ts';

const LEASE_MS = 240_000;
/** How long the last questions of a batch may take: to the bank with its token, and to the issuer. */
const LAST_CALLS_MS = 60_000;
const WIDTH = 32;
/** From this poll on, some minutes after the sending, the issuer is asked too: its notice may be lost. */
const POLLS_BEFORE_LOOKING = 6;
const OVERDUE = Temporal.Duration.from({ hours: 24 });

interface TrackRow {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  bank_id: string;
  bank_payment_id: string;
  wallet_id: string;
  amount_pence: number;
  attempts: number;
  polls: number;
  stopped_by: StopCode | null;
}

/** Payments at the bank: asks where they stand, ever less often. A notification only makes this due now. */
export function trackStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new Lanes(2);
  return {
    name: 'payments.track',
    batch: 250,
    ...earliestDueInLanes('bank_id', 'payments', "t.stage = 'track'"),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<TrackRow>(tx, now, LEASE_MS, limit, {
          table: 'payments',
          key: ['merchant_id', 'payment_id'],
          where: "t.stage = 'track'",
          lanes: { column: 'bank_id', full: lanes.full() },
          set: 'polls = t.polls + 1',
          returning: `t.merchant_id, t.payment_id, t.schedule_id, t.bank_id, t.bank_payment_id, t.wallet_id,
            t.amount_pence, t.attempts, t.polls, t.stopped_by`,
        }),
      );
      const until = now.add({ milliseconds: LEASE_MS - LAST_CALLS_MS });
      for (const [bankId, batch] of Map.groupBy(rows, (row) => row.bank_id))
        lanes.start(
          bankId,
          () => askBatch(deps, batch, until),
          (error) =>
            platform.log.error(
              { bank_id: bankId, err: error },
              'a batch of answers was not recorded',
            ),
        );
      return rows.length;
    },
    idle: () => lanes.idle(),
  };
}

/** Asks until the lease is nearly over, or the bank wants to be left alone. */
async function askBatch(
  deps: SubmitDeps,
  batch: readonly TrackRow[],
  until: Temporal.Instant,
): Promise<void> {
  const learned: Learned[] = [];
  const patience = new Patience(deps.platform.clock, until);
  await mapInParallel(batch, WIDTH, async (row) => {
    const outcome = await askOne(deps, patience, row);
    if (outcome === null) return;
    const ref = {
      merchantId: row.merchant_id,
      paymentId: row.payment_id,
      scheduleId: row.schedule_id,
      attempt: row.attempts,
    };
    learned.push({ ref, outcome });
  });
  await settleOutcomes(deps, learned);
}

async function askOne(
  deps: SubmitDeps,
  patience: Patience,
  row: TrackRow,
): Promise<Outcome | null> {
  const notBefore = patience.restsUntil;
  if (notBefore !== null) return { kind: 'unknown', notBefore };
  if (!patience.hasTime()) return null;
  const outcome = await askBank(deps, patience, row);
  const isOpen = outcome.kind === 'pending' || outcome.kind === 'unknown';
  // Only the issuer tells whether the money of a payment that the bank has credited is there.
  const isDue = isOpen && row.polls >= POLLS_BEFORE_LOOKING;
  if (isDue || outcome.kind === 'credited') await lookForMoney(deps, row);
  const { stopped_by } = row;
  return isOpen && stopped_by !== null
    ? endWhenOver(deps, { ...row, stopped_by }, outcome)
    : outcome;
}

/** The notice of the money may be lost, and a bank may never say more than that the debtor's side is settled. */
async function lookForMoney({ platform, issuer }: SubmitDeps, row: TrackRow): Promise<void> {
  try {
    const since = await platform.db.read((tx) => findStart(tx, row));
    if (since === null) return;
    const found = await takeArrival(platform, issuer, {
      merchantId: row.merchant_id,
      walletId: row.wallet_id,
      paymentId: row.payment_id,
      attempt: row.attempts,
      amountPence: row.amount_pence,
      since,
    });
    if (found === null) logOverdue(platform, row, since);
  } catch (error) {
    platform.log.warn(
      { payment_id: row.payment_id, err: error },
      'the issuer did not tell whether a payment came',
    );
  }
}

/** A bank may keep a payment open for ever: then somebody has to ask it. */
function logOverdue(platform: Platform, row: TrackRow, since: Temporal.Instant): void {
  const waited = platform.clock.now().since(since);
  if (Temporal.Duration.compare(waited, OVERDUE) <= 0) return;
  platform.log.error(
    { payment_id: row.payment_id, bank_id: row.bank_id, bank_payment_id: row.bank_payment_id },
    'a payment has had no outcome for a day: ask the bank about it',
  );
}

async function findStart(tx: Tx, row: TrackRow): Promise<Temporal.Instant | null> {
  const attempt = await tx.row<{ started_at: Temporal.Instant }>(
    'SELECT started_at FROM attempts WHERE merchant_id = $1 AND payment_id = $2 AND number = $3',
    [row.merchant_id, row.payment_id, row.attempts],
  );
  return attempt?.started_at ?? null;
}

/** A refusal of the question is no answer about the payment. */
async function askBank(deps: SubmitDeps, patience: Patience, row: TrackRow): Promise<Outcome> {
  const name = { payment_id: row.payment_id, bank_id: row.bank_id };
  const bank = deps.banks.get(row.bank_id);
  try {
    if (bank !== undefined) return toOutcome(await bank.readPayment(row.bank_payment_id));
    deps.platform.log.error(name, 'the bank of a payment is not configured');
  } catch (error) {
    patience.hear(error);
    const level = error instanceof BankRefused ? 'error' : 'warn';
    deps.platform.log[level](
      { ...name, err: error },
      'the bank did not tell of a payment, it is asked again',
    );
  }
  return { kind: 'unknown', notBefore: patience.restsUntil };
}

/** A bank has news of these payments: they are asked for now. */
export async function trackNow(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankPaymentIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE payments p SET due_at = $1
     FROM (SELECT p.merchant_id, p.payment_id FROM attempts a
           CROSS JOIN LATERAL (SELECT merchant_id, payment_id, bank_id, stage, due_at FROM payments
             WHERE merchant_id = a.merchant_id AND payment_id = a.payment_id OFFSET 0) p
           WHERE a.bank_payment_id = ANY($3) AND a.status = 'processing' AND p.bank_id = $2 AND p.stage = 'track'
             AND p.due_at > $1
           ORDER BY p.merchant_id, p.payment_id) told
     WHERE p.merchant_id = told.merchant_id AND p.payment_id = told.payment_id AND p.stage NOT IN ('submit', 'move')
       AND p.due_at > $1`,
    [now, bankId, bankPaymentIds],
  );
}
