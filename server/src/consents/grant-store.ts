import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db.ts';
import type { ConsentRow } from './store.ts';

/** Stores the grant of a customer who has returned from the bank, unless they have gone to a bank again meanwhile. */
export async function keepGrant(tx: Tx, consent: ConsentRow, grant: string): Promise<void> {
  await tx.run(
    `UPDATE consents SET bank_grant = $3
     WHERE merchant_id = $1 AND consent_id = $2 AND status = 'authorising' AND bank_consent_id = $4`,
    [consent.merchant_id, consent.consent_id, grant, consent.bank_consent_id],
  );
}

/** Stores renewed grants, in consent-id order, so that concurrent batches cannot deadlock. */
export async function saveGrants(
  tx: Tx,
  grants: readonly { merchantId: string; consentId: string; grant: string }[],
): Promise<void> {
  const renewed = [...grants].sort((a, b) => (a.consentId < b.consentId ? -1 : 1));
  await tx.run(
    `UPDATE consents c SET bank_grant = r.bank_grant
     FROM unnest($1::text[], $2::text[], $3::text[]) AS r (merchant_id, consent_id, bank_grant)
     WHERE c.merchant_id = r.merchant_id AND c.consent_id = r.consent_id`,
    columns(renewed, 'merchantId', 'consentId', 'grant'),
  );
}
