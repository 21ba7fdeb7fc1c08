/** A credit of a bank statement, as far as it can be read. */
export interface BankLine {
  /** Where it stands, for people: `Line 7`, or the element of a camt.053 file. */
  place: string;
  /** Null: it names no day that can be read. */
  date: Temporal.PlainDate | null;
  /** What may be its amount: a pasted line can have several; empty: none can be read. */
  pence: number[];
  text: string;
}

/** What a bank statement holds. */
export interface BankStatement {
  format: 'camt' | 'table' | 'lines';
  credits: BankLine[];
  /** How many lines are payments out of the account. */
  debits: number;
  /** Lines that cannot be read, each with the reason. */
  unread: { place: string; why: string }[];
  /** The days that the statement says it is of; null: only its lines say. */
  period: { from: Temporal.PlainDate; to: Temporal.PlainDate } | null;
}
