import type { Tx } from '../../../platform/db/db.ts';

/** A passkey of a user. Instants are real time. */
export interface Passkey {
  /** The authenticator's id for it, base64url. */
  credentialId: string;
  userId: string;
  name: string;
  publicKey: Buffer;
  /** How many signatures it has made; 0 if the authenticator does not count. */
  counter: number;
  transports: string[];
  backedUp: boolean;
  createdAt: Temporal.Instant;
  lastUsedAt: Temporal.Instant | null;
}

const COLUMNS =
  'credential_id, user_id, name, public_key, counter, transports, backed_up, created_at, last_used_at';

/** Returns a user's passkeys, newest first. */
export function listPasskeys(tx: Tx, userId: string): Promise<Passkey[]> {
  return tx.rows<Passkey>(
    `SELECT ${COLUMNS} FROM passkeys WHERE user_id = $1 ORDER BY created_at DESC, credential_id`,
    [userId],
  );
}

/** Locks and returns the passkey, or null. */
export function lockPasskey(tx: Tx, credentialId: string): Promise<Passkey | null> {
  return tx.row<Passkey>(`SELECT ${COLUMNS} FROM passkeys WHERE credential_id = $1 FOR UPDATE`, [
    credentialId,
  ]);
}

/** Inserts a passkey; returns false if its credential id exists already. */
export async function insertPasskey(tx: Tx, p: Passkey): Promise<boolean> {
  const count = await tx.run(
    `INSERT INTO passkeys (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (credential_id) DO NOTHING`,
    [
      p.credentialId,
      p.userId,
      p.name,
      p.publicKey,
      p.counter,
      p.transports,
      p.backedUp,
      p.createdAt,
      p.lastUsedAt,
    ],
  );
  return count > 0;
}

/** Records a use. */
export async function notePasskeyUse(
  tx: Tx,
  credentialId: string,
  use: { counter: number; backedUp: boolean; at: Temporal.Instant },
): Promise<void> {
  await tx.run(
    'UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = $4 WHERE credential_id = $1',
    [credentialId, use.counter, use.backedUp, use.at],
  );
}

/** Renames a passkey of this user; returns whether it exists. */
export async function renamePasskey(
  tx: Tx,
  userId: string,
  credentialId: string,
  name: string,
): Promise<boolean> {
  const count = await tx.run(
    'UPDATE passkeys SET name = $3 WHERE user_id = $1 AND credential_id = $2',
    [userId, credentialId, name],
  );
  return count > 0;
}

/** Deletes a passkey of this user; returns whether it existed. */
export async function deletePasskey(
  tx: Tx,
  userId: string,
  credentialId: string,
): Promise<boolean> {
  const count = await tx.run('DELETE FROM passkeys WHERE user_id = $1 AND credential_id = $2', [
    userId,
    credentialId,
  ]);
  return count > 0;
}

/** Deletes every passkey of this user. */
export async function deletePasskeysOf(tx: Tx, userId: string): Promise<void> {
  await tx.run('DELETE FROM passkeys WHERE user_id = $1', [userId]);
}

/** Stores a challenge, which the browser that asked for it may answer once. */
export async function insertChallenge(
  tx: Tx,
  c: { id: string; identifier: string; value: string; expiresAt: Temporal.Instant },
  at: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [c.id, c.identifier, c.value, c.expiresAt, at],
  );
}

/** Removes a challenge and returns it; null if none can still be answered. */
export async function consumeChallenge(
  tx: Tx,
  identifier: string,
  now: Temporal.Instant,
): Promise<string | null> {
  const row = await tx.row<{ value: string }>(
    'DELETE FROM verifications WHERE identifier = $1 AND expires_at > $2 RETURNING value',
    [identifier, now],
  );
  return row?.value ?? null;
}
