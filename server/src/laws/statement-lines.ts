import { FEE_WALLET } from '../wallets/fee-wallet.ts';
import type { StatementLine } from '../wallets/issuer.ts';
import { readExternalReference } from '../wallets/service.ts';
import type { Booking, Difference, GivenBack } from './difference.ts';

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

/** Returns an order's key without its attempt number: the source in our books. */
const sourceOfKey = (key: string): string => key.replace(/-[mcf]\d+$/, '');

/** Returns every source under which our books may have a line. */
export function sourcesOfLine({ movementId, idempotencyKey }: StatementLine): string[] {
  return idempotencyKey === null
    ? [movementId]
    : [movementId, idempotencyKey, sourceOfKey(idempotencyKey)];
}

/** Returns our bookings that a line proves, as `<kind> <source>`; it must match one of `needed`. */
function namesOf(line: StatementLine): { needed: string[]; proven: string[] } {
  const key = line.idempotencyKey ?? '';
  const source = sourceOfKey(key);
  const alone = (...needed: string[]) => ({ needed, proven: needed });
  switch (line.kind) {
    case 'payin':
      return alone(`pay_in ${line.movementId}`, `extra_pay_in ${line.movementId}`);
    case 'payout_return':
      return alone(`pay_out_return ${line.movementId}`);
    case 'payin_recall':
      return alone(`recall ${line.movementId}`);
    case 'payout':
      if (line.direction === 'credit') return alone(`settle_back ${key}`, `refund_back ${key}`);
      return {
        needed: [`settle ${key}`, `refund ${key}`],
        proven: [`settle ${key}`, `refund ${key}`, `pay_out ${key}`, `refund_out ${key}`],
      };
    case 'transfer':
      return {
        needed: [`move ${source}`, `net ${source}`, `fee_out ${source}`],
        proven: [`move ${source}`, `net ${source}`, `cover ${source}`, `fee_out ${source}`],
      };
  }
}

/** Returns everything that the lines prove, as `<kind> <source>`. */
export const provenBy = (lines: readonly NamedLine[]): string[] =>
  lines.flatMap(({ line }) => namesOf(line).proven);

/** Returns what our books lack of these lines, or have with another amount. Removes what it matches from `givenBack`. */
export function missingInBooks(
  lines: readonly NamedLine[],
  bookings: readonly Booking[],
  givenBack: GivenBack[],
  date: Temporal.PlainDate,
): { differences: Difference[]; lost: string[] } {
  const byName = new Map(bookings.map((one) => [`${one.merchant_id} ${one.name}`, one]));
  const recalls = new Map(bookings.map((one) => [one.name, one]));
  const differences: Difference[] = [];
  const lost: string[] = [];
  for (const { line, merchantId } of lines) {
    if (isOfTheOtherSide(line)) continue;
    const { needed } = namesOf(line);
    const found = needed
      .map((name) =>
        line.kind === 'payin_recall' ? recalls.get(name) : byName.get(`${merchantId} ${name}`),
      )
      .find((one) => one !== undefined);
    if (found?.pence === line.amountPence) continue;
    if (found === undefined && takeGivenBack(line, givenBack)) continue;
    if (found === undefined) lost.push(line.movementId);
    const ours = found === undefined ? 'not in our books' : `${found.pence} in our books`;
    differences.push(ofLine(line, merchantId ?? found?.merchant_id ?? null, date, ours));
  }
  return { differences, lost };
}

/**
 * Whether a line is the receiving side on the account of recalls, whose transfer is checked at the wallet that it left, or
 * anything on the fee wallet, from which its owner takes money.
 */
const isOfTheOtherSide = (line: StatementLine): boolean =>
  line.externalReference === FEE_WALLET ||
  (line.externalReference === null && line.kind === 'transfer' && line.direction === 'credit');

function takeGivenBack(line: StatementLine, givenBack: GivenBack[]): boolean {
  if (line.direction !== 'debit') return false;
  const place = givenBack.findIndex(
    (one) => one.issuerWalletId === line.issuerWalletId && one.pence === line.amountPence,
  );
  if (place >= 0) givenBack.splice(place, 1);
  return place >= 0;
}

function ofLine(
  line: StatementLine,
  merchantId: string | null,
  date: Temporal.PlainDate,
  ours: string,
): Difference {
  const sign = line.direction === 'credit' ? 1 : -1;
  return {
    item: `line ${line.lineId}`,
    merchantId,
    date,
    amountPence: sign * line.amountPence,
    what: `${line.kind} ${line.movementId} of ${line.amountPence} (${line.direction}) is ${ours}`,
  };
}

/** Returns our bookings of a day that no line proves. */
export function missingOnStatement(
  bookings: readonly Booking[],
  proven: ReadonlySet<string>,
  date: Temporal.PlainDate,
): Difference[] {
  return bookings
    .filter(({ name }) => !proven.has(name))
    .map((one) => ({
      item: `booking ${one.merchant_id} ${one.name}`,
      merchantId: one.merchant_id,
      date,
      amountPence: COMES_IN.has(one.name.split(' ')[0] ?? '') ? -one.pence : one.pence,
      what: `${one.name} of ${one.pence} is not on the statement`,
    }));
}

const COMES_IN = new Set(['pay_in', 'extra_pay_in', 'pay_out_return']);
