import { FEE_WALLET } from '../../../wallets/fee-wallet.ts';
import type { StatementLine } from '../../../wallets/issuer.ts';
import { readExternalReference } from '../../../wallets/service.ts';
import type { Booking, Difference, ReturnedMoney } from '../difference.ts';
import { sourceOfKey } from '../issuer-effects.ts';
import { type Act, type Claim, toBeProven } from './claims.ts';
import type { Candidate, Unproven } from './matching.ts';

/**
 * A line of the issuer's statement, and the merchant whose wallet it is on; null: an account that is no wallet, or not ours.
 */
export interface NamedLine {
  line: StatementLine;
  merchantId: string | null;
}

export function named(line: StatementLine): NamedLine {
  const ref =
    line.externalReference === null ? null : readExternalReference(line.externalReference);
  return { line, merchantId: ref?.merchantId ?? null };
}

/** Returns the acts that a line may be, and the source under which our books have them. */
function actsOf(line: StatementLine): { acts: readonly Act[]; source: string } {
  const key = line.idempotencyKey ?? '';
  switch (line.kind) {
    case 'payin':
      return { acts: ['pay_in', 'extra_pay_in'], source: line.movementId };
    case 'payout_return':
      return { acts: ['pay_out_return'], source: line.movementId };
    case 'payin_recall':
      return { acts: ['recall'], source: line.movementId };
    case 'payout':
      return line.direction === 'credit'
        ? { acts: ['settle_back', 'refund_back'], source: key }
        : { acts: ['settle', 'refund'], source: key };
    case 'transfer':
      return { acts: ['move', 'net', 'fee_out'], source: sourceOfKey(key) };
  }
}

/**
 * Whether a line is the receiving side on the account of recalls, whose transfer is checked at the wallet that it left, or
 * anything on the fee wallet, from which its owner takes money.
 */
const isOfTheOtherSide = (line: StatementLine): boolean =>
  line.externalReference === FEE_WALLET ||
  (line.externalReference === null && line.kind === 'transfer' && line.direction === 'credit');

/** Returns each line that is to be compared, with the claims that it may prove. */
export function candidatesOf(
  lines: readonly NamedLine[],
  claims: readonly Claim[],
): Candidate<NamedLine>[] {
  const bySource = Map.groupBy(claims, (claim) => claim.source);
  return lines
    .filter(({ line }) => !isOfTheOtherSide(line))
    .map((item) => {
      const { line, merchantId } = item;
      const { acts, source } = actsOf(line);
      const mayProve = (claim: Claim): boolean =>
        acts.includes(claim.act) &&
        claim.direction === line.direction &&
        (line.kind === 'payin_recall' || claim.merchantId === merchantId);
      return {
        item,
        pence: line.amountPence,
        tiers: [(bySource.get(source) ?? []).filter(mayProve)],
      };
    });
}

/**
 * Returns what our books lack of these lines, have with another amount, or have once where there are two; and the movements that
 * were never notified. Removes what it matches from `givenBack`.
 */
export function missingInBooks(
  unproven: readonly Unproven<NamedLine>[],
  givenBack: ReturnedMoney[],
  date: Temporal.PlainDate,
): { differences: Difference[]; lost: string[] } {
  const differences: Difference[] = [];
  const lost: string[] = [];
  for (const { item, claim, isSecond } of unproven) {
    const { line, merchantId } = item;
    if (claim === null && consumeReturned(line, givenBack)) continue;
    if (claim === null) lost.push(line.movementId);
    differences.push(
      ofLine(line, merchantId ?? claim?.merchantId ?? null, date, ours(claim, isSecond)),
    );
  }
  return { differences, lost };
}

/** Says what our books have of a line that does not match. */
export function ours(claim: Claim | null, isSecond: boolean): string {
  if (claim === null) return 'not in our books';
  return isSecond ? 'not in our books a second time' : `${claim.pence} in our books`;
}

function consumeReturned(line: StatementLine, givenBack: ReturnedMoney[]): boolean {
  if (line.direction !== 'debit') return false;
  const place = givenBack.findIndex(
    (one) => one.issuerWalletId === line.issuerWalletId && one.pence === line.amountPence,
  );
  if (place >= 0) givenBack.splice(place, 1);
  return place >= 0;
}

/** Returns the difference that a line of the statement is. */
export function ofLine(
  line: StatementLine,
  merchantId: string | null,
  date: Temporal.PlainDate,
  what: string,
): Difference {
  const sign = line.direction === 'credit' ? 1 : -1;
  return {
    item: `line ${line.lineId}`,
    merchantId,
    date,
    amountPence: sign * line.amountPence,
    what: `${line.kind} ${line.movementId} of ${line.amountPence} (${line.direction}) is ${what}`,
  };
}

/** Returns our bookings of a day of which the statement lacks a line: one for each booking, whatever it lacks. */
export function missingOnStatement(
  bookings: readonly Booking[],
  used: ReadonlySet<string>,
  date: Temporal.PlainDate,
): Difference[] {
  return bookings.flatMap((one) => {
    const sides = toBeProven(one);
    const missing = sides.filter(({ key }) => !used.has(key));
    const [side] = missing;
    if (side === undefined) return [];
    const isHalf = missing.length < sides.length;
    const isCredit = isHalf || sides.length === 1 ? side.direction === 'credit' : false;
    const what = isHalf ? `${one.pence} (${side.direction})` : one.pence;
    return {
      item: `booking ${one.merchantId} ${one.name}`,
      merchantId: one.merchantId,
      date,
      amountPence: isCredit ? -one.pence : one.pence,
      what: `${one.name} of ${what} is not on the statement`,
    };
  });
}

/** Gives each of several differences of one name an item of its own. */
export function eachByItself(differences: readonly Difference[]): Difference[] {
  const seen = new Map<string, number>();
  return differences.map((one) => {
    const count = (seen.get(one.item) ?? 0) + 1;
    seen.set(one.item, count);
    return count === 1 ? one : { ...one, item: `${one.item} (${count})` };
  });
}
