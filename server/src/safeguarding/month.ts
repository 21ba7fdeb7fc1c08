import { toDecimal } from '../platform/values/money.ts';
import { reconciliationDays } from './day.ts';
import {
  externalDifference,
  internalDifference,
  type Run,
  requirementOf,
  segregationRequirementOf,
} from './figures.ts';
import type { StoredBreach } from './store.ts';

/** A figure of the monthly return (REP027), with how it was made; `value` null: it is not known here, and `how` says why. */
export interface Figure {
  section: number;
  asks: string;
  value: string | null;
  how: string;
}

/** What the figures of a month are made of. */
export interface MonthFacts {
  /** Its first day. */
  month: Temporal.PlainYearMonth;
  /** The first day that is looked after; null: none was yet. */
  since: Temporal.PlainDate | null;
  /** The last day that is over. */
  until: Temporal.PlainDate;
  runs: readonly Run[];
  breaches: readonly StoredBreach[];
  /** What the register has now, by kind. */
  entries: ReadonlyMap<string, number>;
}

const pounds = (pence: number): string => `£${toDecimal(pence)}`;

const BY_HAND = 'The register has what was entered by hand.';

/** Returns the figures of sections 2 to 9 of the monthly return, as far as the books know them. */
export function monthFigures(facts: MonthFacts): Figure[] {
  return [
    ...requirementFigures(facts),
    ...resourceFigures(facts),
    ...reconciliationFigures(facts),
    ...registerFigures(facts),
  ];
}

const least = (runs: readonly Run[], of: (run: Run) => number): Run | undefined =>
  runs.toSorted((a, b) => of(a) - of(b))[0];

const dated = (run: Run | undefined, pence: (run: Run) => number): string | null =>
  run === undefined ? null : `${pounds(pence(run))} on ${run.date.toString()}`;

function requirementFigures({ runs }: MonthFacts): Figure[] {
  const highest = least(runs, (run) => -requirementOf(run));
  const last = runs.at(-1);
  return [
    {
      section: 2,
      asks: 'Method of safeguarding',
      value: null,
      how: `Which method an account serves is the institution's to say. ${BY_HAND}`,
    },
    {
      section: 2,
      asks: 'Number of clients',
      value: last === undefined ? null : `${last.clients} on ${last.date.toString()}`,
      how: 'Customers and merchants to whom something was owed at the point of the last run of the month.',
    },
    {
      section: 3,
      asks: 'Highest requirement',
      value: dated(highest, requirementOf),
      how: 'The greatest requirement of all runs of the month.',
    },
    {
      section: 3,
      asks: 'Lowest requirement',
      value: dated(least(runs, requirementOf), requirementOf),
      how: 'The least requirement of all runs of the month.',
    },
  ];
}

function resourceFigures({ runs }: MonthFacts): Figure[] {
  const last = runs.at(-1);
  const short = runs.filter(({ recalledPence }) => recalledPence > 0);
  return [
    {
      section: 4,
      asks: 'Held in relevant funds accounts at the e-money issuer',
      value:
        last === undefined || last.issuerPence === null
          ? null
          : `${pounds(last.issuerPence)} on ${last.date.toString()}`,
      how: "The issuer's balances as of the point of the last run of the month, without the operator's own wallet.",
    },
    {
      section: 4,
      asks: 'Held in assets, by insurance, by guarantee',
      value: null,
      how: `Recollect holds none. ${BY_HAND}`,
    },
    {
      section: 5,
      asks: 'Resource against requirement',
      value:
        last === undefined
          ? null
          : `${pounds(last.heldPence)} against ${pounds(requirementOf(last))} on ${last.date.toString()}`,
      how: 'Our own books, of the last run of the month.',
    },
    {
      section: 5,
      asks: 'Days with a shortfall, and the greatest',
      value:
        short.length === 0
          ? '0'
          : `${short.length}, ${dated(
              least(short, (run) => -run.recalledPence),
              (run) => run.recalledPence,
            )}`,
      how: 'What the issuer had paid for recalled pay-ins, and nobody had covered, at the point of each run.',
    },
    {
      section: 5,
      asks: 'Paid in and taken out of own money',
      value: `${pounds(total(runs, (run) => run.paidInPence))} and ${pounds(total(runs, (run) => run.takenOutPence))}`,
      how: 'What the answers to the runs of the month say.',
    },
    {
      section: 6,
      asks: 'D+1 resource against requirement',
      value:
        last === undefined
          ? null
          : `${pounds(last.heldPence)} against ${pounds(segregationRequirementOf(last))} on ${last.date.toString()}`,
      how: 'Without what came in since the previous business day began. The exact formula is not established: ask the auditor.',
    },
  ];
}

const total = (runs: readonly Run[], of: (run: Run) => number): number =>
  runs.reduce((sum, run) => sum + of(run), 0);

function reconciliationFigures({ month, since, until, runs, breaches }: MonthFacts): Figure[] {
  const first = month.toPlainDate({ day: 1 });
  const last = first.with({ day: month.daysInMonth });
  const later = (a: Temporal.PlainDate, b: Temporal.PlainDate) =>
    Temporal.PlainDate.compare(a, b) > 0 ? a : b;
  const to = Temporal.PlainDate.compare(until, last) < 0 ? until : last;
  const days = since === null ? [] : reconciliationDays(later(first, since), to);
  const made = new Set(runs.map(({ date }) => date.toString()));
  const missed = days.map(String).filter((day) => !made.has(day));
  const differing = runs.filter(
    (run) => internalDifference(run) !== 0 || (externalDifference(run) ?? 0) !== 0,
  );
  const unread = runs.filter(({ unknown }) => unknown !== null);
  return [
    {
      section: 7,
      asks: 'Reconciliation days, internal and external reconciliations',
      value: `${days.length} days, ${made.size} internal, ${made.size - unread.length} external`,
      how: 'Business days that are over, and the runs of the month; an external one could read the issuer.',
    },
    {
      section: 7,
      asks: 'Days without a reconciliation',
      value: missed.length === 0 ? 'none' : missed.join(', '),
      how: 'Reconciliation days on which no run was made.',
    },
    {
      section: 7,
      asks: 'Days on which the two sides differed',
      value:
        differing.length === 0 ? 'none' : differing.map(({ date }) => date.toString()).join(', '),
      how: 'Apart from timing, which each run states.',
    },
    {
      section: 9,
      asks: 'Breaches in the register, and of these not explained',
      value: `${breaches.length}, ${breaches.filter(({ explanation }) => explanation === null).length}`,
      how: 'By the time by which they ought to have been done. Which of them is notifiable is for a person to say.',
    },
  ];
}

function registerFigures({ entries }: MonthFacts): Figure[] {
  const count = (kind: string): string => String(entries.get(kind) ?? 0);
  return [
    {
      section: 8,
      asks: 'Accounts and acknowledgement letters',
      value: `${count('account')} and ${count('letter')}`,
      how: `${BY_HAND} The rule asks for one letter for each account.`,
    },
    {
      section: 1,
      asks: 'Firm, category, auditor',
      value: null,
      how: 'Not in these books.',
    },
  ];
}
