import type { Tx } from '../db/db.ts';

/** A person who gets a notice by email. */
export interface EmailReader {
  name: string;
  email: string;
}

/** A customer who gets a notice as a text message; `phone` is E.164. */
export interface TextReader {
  name: string;
  phone: string;
}

/** A person who gets a notice. */
export type Reader = EmailReader | TextReader;

/** Whether a notice goes to this reader as a text message, and not by email. */
export const isByText = (reader: Reader): reader is TextReader => 'phone' in reader;

/** Something that people are told by email or text message, whatever they have open. */
export interface NewNotice {
  merchantId: string;
  kind: string;
  /** What caused it. For one kind and one cause each reader gets one notice. */
  causeId: string;
  /** Absent, and no customer: the members of the merchant's team whose roles the kind names. */
  to?: EmailReader;
  /**
   * The customer of this schedule, if they can be reached and the kind is on for the merchant; `isAsked`: somebody
   * asked for this very notice, so it goes out whatever is turned on; `hasAgreed`: only if they have agreed to it at some
   * time. `description` and, without a `url`, the link to the
   * customer's page are added to the facts.
   */
  customer?: { scheduleId: string; isAsked?: boolean; hasAgreed?: boolean };
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
