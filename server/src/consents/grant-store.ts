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
     INSERT INTO bank_grants (merchant_id, consent_id, bank_grant, revision)
     SELECT merchant_id, consent_id, $3, gen_random_uuid() FROM consent
     ON CONFLICT (merchant_id, consent_id)
     DO UPDATE SET bank_grant = excluded.bank_grant, revision = excluded.revision, renewing_until = NULL`,
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

/** A stored grant. `revision` names it as it was read: null for one that was never renewed. */
export interface GrantRef {
  merchantId: string;
  consentId: string;
  revision: string | null;
}

/**
 * Claims the renewal of grants until a moment, each as `claim`: a bank may take a refresh token once. Returns the consents whose
 * grant is still the one that was read, and is renewed by nobody else. Rows are locked in primary-key order, so that concurrent
 * batches cannot deadlock.
 */
export async function claimRenewals(
  tx: Tx,
  now: Temporal.Instant,
  until: Temporal.Instant,
  grants: readonly (GrantRef & { claim: string })[],
): Promise<Set<string>> {
  await lockGrants(tx, grants);
  const claimed = await tx.rows<{ consentId: string }>(
    `UPDATE bank_grants g SET revision = r.claim, renewing_until = $6
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r (merchant_id, consent_id, revision, claim)
     WHERE g.merchant_id = r.merchant_id AND g.consent_id = r.consent_id AND g.revision IS NOT DISTINCT FROM r.revision
       AND (g.renewing_until IS NULL OR g.renewing_until <= $5)
     RETURNING g.consent_id`,
    [...columns(grants, 'merchantId', 'consentId', 'revision', 'claim'), now, until],
  );
  return new Set(claimed.map(({ consentId }) => consentId));
}

/** Stores renewed grants in the same order. Returns the consents whose grant was still the one that was read or claimed. */
export async function saveGrants(
  tx: Tx,
  grants: readonly (GrantRef & { grant: string })[],
): Promise<Set<string>> {
  await lockGrants(tx, grants);
  const saved = await tx.rows<{ consentId: string }>(
    `UPDATE bank_grants g SET bank_grant = r.bank_grant, renewing_until = NULL
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r (merchant_id, consent_id, revision, bank_grant)
     WHERE g.merchant_id = r.merchant_id AND g.consent_id = r.consent_id AND g.revision IS NOT DISTINCT FROM r.revision
     RETURNING g.consent_id`,
    columns(grants, 'merchantId', 'consentId', 'revision', 'grant'),
  );
  return new Set(saved.map(({ consentId }) => consentId));
}

/** Locks grants in primary-key order: an update that joins them locks its rows in whatever order its plan has. */
async function lockGrants(tx: Tx, grants: readonly GrantRef[]): Promise<void> {
  await tx.run(
    `SELECT 1 FROM bank_grants WHERE (merchant_id, consent_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, consent_id FOR UPDATE`,
    columns(grants, 'merchantId', 'consentId'),
  );
}
