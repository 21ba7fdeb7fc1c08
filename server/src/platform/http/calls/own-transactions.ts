import type { Tx } from '../../db/db.ts';
import type { Platform } from '../../platform.ts';
import { type Answer, findAnswer, onlyOnce, type RequestHash } from './idempotency.ts';
import type { Caller } from './route.ts';

/** Runs a call's transaction; `onlyReads`: it changes nothing. */
export type Transact = <T>(
  caller: Caller,
  work: (tx: Tx) => Promise<T>,
  options: { onlyReads: boolean },
) => Promise<T>;

/**
 * Does a call that has transactions of its own, and stores its response under its `Idempotency-Key`. A call that was refused can
 * be repeated under the same key.
 */
export async function callWithOwnTransactions(
  { platform, transact }: { platform: Platform; transact: Transact },
  caller: Caller,
  { now, keyed }: { now: Temporal.Instant; keyed: { key: string; hash: RequestHash } | null },
  work: () => Promise<string>,
): Promise<Answer> {
  const done = async (): Promise<Answer> => ({
    status: 200,
    body: await work(),
    replayed: false,
    leavesWork: true,
  });
  if (keyed === null) return done();
  const request = { merchantId: caller.merchantId, ...keyed };
  const find = (tx: Tx) => findAnswer(tx, platform.vault, now, request);
  const before = await transact(caller, find, { onlyReads: true });
  if (before !== null) return before;
  const answer = await done();
  const keep = (tx: Tx) => onlyOnce(tx, platform.vault, now, request, async () => answer);
  return transact(caller, keep, { onlyReads: false });
}
