import type { Tx } from '../platform/db/db.ts';
import type { ConsentRef, ConsentStatus, StoredControlParameters } from './consent.ts';
import { WITHOUT_GRANT } from './grant-store.ts';

/** The status changes of consents, and nothing else. The caller has locked the consent. */

export interface AtBank {
  bankId: string;
  bankConsentId: string;
  initiation: string;
  controlParameters: StoredControlParameters;
  stateHash: Buffer;
  nonce: string;
}

export async function markAuthorising(
  tx: Tx,
  merchantId: string,
  consentId: string,
  b: AtBank,
): Promise<void> {
  await tx.run(
    `${WITHOUT_GRANT}
     UPDATE consents SET status = 'authorising', bank_id = $3, bank_consent_id = $4, initiation = $5,
       control_parameters = $6::jsonb, state_hash = $7, nonce = $8
     WHERE merchant_id = $1 AND consent_id = $2`,
    [
      merchantId,
      consentId,
      b.bankId,
      b.bankConsentId,
      b.initiation,
      JSON.stringify(b.controlParameters),
      b.stateHash,
      b.nonce,
    ],
  );
}

export async function markAuthorised(
  tx: Tx,
  { merchantId, consentId }: ConsentRef,
  grant: string,
  paying: { sealed: string; ending: string } | null,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `WITH granted AS (
       INSERT INTO bank_grants (merchant_id, consent_id, bank_grant) VALUES ($1, $2, $3)
       ON CONFLICT (merchant_id, consent_id) DO UPDATE SET bank_grant = excluded.bank_grant
     )
     UPDATE consents SET status = 'authorised', due_at = $4, nonce = NULL, paying_account = $5, paying_account_ending = $6
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, grant, now, paying?.sealed ?? null, paying?.ending ?? null],
  );
}

/** Resets the link to its state before the customer went to the bank. */
export async function markPending(tx: Tx, merchantId: string, consentId: string): Promise<void> {
  await tx.run(
    `${WITHOUT_GRANT}
     UPDATE consents SET status = 'pending', bank_id = NULL, bank_consent_id = NULL, initiation = NULL,
       control_parameters = NULL, state_hash = NULL, nonce = NULL, due_at = link_expires_at
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId],
  );
}

export async function markGranted(
  tx: Tx,
  merchantId: string,
  consentId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET status = 'granted', granted_at = $3, due_at = NULL WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, now],
  );
}

/** Ends a consent. Its grant is kept: a payment already at the bank may still have to be queried. */
export async function markEnded(
  tx: Tx,
  merchantId: string,
  consentId: string,
  status: ConsentStatus,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET status = $3, ended_at = $4, due_at = NULL, nonce = NULL, look_again_at = NULL,
       doubted_at = CASE WHEN $3 = 'replaced' THEN NULL ELSE doubted_at END
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, status, now],
  );
}

/** Points an open link at newer terms; of an authorisation begun under the older ones, only the state is kept. */
export async function retarget(
  tx: Tx,
  merchantId: string,
  consentId: string,
  termsVersion: number,
): Promise<void> {
  await tx.run(
    `${WITHOUT_GRANT}
     UPDATE consents SET left_state_hash = coalesce(state_hash, left_state_hash),
       left_terms_version = CASE WHEN state_hash IS NULL THEN left_terms_version ELSE terms_version END,
       terms_version = $3, status = 'pending', bank_id = NULL, bank_consent_id = NULL,
       initiation = NULL, control_parameters = NULL, state_hash = NULL, nonce = NULL, due_at = link_expires_at
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, termsVersion],
  );
}
