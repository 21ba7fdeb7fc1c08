import { invalid } from '../../../platform/values/errors.ts';
import { CamtError, readCamtFiles } from '../../../wallets/camt.ts';
import type { BankStatement } from './bank-statement.ts';
import { readPasted } from './pasted.ts';
import { readTable } from './table.ts';

/** How many lines are compared at once. */
const MAX_LINES = 5000;

/**
 * Reads what somebody pasted or dropped: a camt.053 file, a CSV with a heading that names a date and an amount, or lines
 * as a bank's page shows them. Throws 400 with `details.statement` for what is none of these.
 */
export function readStatement(text: string): BankStatement {
  const bare = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (bare.trim() === '') throw invalid({ statement: 'is empty' });
  if (bare.includes('\0'))
    throw invalid({ statement: 'is no text: save it as CSV, or as camt.053, and send that' });
  const isXml = bare.trimStart().startsWith('<');
  const read = isXml ? readXml(bare.trim()) : (readTable(bare) ?? readPasted(bare));
  if (read.credits.length + read.debits + read.unread.length > MAX_LINES)
    throw invalid({ statement: `has more than ${MAX_LINES} lines: send it in parts` });
  return read;
}

function readXml(xml: string): BankStatement {
  try {
    const { statements } = readCamtFiles([xml]);
    const entries = statements.flatMap((one) => one.entries);
    const credits = entries.filter(({ direction }) => direction === 'credit');
    const days = statements.flatMap(({ from, to }) => [from, to].filter((day) => day != null));
    days.sort(Temporal.PlainDate.compare);
    const [from, to] = [days[0], days.at(-1)];
    return {
      format: 'camt',
      credits: credits.map((entry) => ({
        place: shortPlace(entry.place),
        date: entry.bookedOn,
        pence: [entry.amountPence],
        text: [entry.remittance, entry.endToEndId, entry.servicerReference]
          .filter((one) => one != null)
          .join(' '),
      })),
      debits: entries.length - credits.length,
      unread: statements.flatMap(({ unread = [] }) =>
        unread.map(({ place, why }) => ({ place: shortPlace(place), why })),
      ),
      period: from === undefined || to === undefined ? null : { from, to },
    };
  } catch (error) {
    if (error instanceof CamtError)
      throw invalid({ statement: `cannot be read: ${error.message}` });
    throw error;
  }
}

/** `Document/BkToCstmrStmt/Stmt[1]/Ntry[7]` is `Stmt[1]/Ntry[7]`. */
const shortPlace = (place: string): string => place.replace('Document/BkToCstmrStmt/', '');
