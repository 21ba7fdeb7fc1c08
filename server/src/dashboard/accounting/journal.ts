import type { Journal } from './view.ts';

/** What a settlement is made of, in pence: `amount` is `gross` and what is given back, less everything else. */
export interface SettledParts {
  amountPence: number;
  grossPence: number;
  feesPence: number;
  /** What the merchant owed for recalled payments. */
  carriedPence: number;
  /** What refunds took. */
  refundsPence: number;
  /** What failed refunds gave back, also in part and by hand. */
  refundsBackPence: number;
  /** Of earlier pay-outs: it came back, and was credited by hand. */
  cameBackPence: number;
  /** What else was credited by hand: neither a settlement nor a refund was it. */
  otherPence: number;
}

/** A pay-out that reached the merchant's bank account, or came back from it. */
export interface PayOut extends SettledParts {
  kind: 'paid_out' | 'came_back';
  /** Under which its settlement is ordered: fixed, and no other settlement of the merchant has it. */
  reference: string;
  /** What stands on the merchant's bank statement: the issuer may name another one later. */
  statementReference: string;
  /** Which pay-out of its settlement it is, from 1: what came back may be paid out again. */
  nth: number;
  /** In the merchant's time zone. */
  day: Temporal.PlainDate;
}

/** The account of each part. */
export type Accounts = Readonly<Journal['accounts']>;
export type AccountUse = keyof Accounts;

/** A journal of one pay-out. */
export interface JournalEntry {
  /** No other entry has it, and it never changes. QuickBooks takes 21 characters: `-2R` after the longest reference, of 18. */
  number: string;
  narration: string;
  day: Temporal.PlainDate;
  lines: readonly JournalLine[];
}

export interface JournalLine {
  account: string;
  text: string;
  /** Above zero: a debit; below: a credit. */
  pence: number;
}

interface Part {
  of: keyof SettledParts;
  account: AccountUse;
  side: 'debit' | 'credit';
  text: string;
}

const PARTS: readonly Part[] = [
  { of: 'amountPence', account: 'bank', side: 'debit', text: 'Paid out' },
  { of: 'feesPence', account: 'fees', side: 'debit', text: 'Fees' },
  { of: 'refundsPence', account: 'refunds', side: 'debit', text: 'Refunds' },
  { of: 'carriedPence', account: 'recalls', side: 'debit', text: 'Recalled payments' },
  { of: 'grossPence', account: 'payments', side: 'credit', text: 'Payments collected' },
  {
    of: 'refundsBackPence',
    account: 'refunds',
    side: 'credit',
    text: 'Failed refunds given back',
  },
  { of: 'cameBackPence', account: 'bank', side: 'credit', text: 'Earlier pay-out that came back' },
  { of: 'otherPence', account: 'payments', side: 'credit', text: 'Other money credited' },
];

/**
 * Returns the journal of a pay-out: the bank has what was paid out, to the penny. One that came back has the same lines on the
 * other sides. Throws where debits and credits differ, because its settlement is not the sum of its parts. See
 * docs/rules/settlements.md#accounting-files.
 */
export function entryOf(payOut: PayOut, accounts: Accounts): JournalEntry {
  const { kind, reference, statementReference, nth, day } = payOut;
  const isBack = kind === 'came_back';
  const name = nth === 1 ? reference : `${reference}-${nth}`;
  const lines = PARTS.filter(({ of }) => payOut[of] !== 0).map(({ of, account, side, text }) => ({
    account: accounts[account],
    text,
    pence: (side === 'debit') === isBack ? -payOut[of] : payOut[of],
  }));
  const sum = lines.reduce((all, { pence }) => all + pence, 0);
  if (sum !== 0) throw new Error(`the journal of ${name} is out of balance by ${sum} pence`);
  const seen = statementReference === reference ? '' : ` (${statementReference})`;
  return {
    number: isBack ? `${name}${nth === 1 ? '-R' : 'R'}` : name,
    narration: isBack ? `Pay-out ${name} came back${seen}` : `Settlement ${name}${seen}`,
    day,
    lines,
  };
}

/** Returns the lines of entries, each with its entry, in their order. */
export const linesOf = (entries: readonly JournalEntry[]): Journal['lines'] =>
  entries.flatMap(({ number, narration, day, lines }) =>
    lines.map(({ account, text, pence }) => ({
      date: day.toString(),
      number,
      narration,
      account,
      text,
      debit: Math.max(pence, 0),
      credit: Math.max(-pence, 0),
    })),
  );

/** Returns what each account is debited and credited with, in the order of the lines. */
export const sumsOf = (lines: Journal['lines']): Journal['sums'] =>
  [...Map.groupBy(lines, ({ account }) => account)].map(([account, own]) => ({
    account,
    debit: own.reduce((sum, { debit }) => sum + debit, 0),
    credit: own.reduce((sum, { credit }) => sum + credit, 0),
  }));
