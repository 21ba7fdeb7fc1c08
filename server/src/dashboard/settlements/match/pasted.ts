import type { BankLine, BankStatement } from './bank-statement.ts';
import { amountsIn, dayIn, isDebit } from './bank-values.ts';

/** Reads lines as they are copied from a bank's page: a credit is what has an amount that is not below zero, or none at all. */
export function readPasted(text: string): BankStatement {
  const credits: BankLine[] = [];
  let debits = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const plain = line.replaceAll(/\s+/g, ' ').trim();
    if (plain === '') continue;
    const amounts = amountsIn(line);
    const pence = amounts.filter((amount) => amount > 0);
    const [first = 0] = amounts;
    if (first < 0 || (first > 0 && isMarked(line))) debits++;
    else credits.push({ place: `Line ${index + 1}`, date: dayIn(plain), pence, text: plain });
  }
  return { format: 'lines', credits, debits, unread: [], period: null };
}

/** Whether a cell before or behind the first amount marks it as a debit; one behind another amount speaks of the balance. */
function isMarked(line: string): boolean {
  const cells = line.split(/[\t,;]|\s{2,}/);
  const amount = cells.findIndex((cell) => amountsIn(cell).length > 0);
  return cells.slice(0, amount + 2).some(isDebit);
}
