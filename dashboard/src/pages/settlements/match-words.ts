import type { StatementMatches } from '../../../../server/src/dashboard/settlements/match/view.ts';
import { dayWords } from '../../ui/values/days.ts';
import { countWords } from '../overview/figures.ts';

/** Returns what a comparison found, in a sentence: "3 of 4 credits are settlements, 1 matched only by amount and date." */
export function foundText({ matched, unmatched }: StatementMatches): string {
  const credits = matched.length + unmatched.length;
  const guesses = matched.filter(({ by }) => by === 'amount_and_day').length;
  const are = matched.length === 1 ? 'is a settlement' : 'are settlements';
  const guessed = guesses === 0 ? '' : `, ${guesses} matched only by amount and date`;
  return `${matched.length} of ${countWords(credits, 'credit')} ${are}${guessed}.`;
}

/** Returns the days that were compared. */
export function periodText(period: StatementMatches['period']): string {
  if (period === null) return 'No line names its day, so we cannot say what is missing.';
  if (period.from === period.to) return `Paid out on ${dayWords(period.from, 'medium')}.`;
  return `Paid out from ${dayWords(period.from, 'medium')} to ${dayWords(period.to, 'medium')}.`;
}
