import type { Tx } from '../../../platform/db/db.ts';
import { LONGEST_KEY_DAYS, type Operator } from './operator-key.ts';

/** What opened a session of the console: a key, or an account at the identity provider since its link. */
export type SessionOrigin = { keyId: string } | { linkedAt: Temporal.Instant };

/** A session of the console; instants are real time. */
export interface NewSession {
  secretHash: Buffer;
  operatorId: string;
  by: SessionOrigin;
  begunAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

/** Inserts a session, and deletes all that have expired. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { secretHash, operatorId, by, begunAt, expiresAt } = session;
  await tx.run('DELETE FROM operator_sessions WHERE expires_at <= $1', [begunAt]);
  await tx.run(
    `INSERT INTO operator_sessions (secret_hash, operator_id, key_id, linked_at, begun_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      secretHash,
      operatorId,
      'keyId' in by ? by.keyId : null,
      'linkedAt' in by ? by.linkedAt : null,
      begunAt,
      expiresAt,
    ],
  );
}

/** The operator of a session, and from where alone its key may be used; null: anywhere, or no key opened it. */
export interface SessionHolder extends Operator {
  allowedIps: string[] | null;
}

/**
 * Returns whose session this is while it lasts: until it expires or ends, its key is revoked or expires, or its account is
 * unlinked, and only where `ways` still opens the console; else null.
 */
export function findSession(
  tx: Tx,
  secretHash: Buffer,
  now: Temporal.Instant,
  ways: { byKey: boolean; issuer: string | null },
): Promise<SessionHolder | null> {
  return tx.row<SessionHolder>(
    `SELECT o.operator_id, o.name, o.roles, k.allowed_ips FROM operator_sessions s
     JOIN operators o ON o.operator_id = s.operator_id AND o.removed_at IS NULL
     LEFT JOIN operator_keys k ON k.operator_id = s.operator_id AND k.key_id = s.key_id AND k.revoked_at IS NULL
       AND coalesce(k.expires_at, k.created_at + interval '${LONGEST_KEY_DAYS} days') > $2 AND $3
     LEFT JOIN operator_identities i ON i.operator_id = s.operator_id AND i.linked_at = s.linked_at AND i.issuer = $4
     WHERE s.secret_hash = $1 AND s.expires_at > $2 AND (k.key_id IS NOT NULL OR i.operator_id IS NOT NULL)`,
    [secretHash, now, ways.byKey, ways.issuer],
  );
}

/** Ends a session. */
export async function deleteSession(tx: Tx, secretHash: Buffer): Promise<void> {
  await tx.run('DELETE FROM operator_sessions WHERE secret_hash = $1', [secretHash]);
}

/** Ends the sessions of an operator: all, those of a key, or those of the identity provider. */
export async function deleteSessionsOf(
  tx: Tx,
  operatorId: string,
  which: 'all' | 'linked' | { keyId: string },
): Promise<void> {
  const keyId = typeof which === 'string' ? null : which.keyId;
  await tx.run(
    `DELETE FROM operator_sessions WHERE operator_id = $1
     AND ($2::text IS NULL OR key_id = $2) AND (NOT $3 OR linked_at IS NOT NULL)`,
    [operatorId, keyId, which === 'linked'],
  );
}
