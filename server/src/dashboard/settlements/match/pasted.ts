import type { BankLine, BankStatement } from './bank-statement.ts';
import { amountsIn, dayIn } from './bank-values.ts';

/** Reads lines as they are copied from a bank's page: a credit is what has an amount that is not below zero, or none at all. */
export function readPasted(text: string): BankStatement {
  const credits: BankLine[] = [];
  let debits = 0;
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const plain = line.replaceAll(/\s+/g, ' ').trim();
    if (plain === '') continue;
    const amounts = amountsIn(plain);
    const pence = amounts.filter((amount) => amount > 0);
    if (amounts.length > 0 && amounts[0] !== undefined && amounts[0] < 0) debits++;
    else credits.push({ place: `Line ${index + 1}`, date: dayIn(plain), pence, text: plain });
  }
  return { format: 'lines', credits, debits, unread: [], period: null };
}
