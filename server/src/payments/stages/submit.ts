import type { Tx } from '../../platform/db/db.ts';
import type { Halt, Stage } from '../../platform/engine/stage.ts';
import { ConcurrencyLimits } from '../../platform/network/concurrency-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankRoom } from '../../schedules/books/due-store.ts';
import { startAttempts } from '../books/attempt-store.ts';
import { claimToSubmit, earliestToSubmit, findPasts, isFresh } from '../books/queue-store.ts';
import type { StartedAttempt, SubmitRow } from '../payment/attempt.ts';
import { BATCHES_PER_BANK, logIncomplete, type SubmitDeps, sendBatch } from './send.ts';
import { SilentBanks } from './silent-banks.ts';

/** How long a claimed attempt is left to the process that claimed it. */
export const SUBMIT_LEASE = Temporal.Duration.from({ minutes: 4 });
/**
 * How long the last calls of a batch may take: 64 attempts, a quarter of the bank's orders at a time, each with a token call, the
 * order, and a query for why it was refused, ten seconds each.
 */
const LAST_CALLS = Temporal.Duration.from({ minutes: 2 });
const BATCH = 250;

/**
 * Sends claimed attempts in batches of one bank, so many at a time: a slow bank does not delay the others. Payments are claimed
 * from the queue, or on opening, for as many as their bank has room for.
 */
export interface Sender {
  /** Returns the banks without room. */
  full(): string[];
  /** Returns how many more attempts a bank has room for. */
  room(bankId: string): number;
  /** Returns the banks that attempts are being sent to, each with its room. */
  busy(): BankRoom[];
  /** Starts sending attempts that were claimed at `now`. */
  send(now: Temporal.Instant, attempts: readonly StartedAttempt[]): void;
  /** Resolves when no bank is full, or a batch has ended: there is room that there was not. */
  makesRoom(): Promise<void>;
  idle(): Promise<void>;
  /** Set by the engine when it stops. */
  halt: Halt;
}

/** Makes the sender of a process. */
export function makeSender(deps: SubmitDeps): Sender {
  const lanes = new ConcurrencyLimits(BATCHES_PER_BANK);
  const { log } = deps.platform;
  const halt: Halt = { isHalted: false };
  const silent = new SilentBanks();
  const room = (bankId: string): number => lanes.room(bankId) * BATCH;
  return {
    halt,
    full: () => lanes.full(),
    room,
    busy: () => lanes.counts().map(([bankId]) => ({ bankId, room: room(bankId) })),
    send(now, attempts) {
      const leaseEnds = now.add(SUBMIT_LEASE);
      const lease = { leaseEnds, until: leaseEnds.subtract(LAST_CALLS), halt, silent };
      for (const [bankId, all] of Map.groupBy(attempts, (a) => a.bankId))
        for (let at = 0; at < all.length; at += BATCH)
          lanes.start(
            bankId,
            () => sendBatch(deps, all.slice(at, at + BATCH), lease),
            (error) => log.report('payment.batch_failed', { bank_id: bankId, err: error }),
          );
    },
    makesRoom: async () => {
      if (lanes.full().length > 0) await lanes.oneEnds();
    },
    idle: () => lanes.idle(),
  };
}

/**
 * Sends due payments: claims one attempt of each payment in a batch, calls the bank between two transactions, and records the
 * outcomes of the whole batch.
 */
export function submitStage(platform: Platform, sender: Sender): Stage {
  return {
    name: 'payments.submit',
    batch: BATCH,
    ...earliestToSubmit,
    async run(now, limit) {
      const attempts = await claimAttempts(platform, now, limit, sender.full());
      sender.send(now, attempts);
      return attempts.length;
    },
    makesRoom: () => sender.makesRoom(),
    idle: () => sender.idle(),
    halt: sender.halt,
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
    await startAttempts(tx, now, rows.filter(isFresh));
    const found = await findPasts(tx, now, rows);
    if (found.length < rows.length) logIncomplete(platform, rows, found);
    return found;
  };
  const leaseMs = SUBMIT_LEASE.total('milliseconds');
  return claimToSubmit(platform, now, leaseMs, limit, { fullBanks, begin });
}
