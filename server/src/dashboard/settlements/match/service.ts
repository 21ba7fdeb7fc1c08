import type { Asked } from '../../../platform/platform.ts';
import type { BankLine } from './bank-statement.ts';
import { readStatement } from './lines.ts';
import { type Expected, matchStatement, periodOf } from './match.ts';
import { findExpected } from './store.ts';
import type { StatementMatches } from './view.ts';

const money = (value: number) => ({ value, currency: 'GBP' });

/**
 * Finds the settlement of each credit of a bank statement, and what is left on both sides. Nothing is stored. Throws 400 with
 * `details.statement` for what is no statement.
 */
export async function matchSettlements(
  { tx, merchantId }: Asked,
  text: string,
): Promise<StatementMatches> {
  const statement = readStatement(text);
  const period = statement.period ?? periodOf(statement.credits);
  const expected = await findExpected(tx, merchantId, period);
  const found = matchStatement(statement, expected);
  return {
    format: statement.format,
    period: found.period && { from: `${found.period.from}`, to: `${found.period.to}` },
    matched: found.matched.map(({ line, settlement, by, isRepeated, isOtherAmount }) => ({
      line: viewLine(line, settlement),
      settlement: viewExpected(settlement),
      by,
      repeated: isRepeated,
      other_amount: isOtherAmount,
    })),
    unmatched: found.unmatched.map((line) => viewLine(line, null)),
    missing: found.missing.map(viewExpected),
    unread: found.unread,
    debits: statement.debits,
  };
}

/** A pasted line with several amounts is shown with that of its settlement, or else the first. */
function viewLine({ place, date, pence, text }: BankLine, of: Expected | null) {
  const amount = of !== null && pence.includes(of.pence) ? of.pence : pence[0];
  return {
    place,
    date: date === null ? null : `${date}`,
    amount: amount === undefined ? null : money(amount),
    text,
  };
}

const viewExpected = ({ settlementId, reference, pence, day }: Expected) => ({
  id: settlementId,
  statement_reference: reference,
  amount: money(pence),
  date: `${day}`,
});
