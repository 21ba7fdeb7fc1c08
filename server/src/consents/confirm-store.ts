import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';
import { CONSENT_COLUMNS, type ConsentRow } from './store.ts';

/** Consents that their customers confirm again at the bank: docs/rules/consents.md#renewed-authentication. */

/** Records that the customer goes to the bank to confirm a locked consent. An earlier journey no longer counts. */
export async function markConfirming(
  tx: Tx,
  { merchantId, consentId }: ConsentRow,
  stateHash: Buffer,
  nonce: string,
): Promise<void> {
  await tx.run(
    'UPDATE consents SET confirm_state_hash = $3, confirm_nonce = $4 WHERE merchant_id = $1 AND consent_id = $2',
    [merchantId, consentId, stateHash, nonce],
  );
}

/** A consent whose customer went to the bank to confirm it. */
export interface ConfirmingRow extends ConsentRow {
  confirmNonce: string | null;
}

/** Returns the consent by the hash of the state with which its customer went to confirm it, without locking it. */
export const findConfirming = rowBy<ConfirmingRow, Buffer>(
  `SELECT ${CONSENT_COLUMNS}, confirm_nonce FROM consents WHERE merchant_id = $1 AND confirm_state_hash = $2`,
);

/** Records that the customer confirmed a locked consent: stores the new grant, and checks at the bank once more. */
export async function markConfirmed(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, consentId }: ConsentRow,
  grant: string,
): Promise<void> {
  await tx.run(
    `WITH granted AS (
       UPDATE bank_grants SET bank_grant = $3, revision = gen_random_uuid(), renewing_until = NULL
       WHERE merchant_id = $1 AND consent_id = $2
     )
     UPDATE consents SET suspended_at = NULL, confirm_asked_at = NULL, confirm_nonce = NULL, look_again_at = $4, look_tries = 0
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, grant, now],
  );
}
