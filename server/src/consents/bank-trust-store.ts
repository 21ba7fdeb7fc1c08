import type { Tx } from '../platform/db/db.ts';
import { endDistrust } from './check-store.ts';

/** The state of a bank's consents, as shown to an operator. */
export interface BankState {
  bankId: string;
  consentsGranted: number;
  /** A first check found them over; no payment order is sent under them until a second check. */
  consentsInDoubt: number;
  consentsSuspended: number;
  /** Since when its responses about consents are ignored; null: they are acted on. */
  distrustedSince: Temporal.Instant | null;
  /** Bank consents whose deletion the bank has not confirmed yet, and since when the oldest has waited. */
  deletionsWaiting: number;
  oldestDeletion: Temporal.Instant | null;
}

/** Reads the state of every bank that has consents. */
export function bankStates(tx: Tx): Promise<BankState[]> {
  return tx.rows<BankState>(
    `SELECT b.bank_id, b.consents_granted, b.consents_in_doubt, b.consents_suspended, d.since AS distrusted_since,
       coalesce(r.waiting, 0) AS deletions_waiting, r.oldest AS oldest_deletion
     FROM (SELECT bank_id, count(*) FILTER (WHERE status = 'granted') AS consents_granted,
             count(*) FILTER (WHERE status = 'granted' AND doubted_at IS NOT NULL) AS consents_in_doubt,
             count(*) FILTER (WHERE status = 'granted' AND suspended_at IS NOT NULL) AS consents_suspended
           FROM consents WHERE bank_id IS NOT NULL GROUP BY bank_id) b
     LEFT JOIN bank_distrusts d ON d.bank_id = b.bank_id AND d.ended_at IS NULL
     LEFT JOIN (SELECT bank_id, count(*) AS waiting, min(created_at) AS oldest FROM bank_revocations
                WHERE due_at IS NOT NULL GROUP BY bank_id) r ON r.bank_id = b.bank_id
     ORDER BY b.bank_id`,
    [],
  );
}

/**
 * Resumes acting on a bank's responses about consents, on an operator's request, and schedules a check of its doubted consents
 * now. Returns false if the bank was trusted already.
 */
export function trustBank(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  reason: string,
): Promise<boolean> {
  return endDistrust(tx, now, bankId, reason);
}
