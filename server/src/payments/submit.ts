import { ConcurrencyLimits } from '../platform/concurrency-limits.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import type { StartedAttempt, SubmitRow } from './attempt.ts';
import { startAttempts } from './attempt-store.ts';
import { claimToSubmit, earliestToSubmit, findPasts } from './queue-store.ts';
import { logIncomplete, type SubmitDeps, sendBatch } from './send.ts';

const LEASE_MS = 240_000;
/**
 * How long the last calls of a batch may take: 64 attempts, 32 at a time, each with a token call, the order, and a query for why
 * it was refused, ten seconds each.
 */
const LAST_CALLS_MS = 120_000;
const BATCHES_PER_BANK = 2;

/**
 * Sends due payments: claims one attempt of each payment in a batch, calls the bank between two transactions, and records the
 * outcomes of the whole batch. Each bank has its own lane, so that a slow bank does not delay the others.
 */
export function submitStage(deps: SubmitDeps): Stage {
  const { platform } = deps;
  const lanes = new ConcurrencyLimits(BATCHES_PER_BANK);
  return {
    name: 'payments.submit',
    batch: 250,
    ...earliestToSubmit,
    async run(now, limit) {
      const attempts = await claimAttempts(platform, now, limit, lanes.full());
      const until = now.add({ milliseconds: LEASE_MS - LAST_CALLS_MS });
      for (const [bankId, batch] of Map.groupBy(attempts, (a) => a.bank_id))
        lanes.start(
          bankId,
          () => sendBatch(deps, batch, until),
          (error) => platform.log.report('payment.batch_failed', { bank_id: bankId, err: error }),
        );
      return attempts.length;
    },
    idle: () => lanes.idle(),
  };
}

/** Claims due payments of banks with free capacity. Writes each attempt before the bank is called. */
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
  return claimToSubmit(platform, now, LEASE_MS, limit, { fullBanks, begin });
}
