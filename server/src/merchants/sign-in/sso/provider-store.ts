import type { Tx } from '../../../platform/db/db.ts';
import type { Vault } from '../../../platform/vault/vault.ts';

/** A team's registration with its identity provider. */
export interface Registration {
  merchantId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Members other than owners come in by it alone. */
  isRequired: boolean;
}

const context = (merchantId: string): string => `identity_provider:${merchantId}`;

const FIELDS = 'merchant_id, issuer, client_id, client_secret, is_required';

/** Returns a team's registration, or null. */
export async function findRegistration(
  vault: Vault,
  tx: Tx,
  merchantId: string,
): Promise<Registration | null> {
  const row = await tx.row<Registration>(
    `SELECT ${FIELDS} FROM identity_providers WHERE merchant_id = $1`,
    [merchantId],
  );
  return row && { ...row, clientSecret: vault.open(row.clientSecret, context(merchantId)) };
}

/** Inserts a registration. */
export async function insertRegistration(vault: Vault, tx: Tx, r: Registration): Promise<void> {
  await tx.run(
    `INSERT INTO identity_providers (merchant_id, issuer, client_id, client_secret, is_required)
     VALUES ($1, $2, $3, $4, $5)`,
    [
      r.merchantId,
      r.issuer,
      r.clientId,
      vault.seal(r.clientSecret, context(r.merchantId)),
      r.isRequired,
    ],
  );
}

/** Changes the secret and the requirement; the links of the members stay. */
export async function updateRegistration(vault: Vault, tx: Tx, r: Registration): Promise<void> {
  await tx.run(
    'UPDATE identity_providers SET client_secret = $2, is_required = $3 WHERE merchant_id = $1',
    [r.merchantId, vault.seal(r.clientSecret, context(r.merchantId)), r.isRequired],
  );
}

/** Deletes a registration, and with it the links of the members and the sessions that it opened. */
export async function deleteRegistration(tx: Tx, merchantId: string): Promise<boolean> {
  const count = await tx.run('DELETE FROM identity_providers WHERE merchant_id = $1', [merchantId]);
  return count > 0;
}
