import type { ConsentStatus } from '../../consents/consent.ts';
import type { Tx } from '../../platform/db/db.ts';

export interface PastConsent {
  consentId: string;
  status: ConsentStatus;
  anotherAccount: boolean;
  bankId: string | null;
  linkExpiresAt: Temporal.Instant;
  createdAt: Temporal.Instant;
  grantedAt: Temporal.Instant | null;
  endedAt: Temporal.Instant | null;
}

/** A schedule has few consents in its life; of more, the newest are shown. */
const MAX_CONSENTS = 100;

/** Returns the consents requested for a schedule, and the one of another schedule that it shares, newest first. */
export function listConsents(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
  sharedId: string | null,
): Promise<PastConsent[]> {
  const columns =
    'consent_id, status, another_account, bank_id, link_expires_at, created_at, granted_at, ended_at';
  return tx.rows<PastConsent>(
    `SELECT ${columns} FROM consents WHERE merchant_id = $1 AND schedule_id = $2
     UNION
     SELECT ${columns} FROM consents WHERE merchant_id = $1 AND consent_id = $3
     ORDER BY created_at DESC, consent_id DESC LIMIT ${MAX_CONSENTS}`,
    [merchantId, scheduleId, sharedId],
  );
}
