import { spread } from '../platform/spread.ts';

/** DECISIONS, "Settlement". */
export type SettlementStatus = 'pending' | 'processing' | 'success' | 'failed';

/** Where a merchant's money goes. */
export interface Destination {
  sortCode: string;
  accountNumber: string;
  name: string;
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
