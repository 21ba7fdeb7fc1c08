import type { Seat } from '../platform/config/safeguarding.ts';

/** The most of the operator's own money that can be paid in at a time, in pence: £1,000,000,000. More is a slip. */
export const MOST_OWN = 100_000_000_000;

/** What our books say at one moment, in pence. */
export interface Books {
  /** In customers' wallets. */
  customersPence: number;
  /** In merchants' wallets, with the fees that no settlement has taken yet. */
  merchantsPence: number;
  /** Set apart for settlements, refunds and covers that are on their way. */
  payingOutPence: number;
  /** Received, and of no client yet. */
  unallocatedPence: number;
  /** Received since the previous business day began. */
  receiptsPence: number;
  /** The operator's own: fees that a settlement has taken, and which are still in its merchant's wallet at the issuer. */
  feesPence: number;
  /** Paid by the issuer for recalled pay-ins, and not covered yet. */
  recalledPence: number;
  /** What came in from outside less what went out. */
  heldPence: number;
  /** Customers and merchants to whom something is owed. */
  clients: number;
}

/** What the issuer holds at the same moment, in pence. */
export interface HeldAtIssuer {
  pence: number;
  /** Of the difference to our books: what one side had booked before that moment, and the other after it. */
  timingPence: number;
}

/** A run: the figures of a reconciliation day, and what was said about them. */
export interface Run extends Books {
  date: Temporal.PlainDate;
  /** The operator's seat when it was made: it decides what the day asks. */
  seat: Seat;
  asOf: Temporal.Instant;
  madeAt: Temporal.Instant;
  /** Null: it could not be read, and `unknown` says why. */
  issuerPence: number | null;
  timingPence: number | null;
  unknown: string | null;
  answeredAt: Temporal.Instant | null;
  answeredBy: string | null;
  answer: string | null;
  /** The operator's own money that was paid in for shortfalls by earlier days, less what was taken out again. */
  ownPence: number;
  paidInPence: number;
  takenOutPence: number;
}

/** Returns the safeguarding requirement: everything that is owed to clients, none of it netted. */
export const requirementOf = (books: Books): number =>
  books.customersPence + books.merchantsPence + books.payingOutPence + books.unallocatedPence;

/** Returns the part of the requirement whose time to be segregated is over: received before the previous business day. */
export const segregationRequirementOf = (books: Books): number =>
  Math.max(0, requirementOf(books) - books.receiptsPence);

/** Returns by how much what came in and went out differs from what the accounts say; 0 unless the books are broken. */
export const internalDifference = (books: Books): number =>
  books.heldPence - (requirementOf(books) + books.feesPence - books.recalledPence);

/**
 * Returns by how much the issuer's figure differs from ours, apart from timing; null: it is not known. Own money that was paid in
 * may lie where the issuer lists it, or not.
 */
export function externalDifference({
  issuerPence,
  timingPence,
  heldPence,
  ownPence,
}: Pick<Run, 'issuerPence' | 'timingPence' | 'heldPence' | 'ownPence'>): number | null {
  if (issuerPence === null || timingPence === null) return null;
  const pence = issuerPence - heldPence - timingPence;
  return pence === ownPence ? 0 : pence;
}

/** Whether a run has nothing that somebody has to look into: it compared everything, and both sides agree. */
export const agrees = (run: Run): boolean =>
  internalDifference(run) === 0 && externalDifference(run) === 0;

/** What has changed by a later moment of what a run found. */
export interface Mended {
  /** Of recalled pay-ins, what was covered. */
  coveredPence: number;
  /** Of the operator's fees, what was transferred to its own wallet. */
  feesOutPence: number;
  /** The operator's own money that is paid in. */
  ownPence: number;
}

/** Returns what is short of a run by then: recalled pay-ins that neither a merchant's settlement nor the operator has covered. */
export const stillShort = ({ recalledPence }: Books, { coveredPence, ownPence }: Mended): number =>
  Math.max(0, recalledPence - coveredPence - ownPence);

/** Returns what is too much by then: the operator's fees, and own money that nothing is short of any more. */
export function stillTooMuch(
  { feesPence, recalledPence }: Books,
  { coveredPence, feesOutPence, ownPence }: Mended,
): number {
  const uncovered = Math.max(0, recalledPence - coveredPence);
  return Math.max(0, feesPence - feesOutPence) + Math.max(0, ownPence - uncovered);
}
