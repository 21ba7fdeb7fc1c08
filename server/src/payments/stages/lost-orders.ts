import { mapInParallel } from '../../platform/network/concurrency-limits.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import { checkForLostMoney } from '../pay-ins/arrivals.ts';
import { type ClaimedAttempt, checksIssuerFirst } from '../payment/attempt.ts';
import { type Outcome, UNKNOWN } from '../payment/outcome.ts';
import { mayProceed } from './checks.ts';

/** Orders that a database sent before it was lost and restored: docs/rules/payments.md#orders-of-a-lost-database. */

interface LostOrderDeps {
  platform: Platform;
  issuer: Issuer;
}

const CONCURRENCY = 16;

/**
 * Asks the issuer whether money of the attempt's payment came that our books do not know, and records it. Returns `unknown` if it
 * did, or if the issuer does not answer: the attempt is then judged again by what the books know. Null: there is none.
 */
export async function moneyOfLostOrder(
  deps: LostOrderDeps,
  attempt: ClaimedAttempt,
): Promise<Outcome | null> {
  const money = await checkForLostMoney(deps, attempt, attempt.dueDate);
  return money === 'not_there' ? null : UNKNOWN;
}

/** Does so for the attempts of a batch whose bank may have forgotten a lost order; returns what waits, by payment. */
export async function moneyOfLostOrders(
  deps: LostOrderDeps,
  batch: readonly ClaimedAttempt[],
  hasTime: () => boolean,
): Promise<Map<string, Outcome>> {
  const now = deps.platform.clock.now();
  const waiting = new Map<string, Outcome>();
  const doubted = batch.filter((attempt) => checksIssuerFirst(attempt, now) && mayProceed(attempt));
  await mapInParallel(doubted, CONCURRENCY, async (attempt) => {
    const outcome = hasTime() ? await moneyOfLostOrder(deps, attempt) : null;
    if (outcome !== null) waiting.set(attempt.paymentId, outcome);
  });
  return waiting;
}
