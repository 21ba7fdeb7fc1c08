import { formatInstant } from '../../platform/time/calendar.ts';
import { invalid } from '../../platform/values/errors.ts';
import { orderedReference, statementReference } from '../../settlements/settlement.ts';
import { CURRENCY } from '../overview/service.ts';
import { dayOf, rangeOf, todayIn, type ZonedCall } from '../reports/range.ts';
import { entryOf, linesOf, type PayOut, sumsOf } from './journal.ts';
import { findPayOuts } from './journal-store.ts';
import { type AccountQuery, accountsOf, LAYOUTS } from './layouts.ts';
import type { Journal, LayoutName } from './view.ts';

/** What is asked for: by default the last month that is over, or from a day until today. */
export interface JournalQuery extends AccountQuery {
  layout: LayoutName;
  from?: string;
  to?: string;
}

const MAX_DAYS = 372;

/**
 * Returns the settlements paid out on the days of a range, and those that came back, as journals. Throws 400 for a wrong range or
 * account, and for more lines than the program takes in a file.
 */
export async function readJournal(call: ZonedCall, query: JournalQuery): Promise<Journal> {
  const { tx, merchantId, timeZone, now } = call;
  const { layout } = query;
  const accounts = accountsOf(layout, query);
  const today = todayIn(timeZone, now);
  const usual = query.from === undefined ? today.with({ day: 1 }).subtract({ days: 1 }) : today;
  const last = dayOf('to', query.to, usual);
  const first = dayOf('from', query.from, last.with({ day: 1 }));
  const range = rangeOf(first, last, timeZone, MAX_DAYS);
  const found = await findPayOuts(tx, merchantId, range, timeZone);
  const payOuts = found.map((row) => ({
    ...row,
    reference: orderedReference(row),
    statementReference: statementReference(row),
  }));
  const lines = linesOf(payOuts.map((payOut) => entryOf(payOut, accounts)));
  const { program, mostLines } = LAYOUTS[layout];
  if (lines.length > mostLines)
    throw invalid({
      from: `must be later: these days have more than the ${mostLines} lines that ${program} takes in a file`,
    });
  const [paid, back] = [payOuts.filter(isPaid), payOuts.filter((one) => !isPaid(one))];
  return {
    currency: CURRENCY,
    as_of: formatInstant(now),
    layout,
    from: first.toString(),
    to: last.toString(),
    time_zone: timeZone,
    accounts,
    pay_outs: paid.length,
    came_back: back.length,
    paid_out: sumPence(paid) - sumPence(back),
    sums: sumsOf(lines),
    lines,
  };
}

const isPaid = ({ kind }: PayOut): boolean => kind === 'paid_out';

const sumPence = (payOuts: readonly PayOut[]): number =>
  payOuts.reduce((sum, { amountPence }) => sum + amountPence, 0);
