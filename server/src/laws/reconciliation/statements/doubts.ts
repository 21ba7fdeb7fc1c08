import type { Issuer } from '../../../wallets/issuer.ts';
import { pages } from '../../findings/pages.ts';
import type { Difference } from '../difference.ts';
import { londonDay } from '../london-day.ts';
import type { Claim } from './claims.ts';
import { candidatesOf, named } from './statement-lines.ts';

const PAGE = 500;

/** How long before the booking its own line may be on a statement. */
const DAYS_BEFORE = 7;
/** A line and its booking this close together belong together, on whichever side of midnight each is. */
const MATCH_WINDOW = Temporal.Duration.from({ hours: 1 });

/** A line that matches a booking of another day; it is one too many if a statement has another line for the same booking. */
export interface Doubt {
  claim: Claim;
  /** The day of the booking, and the other days whose statements may have its own line. */
  bookedOn: Temporal.PlainDate;
  others: Temporal.PlainDate[];
  /** What is reported if there is another line. */
  second: { difference: Difference; lost: string | null };
}

/** Returns the doubt about a line of a day that matches a claim; null: the claim was booked on the same day. */
export function doubtOf(
  claim: Claim,
  date: Temporal.PlainDate,
  at: Temporal.Instant | null,
  second: Doubt['second'],
): Doubt | null {
  const days = claim.at.map(londonDay);
  const [bookedOn] = days;
  if (bookedOn === undefined || days.some((day) => day.equals(date))) return null;
  const isClose = (one: Temporal.Instant): boolean =>
    at !== null && Temporal.Duration.compare(one.since(at).abs(), MATCH_WINDOW) <= 0;
  const others: Temporal.PlainDate[] = [];
  if (!claim.at.some(isClose))
    for (let back = 1; back <= DAYS_BEFORE; back += 1) others.push(date.subtract({ days: back }));
  return { claim, bookedOn, others: others.filter((day) => !day.equals(bookedOn)), second };
}

/**
 * Reads the statements of the other days, and returns the lines that are one too many there. Throws `IssuerUnavailable`.
 */
export async function findSeconds(
  issuer: Issuer,
  date: Temporal.PlainDate,
  doubts: readonly Doubt[],
): Promise<{ differences: Difference[]; lost: string[] }> {
  const open = new Set(doubts);
  const found: Doubt[] = [];
  const days = new Map(
    doubts
      .flatMap(({ bookedOn, others }) => [bookedOn, ...others])
      .filter((day) => !day.equals(date))
      .map((day) => [day.toString(), day]),
  );
  for (const day of days.values()) {
    const here = [...open].filter((doubt) =>
      [doubt.bookedOn, ...doubt.others].some((one) => one.equals(day)),
    );
    const seen = here.length === 0 ? new Set() : await claimsOn(issuer, day, here);
    for (const doubt of here)
      if (seen.has(doubt.claim.key)) {
        open.delete(doubt);
        found.push(doubt);
      }
  }
  return {
    differences: found.map(({ second }) => second.difference),
    lost: found.flatMap(({ second }) => second.lost ?? []),
  };
}

/** Returns the keys of the claims for which the statement of a day has a line. */
async function claimsOn(
  issuer: Issuer,
  day: Temporal.PlainDate,
  doubts: readonly Doubt[],
): Promise<Set<string>> {
  const claims = doubts.map(({ claim }) => claim);
  const keys = new Set<string>();
  for await (const page of pages(issuer.listStatement(day), PAGE))
    for (const { tiers } of candidatesOf(page.map(named), claims))
      for (const { key } of tiers.flat()) keys.add(key);
  return keys;
}
