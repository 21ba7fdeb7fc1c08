import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import type { ConsentRow } from './store.ts';

/**
 * The sealed grants of consents. They are in a table of their own, because a renewed token must not write the row of its
 * consent with all its indexes.
 */

/** Deletes the grant of a consent whose journey to the bank begins again. */
export async function deleteGrant(
  tx: Tx,
  { merchantId, consentId }: Pick<ConsentRow, 'merchantId' | 'consentId'>,
): Promise<void> {
  await tx.run('DELETE FROM bank_grants WHERE merchant_id = $1 AND consent_id = $2', [
    merchantId,
    consentId,
  ]);
}

/** Stores the grant of a customer who has returned from the bank, unless they have gone to a bank again meanwhile. */
export async function saveGrant(tx: Tx, consent: ConsentRow, grant: string): Promise<void> {
  await tx.run(
    `WITH consent AS (
       SELECT merchant_id, consent_id FROM consents
       WHERE merchant_id = $1 AND consent_id = $2 AND status = 'authorising' AND bank_consent_id = $4 FOR UPDATE
     )
     INSERT INTO bank_grants (merchant_id, consent_id, bank_grant) SELECT merchant_id, consent_id, $3 FROM consent
     ON CONFLICT (merchant_id, consent_id) DO UPDATE SET bank_grant = excluded.bank_grant`,
    [consent.merchantId, consent.consentId, grant, consent.bankConsentId],
  );
}

/** Returns the sealed grant of a consent, if it still has the same consent at the bank. */
export async function findGrant(
  tx: Tx,
  consent: { merchantId: string; consentId: string; bankConsentId: string | null },
): Promise<string | null> {
  const row = await tx.row<{ bankGrant: string }>(
    `SELECT g.bank_grant FROM bank_grants g JOIN consents c USING (merchant_id, consent_id)
     WHERE g.merchant_id = $1 AND g.consent_id = $2 AND c.bank_consent_id = $3`,
    [consent.merchantId, consent.consentId, consent.bankConsentId],
  );
  return row?.bankGrant ?? null;
}

/** Stores renewed grants, in consent-id order, so that concurrent batches cannot deadlock. */
export async function saveGrants(
  tx: Tx,
  grants: readonly { merchantId: string; consentId: string; grant: string }[],
): Promise<void> {
  const renewed = [...grants].sort((a, b) => (a.consentId < b.consentId ? -1 : 1));
  await tx.run(
    `UPDATE bank_grants g SET bank_grant = r.bank_grant
     FROM unnest($1::text[], $2::text[], $3::text[]) AS r (merchant_id, consent_id, bank_grant)
     WHERE g.merchant_id = r.merchant_id AND g.consent_id = r.consent_id`,
    columns(renewed, 'merchantId', 'consentId', 'grant'),
  );
}
