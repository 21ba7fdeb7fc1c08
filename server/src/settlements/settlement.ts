import { derivedId } from '../platform/ids.ts';
import { spread } from '../platform/spread.ts';
import type { Vault } from '../platform/vault.ts';
import { payOutMoment } from './settlement-day.ts';

/** See docs/rules/settlements.md#statuses. */
export type SettlementStatus = 'pending' | 'processing' | 'success' | 'failed';

/** Where a merchant's money goes. */
export interface Destination {
  sortCode: string;
  accountNumber: string;
  name: string;
}

/**
 * Derives the id of a settlement from its merchant, day and part, so that a database which has lost the settlement opens it
 * under the same id, and the issuer knows the pay-out that it already has.
 */
export function settlementIdOf(
  vault: Vault,
  { merchantId, day, part }: { merchantId: string; day: Temporal.PlainDate; part: number },
): string {
  return derivedId(
    'set',
    payOutMoment(day),
    vault.index(`${merchantId} ${day} ${part}`, 'settlement-id'),
  );
}

/** The reference on the merchant's bank statement: what Faster Payments carries is 18 characters. */
export function statementReference(settlementId: string): string {
  return settlementId.slice(-18);
}

/** One try at paying a settlement out: the issuer's idempotency key, and the source of its postings. */
export function payOutKey(settlementId: string, attempt: number): string {
  return `${settlementId}-${attempt}`;
}

const WAITS = [5, 15, 60, 300, 1800];

/** When to ask the issuer again about a pay-out, by how often was asked; those of one outage are spread. */
export function askAgainAt(
  now: Temporal.Instant,
  polls: number,
  settlementId: string,
): Temporal.Instant {
  const seconds = WAITS[Math.min(Math.max(polls, 1), WAITS.length) - 1] ?? 1800;
  return now.add(spread(seconds, `${settlementId} ${polls}`));
}
