import { type Bank, BankRefused } from '../banks/bank.ts';
import { claim, earliestDue } from '../platform/claim.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { Lanes, mapInParallel } from '../platform/lanes.ts';
import { findArrival } from './arrivals.ts';
import { takePayIn } from './pay-ins.ts';
import { instructionId, type Learned, type Outcome } from './payment.ts';
import { type SubmitDeps, toOutcome } from './send.ts';
import { settleOutcomes } from './settle-outcomes.ts';

const LEASE_MS = 120_000;
const WIDTH = 32;
/** From this poll on, some minutes after the sending, the issuer is asked too: its notice may be lost. */
const POLLS_BEFORE_LOOKING = 6;

interface TrackRow {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  bank_id: string;
  bank_payment_id: string;
  wallet_id: string;
  attempts: number;
  polls: number;
}

/** Payments at the bank: asks where they stand, ever less often. A notification only makes this due now. */
export function trackStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new Lanes(2);
  return {
    name: 'payments.track',
    batch: 250,
    nextDue: (tx) => earliestDue(tx, 'payments', "stage = 'track'"),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<TrackRow>(tx, now, LEASE_MS, limit, {
          table: 'payments',
          key: ['merchant_id', 'payment_id'],
          where: "t.stage = 'track' AND NOT t.bank_id = ANY($3)",
          values: [lanes.full()],
          set: 'polls = t.polls + 1',
          returning: `t.merchant_id, t.payment_id, t.schedule_id, t.bank_id, t.bank_payment_id, t.wallet_id,
            t.attempts, t.polls`,
        }),
      );
      for (const [bankId, batch] of Map.groupBy(rows, (row) => row.bank_id))
        lanes.start(
          bankId,
          () => askBatch(deps, batch),
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

async function askBatch(deps: SubmitDeps, batch: readonly TrackRow[]): Promise<void> {
  const learned = await mapInParallel(batch, WIDTH, async (row): Promise<Learned> => {
    const ref = {
      merchantId: row.merchant_id,
      paymentId: row.payment_id,
      scheduleId: row.schedule_id,
      attempt: row.attempts,
    };
    const outcome = await askBank(deps, deps.banks.get(row.bank_id), row);
    const isOpen = outcome.kind === 'pending' || outcome.kind === 'unknown';
    if (isOpen && row.polls >= POLLS_BEFORE_LOOKING) await lookForMoney(deps, row);
    return { ref, outcome };
  });
  await settleOutcomes(deps, learned);
}

/**
 * Takes in the money of an attempt whose notice was lost, as if the notice had come: a bank may never say more than that
 * the debtor's side is settled.
 */
async function lookForMoney({ platform, issuer }: SubmitDeps, row: TrackRow): Promise<void> {
  const { merchant_id: merchantId, wallet_id: walletId } = row;
  const endToEndId = instructionId(row.payment_id, row.attempts);
  try {
    const at = await platform.db.read((tx) => whereMoneyComes(tx, row));
    if (at === null) return;
    const found = await findArrival(issuer, at.issuer_wallet_id, endToEndId, at.started_at);
    if (found === null) return;
    const { movementId, amountPence } = found;
    const notice = { merchantId, walletId, movementId, endToEndId, amountPence };
    await platform.db.transaction((tx) => takePayIn(platform, tx, platform.clock.now(), notice));
  } catch (error) {
    platform.log.warn(
      { payment_id: row.payment_id, err: error },
      'the issuer did not tell whether a payment came',
    );
  }
}

function whereMoneyComes(
  tx: Tx,
  row: TrackRow,
): Promise<{ issuer_wallet_id: string | null; started_at: Temporal.Instant } | null> {
  return tx.row(
    `SELECT w.issuer_wallet_id, a.started_at FROM attempts a
     JOIN wallets w ON w.merchant_id = a.merchant_id AND w.wallet_id = $4
     WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.number = $3`,
    [row.merchant_id, row.payment_id, row.attempts, row.wallet_id],
  );
}

/** A refusal of the question is no answer about the payment. */
async function askBank(deps: SubmitDeps, bank: Bank | undefined, row: TrackRow): Promise<Outcome> {
  const name = { payment_id: row.payment_id, bank_id: row.bank_id };
  try {
    if (bank !== undefined) return toOutcome(await bank.readPayment(row.bank_payment_id));
    deps.platform.log.error(name, 'the bank of a payment is not configured');
  } catch (error) {
    const level = error instanceof BankRefused ? 'error' : 'warn';
    deps.platform.log[level](
      { ...name, err: error },
      'the bank did not tell of a payment, it is asked again',
    );
  }
  return { kind: 'unknown' };
}

/** A bank has news of these payments: they are asked for now. */
export async function trackNow(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankPaymentIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE payments p SET due_at = $1 FROM attempts a
     WHERE a.bank_payment_id = ANY($3) AND a.status = 'processing' AND p.merchant_id = a.merchant_id
       AND p.payment_id = a.payment_id AND p.bank_id = $2 AND p.stage = 'track' AND p.due_at > $1`,
    [now, bankId, bankPaymentIds],
  );
}
