import type { Tx } from '../../platform/db/db.ts';

/** A user of the dashboard, possibly for several merchants. */
export interface User {
  userId: string;
  name: string;
  email: string;
  twoFactor: boolean;
  /** Whether there is a password to sign in with. */
  hasPassword: boolean;
}

const USER = `SELECT u.id AS user_id, u.name, u.email, u.two_factor_enabled AS two_factor,
  EXISTS (SELECT FROM credentials c WHERE c.user_id = u.id AND c.password IS NOT NULL) AS has_password FROM users u`;

/** Returns the user with this address (lower case), or null. Users belong to no merchant: only the engine's role sees them. */
export function findUserByEmail(tx: Tx, email: string): Promise<User | null> {
  return tx.row<User>(`${USER} WHERE u.email = $1`, [email]);
}

/** Returns the user, or null. */
export function findUser(tx: Tx, userId: string): Promise<User | null> {
  return tx.row<User>(`${USER} WHERE u.id = $1`, [userId]);
}

/** Inserts a user, who has no way to sign in yet. Nothing is sent to the address, so it is not verified. */
export async function insertUser(
  tx: Tx,
  user: Pick<User, 'userId' | 'name' | 'email'>,
  at: Temporal.Instant,
  madeBy: 'operator' | 'invitation' = 'invitation',
): Promise<void> {
  await tx.run(
    'INSERT INTO users (id, name, email, made_by, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)',
    [user.userId, user.name, user.email, madeBy, at],
  );
}

/** Sets the password hash, made by the library; `credentialId` is used if the user had no password. */
export async function setPasswordHash(
  tx: Tx,
  userId: string,
  credentialId: string,
  hash: string,
  at: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO credentials (id, user_id, provider_id, account_id, password, created_at, updated_at)
     VALUES ($1, $2, 'credential', $2, $3, $4, $4)
     ON CONFLICT (user_id, provider_id, account_id)
     DO UPDATE SET password = excluded.password, updated_at = excluded.updated_at`,
    [credentialId, userId, hash, at],
  );
}

/** Ends every session of a user. */
export async function endSessions(tx: Tx, userId: string): Promise<void> {
  await tx.run('DELETE FROM sessions WHERE user_id = $1', [userId]);
}

/** Ends the sessions of a user that began before a moment, except one. */
export async function endSessionsBefore(
  tx: Tx,
  userId: string,
  before: Temporal.Instant,
  keep: string | null,
): Promise<void> {
  await tx.run(
    'DELETE FROM sessions WHERE user_id = $1 AND created_at < $2 AND id IS DISTINCT FROM $3',
    [userId, before, keep],
  );
}

/** Records when a user was last seen. */
export async function noteSeen(tx: Tx, userId: string, at: Temporal.Instant): Promise<void> {
  await tx.run('UPDATE users SET last_seen_at = $2 WHERE id = $1', [userId, at]);
}

/** Deletes expired sessions, links and challenges. */
export async function forgetExpired(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.run('DELETE FROM sessions WHERE expires_at <= $1', [now]);
  await tx.run('DELETE FROM verifications WHERE expires_at <= $1', [now]);
  await tx.run('DELETE FROM user_links WHERE expires_at <= $1', [now]);
}
