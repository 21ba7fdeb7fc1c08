import {
  CamtError,
  inner,
  list,
  type Node,
  optional,
  readAmount,
  readDay,
  text,
  textsIn,
} from './camt-values.ts';

/** An entry of a bank statement. */
export interface CamtEntry {
  /** Its position in the file, for people. */
  place: string;
  direction: 'credit' | 'debit';
  amountPence: number;
  bookedOn: Temporal.PlainDate;
  endToEndId: string | null;
  /** The bank's own name for it. */
  servicerReference: string | null;
  /** What it is for, as the payer and the bank wrote it; absent: neither wrote anything. */
  remittance?: string;
  /** Why it is not split into the payments that it lists; absent: there was nothing to split, or it was. */
  whole?: string;
}

/** A part of a statement that cannot be read, and what is known of it. */
export interface CamtUnread {
  place: string;
  /** Names the element that is missing or wrong. */
  why: string;
  bookedOn: Temporal.PlainDate | null;
  /** By how much it changes the balance; null: that cannot be read. */
  signedPence: number | null;
}

/** The statement of one account. */
export interface CamtStatement {
  /** The account's id in the file: an IBAN, or the bank's own. */
  account: string;
  /** The first and the last London day that it is of; absent: only its entries say. */
  from?: Temporal.PlainDate | undefined;
  to?: Temporal.PlainDate | undefined;
  /** Null: it does not say, or pages are missing. */
  openingPence: number | null;
  closingPence: number | null;
  entries: CamtEntry[];
  /** What of it cannot be read. */
  unread?: CamtUnread[];
  /** Why it is not whole; absent: it is. */
  lacks?: string;
}

/** Statuses of entries that come with another statement once they are booked. */
const NOT_BOOKED = new Set(['PDNG', 'INFO', 'FUTR']);

/**
 * Reads one entry; a batch that lists its payments becomes one entry for each of them, unless their amounts are not all there or
 * do not add up. An entry that is not booked is left out. `ofStatement` is the day of an entry that names none. Never throws.
 */
export function readEntry(
  node: Node,
  path: string,
  ofStatement: Temporal.PlainDate | null,
): { entries: CamtEntry[]; unread: CamtUnread[] } {
  const attempt = tryOut(() => {
    if (!isBooked(node, path)) return [];
    const { pence: amountPence, direction } = readMoney(node, path);
    const bookedOn = dayOf(node, path, ofStatement);
    return split(node, { place: path, direction, amountPence, bookedOn });
  });
  if (typeof attempt !== 'string') return { entries: attempt, unread: [] };
  const money = tryOut(() => readMoney(node, path));
  const day = tryOut(() => dayOf(node, path, ofStatement));
  const signedPence = typeof money === 'string' ? null : signed(money);
  const bookedOn = typeof day === 'string' ? null : day;
  return { entries: [], unread: [{ place: path, why: attempt, bookedOn, signedPence }] };
}

/** Returns what `read` returns, or the message if it cannot be read. */
export function tryOut<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof CamtError) return error.message;
    throw error;
  }
}

function isBooked(node: Node, path: string): boolean {
  if (node.Sts === undefined) throw new CamtError(`${path}/Sts is missing`);
  const status = optional(inner(node, 'Sts'), 'Cd') ?? text(node.Sts);
  if (status !== 'BOOK' && !NOT_BOOKED.has(status))
    throw new CamtError(`${path}/Sts must be BOOK, PDNG, INFO or FUTR`);
  return status === 'BOOK';
}

/** The booking date; where it is absent the value date, and where both are the day of the statement. */
function dayOf(
  node: Node,
  path: string,
  ofStatement: Temporal.PlainDate | null,
): Temporal.PlainDate {
  if (node.BookgDt !== undefined) return readDay(inner(node, 'BookgDt'), `${path}/BookgDt`);
  if (node.ValDt !== undefined) return readDay(inner(node, 'ValDt'), `${path}/ValDt`);
  if (ofStatement === null) throw new CamtError(`${path}/BookgDt is missing`);
  return ofStatement;
}

type Whole = Pick<CamtEntry, 'place' | 'direction' | 'amountPence' | 'bookedOn'>;

function split(node: Node, entry: Whole): CamtEntry[] {
  const details = list(node, 'NtryDtls').flatMap((one) => list(one, 'TxDtls'));
  const own = optional(node, 'AcctSvcrRef');
  if (details.length <= 1) {
    const references = referencesOf(details[0] ?? {});
    const servicerReference = references.servicerReference ?? own;
    return [
      { ...entry, ...references, servicerReference, ...remittanceOf(details[0] ?? {}, node) },
    ];
  }
  const parts = tryOut(() => details.map((one, index) => readPart(one, entry, index)));
  const sum = typeof parts === 'string' ? null : parts.reduce((all, p) => all + p.amountPence, 0);
  if (typeof parts !== 'string' && sum === entry.amountPence) return parts;
  const whole =
    typeof parts === 'string' ? parts : `its ${details.length} TxDtls are ${sum} pence together`;
  return [{ ...entry, endToEndId: null, servicerReference: own, whole }];
}

function readPart(details: Node, entry: Whole, index: number): CamtEntry {
  const place = `${entry.place}/NtryDtls/TxDtls[${index + 1}]`;
  const nested = inner(inner(details, 'AmtDtls'), 'TxAmt');
  const amountPence = readAmount(details.Amt ?? nested.Amt, `${place}/Amt`);
  return { ...entry, place, amountPence, ...referencesOf(details), ...remittanceOf(details) };
}

/** Returns what of a payment, and of an entry of its own, says what it is for: wherever a bank puts it. */
function remittanceOf(details: Node, entry: Node = {}): Pick<CamtEntry, 'remittance'> {
  const words = [details.RmtInf, details.AddtlTxInf, entry.AddtlNtryInf].flatMap(textsIn);
  return words.length === 0 ? {} : { remittance: words.join(' ') };
}

function referencesOf(details: Node): Pick<CamtEntry, 'endToEndId' | 'servicerReference'> {
  const refs = inner(details, 'Refs');
  const id = optional(refs, 'EndToEndId');
  return {
    endToEndId: id === 'NOTPROVIDED' ? null : id,
    servicerReference: optional(refs, 'AcctSvcrRef'),
  };
}

interface Money {
  pence: number;
  direction: 'credit' | 'debit';
}

/** Reads an amount and its side. Throws `CamtError`. */
export function readMoney(node: Node, path: string): Money {
  const pence = readAmount(node.Amt, `${path}/Amt`);
  const indicator = text(node.CdtDbtInd);
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    throw new CamtError(`${path}/CdtDbtInd must be CRDT or DBIT`);
  return { pence, direction: indicator === 'CRDT' ? 'credit' : 'debit' };
}

/** Returns an amount as it changes a balance. */
export const signed = ({ pence, direction }: Money): number =>
  direction === 'credit' ? pence : -pence;
