import type { Tx } from '../../platform/db/db.ts';
import type { Role } from '../role.ts';

/** An invitation to a team, for one address. Instants are real time. */
export interface Invitation {
  merchantId: string;
  invitationId: string;
  email: string;
  role: Role;
  /** The name of the inviting member at that time; `operator:<name>` of whoever invited by `user create`. */
  invitedBy: string;
  byOperator: boolean;
  /** The inviting member, with whose ownership the invitation ends; null: the operator. */
  inviterId: string | null;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

const COLUMNS =
  'merchant_id, invitation_id, email, role, invited_by, by_operator, inviter_id, created_at, expires_at';

/** The condition besides its expiry for an invitation to work: its maker is the operator, or still an owner. */
const MAKER_IS_OWNER = `(by_operator OR EXISTS (SELECT FROM members m
  WHERE m.merchant_id = invitations.merchant_id AND m.user_id = inviter_id AND m.role = 'owner'))`;

/** Inserts an invitation under the hash of its secret. */
export async function insertInvitation(tx: Tx, i: Invitation, tokenHash: Buffer): Promise<void> {
  await tx.run(
    `INSERT INTO invitations (${COLUMNS}, token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      i.merchantId,
      i.invitationId,
      i.email,
      i.role,
      i.invitedBy,
      i.byOperator,
      i.inviterId,
      i.createdAt,
      i.expiresAt,
      tokenHash,
    ],
  );
}

/** Returns invitations that are open and still work, newest first. */
export function listInvitations(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
): Promise<Invitation[]> {
  return tx.rows<Invitation>(
    `SELECT ${COLUMNS} FROM invitations WHERE merchant_id = $1 AND accepted_at IS NULL AND expires_at > $2
     ORDER BY created_at DESC, invitation_id DESC`,
    [merchantId, now],
  );
}

/** Returns the invitation with this secret if it still works, else null. Needs the engine's role. */
export function findInvitation(
  tx: Tx,
  merchantId: string,
  tokenHash: Buffer,
  now: Temporal.Instant,
): Promise<Invitation | null> {
  return tx.row<Invitation>(
    `SELECT ${COLUMNS} FROM invitations
     WHERE merchant_id = $1 AND token_hash = $2 AND accepted_at IS NULL AND expires_at > $3
       AND ${MAKER_IS_OWNER}`,
    [merchantId, tokenHash, now],
  );
}

/**
 * Uses up the invitation with this secret, or that for this address: returns it once, and null from then on. Needs the engine's
 * role.
 */
export function consumeInvitation(
  tx: Tx,
  merchantId: string,
  which: { tokenHash: Buffer } | { email: string },
  now: Temporal.Instant,
): Promise<Invitation | null> {
  return tx.row<Invitation>(
    `UPDATE invitations SET accepted_at = $4
     WHERE merchant_id = $1 AND (token_hash = $2 OR email = $3) AND accepted_at IS NULL AND expires_at > $4
       AND ${MAKER_IS_OWNER}
     RETURNING ${COLUMNS}`,
    [
      merchantId,
      'tokenHash' in which ? which.tokenHash : null,
      'email' in which ? which.email : null,
      now,
    ],
  );
}

/** Selects open invitations: one, those of an address, or those that a member made. */
export type WhichInvitations = { invitationId: string } | { email: string } | { inviterId: string };

/** Withdraws open invitations. Returns the ids. */
export async function deleteInvitations(
  tx: Tx,
  merchantId: string,
  which: WhichInvitations,
): Promise<string[]> {
  const rows = await tx.rows<{ invitationId: string }>(
    `DELETE FROM invitations WHERE merchant_id = $1 AND accepted_at IS NULL
       AND (invitation_id = $2 OR email = $3 OR inviter_id = $4)
     RETURNING invitation_id`,
    [
      merchantId,
      'invitationId' in which ? which.invitationId : null,
      'email' in which ? which.email : null,
      'inviterId' in which ? which.inviterId : null,
    ],
  );
  return rows.map((row) => row.invitationId);
}
