import type { Tx } from '../../platform/db.ts';
import type { Role } from '../role.ts';

/** An invitation to a team, for one address. Instants are real time. */
export interface Invitation {
  merchantId: string;
  invitationId: string;
  email: string;
  role: Role;
  /** The name of the member who invites, as it was, or of the operator. */
  invitedBy: string;
  byOperator: boolean;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
}

interface InvitationRow {
  merchant_id: string;
  invitation_id: string;
  email: string;
  role: Role;
  invited_by: string;
  by_operator: boolean;
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant;
}

const COLUMNS =
  'merchant_id, invitation_id, email, role, invited_by, by_operator, created_at, expires_at';

const fromRow = (row: InvitationRow): Invitation => ({
  merchantId: row.merchant_id,
  invitationId: row.invitation_id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  byOperator: row.by_operator,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Inserts an invitation under the hash of its secret. */
export async function insertInvitation(tx: Tx, i: Invitation, tokenHash: Buffer): Promise<void> {
  await tx.run(
    `INSERT INTO invitations (${COLUMNS}, token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      i.merchantId,
      i.invitationId,
      i.email,
      i.role,
      i.invitedBy,
      i.byOperator,
      i.createdAt,
      i.expiresAt,
      tokenHash,
    ],
  );
}

/** Invitations that nobody has accepted and that still work, the newest first. */
export async function listInvitations(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
): Promise<Invitation[]> {
  const rows = await tx.rows<InvitationRow>(
    `SELECT ${COLUMNS} FROM invitations WHERE merchant_id = $1 AND accepted_at IS NULL AND expires_at > $2
     ORDER BY created_at DESC, invitation_id DESC`,
    [merchantId, now],
  );
  return rows.map(fromRow);
}

/** The invitation with this secret, if it still works; else null. */
export async function findInvitation(
  tx: Tx,
  merchantId: string,
  tokenHash: Buffer,
  now: Temporal.Instant,
): Promise<Invitation | null> {
  const row = await tx.row<InvitationRow>(
    `SELECT ${COLUMNS} FROM invitations
     WHERE merchant_id = $1 AND token_hash = $2 AND accepted_at IS NULL AND expires_at > $3`,
    [merchantId, tokenHash, now],
  );
  return row === null ? null : fromRow(row);
}

/** Uses an invitation up: answers it to the first who asks, and null from then on. */
export async function takeInvitation(
  tx: Tx,
  merchantId: string,
  tokenHash: Buffer,
  now: Temporal.Instant,
): Promise<Invitation | null> {
  const row = await tx.row<InvitationRow>(
    `UPDATE invitations SET accepted_at = $3
     WHERE merchant_id = $1 AND token_hash = $2 AND accepted_at IS NULL AND expires_at > $3
     RETURNING ${COLUMNS}`,
    [merchantId, tokenHash, now],
  );
  return row === null ? null : fromRow(row);
}

/** Withdraws what nobody has accepted: one invitation, or all of an address. Answers the ids. */
export async function deleteInvitations(
  tx: Tx,
  merchantId: string,
  which: { invitationId: string } | { email: string },
): Promise<string[]> {
  const [column, value] =
    'email' in which ? ['email', which.email] : ['invitation_id', which.invitationId];
  const rows = await tx.rows<{ invitation_id: string }>(
    `DELETE FROM invitations WHERE merchant_id = $1 AND ${column} = $2 AND accepted_at IS NULL
     RETURNING invitation_id`,
    [merchantId, value ?? ''],
  );
  return rows.map((row) => row.invitation_id);
}
