import { claim, earliestDue } from '../platform/claim.ts';
import type { Stage } from '../platform/engine.ts';
import { Lanes } from '../platform/lanes.ts';
import type { Platform } from '../platform/platform.ts';
import {
  type ClaimedAttempt,
  findAttemptDetails,
  type SubmitRow,
  startAttempts,
} from './attempt-store.ts';
import { type SubmitDeps, sendBatch } from './send.ts';

const LEASE_MS = 120_000;
const BATCHES_PER_BANK = 2;

/**
 * Payments to be sent: claims a batch of one attempt each, calls the bank between two transactions, and records the
 * outcomes of the whole batch. Each bank has a lane of its own, so that a slow one holds up nobody else.
 */
export function submitStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new Lanes(BATCHES_PER_BANK);
  return {
    name: 'payments.submit',
    batch: 250,
    nextDue: (tx) => earliestDue(tx, 'payments', "stage = 'submit'"),
    async run(now, limit) {
      const attempts = await claimAttempts(platform, now, limit, lanes.full());
      for (const [bankId, batch] of Map.groupBy(attempts, (a) => a.bank_id))
        lanes.start(
          bankId,
          () => sendBatch(deps, batch),
          (error) =>
            platform.log.error(
              { bank_id: bankId, err: error },
              'a batch of payments was not recorded',
            ),
        );
      return attempts.length;
    },
    idle: () => lanes.idle(),
  };
}

/** Claims due payments of banks with room; the attempt is written before the bank is called. */
async function claimAttempts(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
  fullBanks: string[],
): Promise<ClaimedAttempt[]> {
  return platform.db.transaction(async (tx) => {
    const rows = await claim<SubmitRow>(tx, now, LEASE_MS, limit, {
      table: 'payments',
      key: ['merchant_id', 'payment_id'],
      where: "t.stage = 'submit' AND NOT t.bank_id = ANY($3)",
      values: [fullBanks],
      set: `status = 'processing', next_retry_at = NULL, polls = t.polls + 1,
        attempts = t.attempts + CASE WHEN t.polls = 0 THEN 1 ELSE 0 END`,
      returning: `t.merchant_id, t.payment_id, t.schedule_id, t.consent_id, t.wallet_id, t.bank_id, t.amount_pence,
        t.attempts, t.polls, t.manual`,
    });
    if (rows.length === 0) return [];
    await startAttempts(
      tx,
      now,
      rows.filter((row) => row.polls === 1),
    );
    return findAttemptDetails(tx, rows);
  });
}
