import type { Tx } from './db.ts';

/** A person who gets a notice. */
export interface Reader {
  name: string;
  email: string;
}

/** Something that people are told by email, whatever they have open. */
export interface NewNotice {
  merchantId: string;
  kind: string;
  /** What caused it. For one kind and one cause each reader gets one notice. */
  causeId: string;
  /** Absent: the members of the merchant's team whose roles the kind names. */
  to?: Reader;
  /** The member of the team whom it is about: their name and address are added to the facts. */
  memberId?: string;
  /** What its sentences need. `by` (who did it) is added where the team is told. */
  facts: Readonly<Record<string, string>>;
}

/**
 * Writes notices in the transaction of their cause, to be sent after it; returns how many it wrote. A slice after the causes has
 * the sentences, so app passes the function in.
 */
export type Notify = (
  tx: Tx,
  at: Temporal.Instant,
  notices: readonly NewNotice[],
) => Promise<number>;
