import { claimApart, earliestDueInLanes } from '../platform/claim.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { Lanes } from '../platform/lanes.ts';
import type { Platform } from '../platform/platform.ts';
import { findPasts, type StartedAttempt, type SubmitRow, startAttempts } from './attempt-store.ts';
import { logIncomplete, type SubmitDeps, sendBatch } from './send.ts';

const LEASE_MS = 240_000;
/**
 * How long what was begun last may take: 64 attempts, 32 at a time, each with a token, an answer, and the question why it
 * was refused, ten seconds each.
 */
const LAST_CALLS_MS = 120_000;
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
    ...earliestDueInLanes('bank_id', 'payments', "t.stage = 'submit'"),
    async run(now, limit) {
      const attempts = await claimAttempts(platform, now, limit, lanes.full());
      const until = now.add({ milliseconds: LEASE_MS - LAST_CALLS_MS });
      for (const [bankId, batch] of Map.groupBy(attempts, (a) => a.bank_id))
        lanes.start(
          bankId,
          () => sendBatch(deps, batch, until),
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
function claimAttempts(
  platform: Platform,
  now: Temporal.Instant,
  limit: number,
  fullBanks: string[],
): Promise<StartedAttempt[]> {
  const begin = async (tx: Tx, rows: SubmitRow[]): Promise<StartedAttempt[]> => {
    const fresh = rows.filter((row) => row.polls === 1);
    await startAttempts(tx, now, fresh);
    const found = await findPasts(tx, now, rows);
    if (found.length < rows.length) logIncomplete(platform, rows, found);
    return found;
  };
  return claimApart<SubmitRow, StartedAttempt>(platform, now, LEASE_MS, limit, {
    table: 'payments',
    key: ['merchant_id', 'payment_id'],
    where: "t.stage = 'submit'",
    lanes: { column: 'bank_id', full: fullBanks },
    set: `status = 'processing', next_retry_at = NULL, polls = t.polls + 1,
      attempts = t.attempts + CASE WHEN t.polls = 0 THEN 1 ELSE 0 END`,
    returning: `t.merchant_id, t.payment_id, t.schedule_id, t.consent_id, t.wallet_id, t.bank_id, t.amount_pence,
      t.attempts, t.polls, t.manual, t.due_date, t.stopped_by`,
    begin,
  });
}
