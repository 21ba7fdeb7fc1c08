import type { Tx } from '../../platform/db/db.ts';
import { rowBy } from '../../platform/db/row-by.ts';
import { NEWCOMER_FOR } from '../../platform/two-people/pair.ts';
import type { Role } from '../role.ts';

/** A member of a merchant's team. Instants are real time. */
export interface Member {
  userId: string;
  name: string;
  email: string;
  role: Role;
  twoFactor: boolean;
  joinedAt: Temporal.Instant;
  lastSeenAt: Temporal.Instant | null;
  /** Whether they are also on another merchant's team. */
  worksElsewhere: boolean;
  /** Whether they have signed in through the team's identity provider, which knows them from then on. */
  usesSso: boolean;
  /** When they stop being an owner, in business time, because another one asked for it; null: nobody did. */
  leavesAt: Temporal.Instant | null;
  /** The role that they have from then on; null: they leave the team. */
  leavesAs: Role | null;
  /** The owner who asked for it. */
  leavesBy: string | null;
}

/** A merchant that a user works for. */
export interface Membership {
  merchantId: string;
  merchantName: string;
  role: Role;
}

/** A membership, and what the team requires of a user who did not come in through its identity provider. */
export interface CheckedMembership extends Membership {
  /** The user lacks the second factor that they need. */
  lacksSecondFactor: boolean;
  /** The user may come in through the provider alone. */
  mustUseSso: boolean;
}

const FIELDS = `user_id, name, email, role, joined_at, last_seen_at, works_elsewhere, uses_sso,
   leaves_at, leaves_as, leaves_by`;
const MEMBER = `SELECT ${FIELDS}, two_factor_enabled AS two_factor FROM team_members`;

/** Returns the team, earliest member first. The transaction must be the merchant's own (`forMerchant`). */
export function listMembers(tx: Tx, merchantId: string): Promise<Member[]> {
  return tx.rows<Member>(`${MEMBER} WHERE merchant_id = $1 ORDER BY joined_at, user_id`, [
    merchantId,
  ]);
}

/** Returns a member, or null. The transaction must be the merchant's own. */
export const findMember = rowBy<Member>(`${MEMBER} WHERE merchant_id = $1 AND user_id = $2`);

/** Returns the member with this address, or null. The transaction must be the merchant's own. */
export const findMemberByEmail = rowBy<Member>(`${MEMBER} WHERE merchant_id = $1 AND email = $2`);

/** Locks the owners and returns them, each with when they leave. */
export function lockOwners(
  tx: Tx,
  merchantId: string,
): Promise<Pick<Member, 'userId' | 'leavesAt'>[]> {
  return tx.rows(
    `SELECT user_id AS user_id, leaves_at AS leaves_at FROM members
     WHERE merchant_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE`,
    [merchantId],
  );
}

/** Adds a member; returns false if they already were one. Needs the engine's role. */
export async function insertMember(
  tx: Tx,
  { merchantId, userId, role }: { merchantId: string; userId: string; role: Role },
  at: Temporal.Instant,
): Promise<boolean> {
  const count = await tx.run(
    `INSERT INTO members (merchant_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id, user_id) DO NOTHING`,
    [merchantId, userId, role, at],
  );
  return count > 0;
}

/** Sets a member's role; what was asked for of an owner has ended with it. */
export async function setRole(
  tx: Tx,
  merchantId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await tx.run(
    `UPDATE members SET role = $3, leaves_at = NULL, leaves_as = NULL, leaves_by = NULL, keys_go_to = NULL, due_at = NULL
     WHERE merchant_id = $1 AND user_id = $2`,
    [merchantId, userId, role],
  );
}

/** Returns a member's role; null: no member. */
export function findMemberRole(
  tx: Tx,
  merchantId: string,
  userId: string,
): Promise<{ role: Role } | null> {
  return tx.row('SELECT role FROM members WHERE merchant_id = $1 AND user_id = $2', [
    merchantId,
    userId,
  ]);
}

/** Removes a member from the team. */
export async function deleteMember(tx: Tx, merchantId: string, userId: string): Promise<void> {
  await tx.run('DELETE FROM members WHERE merchant_id = $1 AND user_id = $2', [merchantId, userId]);
}

/**
 * Returns every merchant that a user works for, by name. An owner of a team that requires single sign-on may come in by password,
 * and needs a second factor for it. Across merchants: needs the engine's role.
 */
export function listMemberships(tx: Tx, userId: string): Promise<CheckedMembership[]> {
  return tx.rows<CheckedMembership>(
    `SELECT m.merchant_id AS merchant_id, w.name AS merchant_name, m.role,
       (coalesce(r.requires_second_factor, false) OR coalesce(p.is_required, false))
         AND NOT u.two_factor_enabled AS lacks_second_factor,
       coalesce(p.is_required, false) AND m.role <> 'owner' AS must_use_sso
     FROM members m JOIN merchants w USING (merchant_id) JOIN users u ON u.id = m.user_id
       LEFT JOIN access_rules r USING (merchant_id) LEFT JOIN identity_providers p USING (merchant_id)
     WHERE m.user_id = $1 ORDER BY w.name, m.merchant_id`,
    [userId],
  );
}

/** Returns the same for a member of this merchant's team, in the merchant's own transaction. */
export function listMembershipsOfMember(
  tx: Tx,
  merchantId: string,
  userId: string,
): Promise<Membership[]> {
  return tx.rows<Membership>(
    `SELECT works_for AS merchant_id, name AS merchant_name, role FROM team_memberships
     WHERE merchant_id = $1 AND user_id = $2 ORDER BY name, works_for`,
    [merchantId, userId],
  );
}

/** Whether the account of an owner had been reset by operators less than 72 hours before a moment. */
export async function hasOwnerInDoubt(
  tx: Tx,
  merchantId: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const row = await tx.row(
    `SELECT FROM members m CROSS JOIN LATERAL find_let_in(m.user_id, m.merchant_id) l
     WHERE m.merchant_id = $1 AND m.role = 'owner' AND l.reset_at <= $2 AND l.reset_at > $3 LIMIT 1`,
    [merchantId, at, at.subtract(NEWCOMER_FOR)],
  );
  return row !== null;
}
