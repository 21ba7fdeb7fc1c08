import type { Tx } from '../../platform/db/db.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';
import type { Role } from '../role.ts';

/** The facts about an account: how it was created, what opens it, and what it opens. Instants are real time. */
export interface AccountFacts {
  userId: string;
  name: string;
  email: string;
  createdAt: Temporal.Instant;
  /** An invitation does not prove who owns the address. */
  madeBy: 'operator' | 'invitation' | 'unknown';
  hasPassword: boolean;
  passkeys: number;
  twoFactor: boolean;
  lastSeenAt: Temporal.Instant | null;
  teams: { merchantId: string; role: Role }[];
}

const COLUMNS = `u.id AS user_id, u.name, u.email, u.created_at, u.made_by, u.last_seen_at,
    u.two_factor_enabled AS two_factor,
    EXISTS (SELECT FROM credentials c WHERE c.user_id = u.id AND c.password IS NOT NULL) AS has_password,
    (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id) AS passkeys,
    (SELECT coalesce(json_agg(json_build_object('merchantId', m.merchant_id, 'role', m.role) ORDER BY m.merchant_id), '[]')
     FROM members m WHERE m.user_id = u.id) AS teams`;
const FACTS = `SELECT ${COLUMNS} FROM users u`;

/** Returns the account with this address (lower case), or null. Needs the engine's role. */
export function findAccount(tx: Tx, email: string): Promise<AccountFacts | null> {
  return tx.row<AccountFacts>(`${FACTS} WHERE u.email = $1`, [email]);
}

/** Returns the account with this id, or null. Needs the engine's role. */
export function findAccountById(tx: Tx, userId: string): Promise<AccountFacts | null> {
  return tx.row<AccountFacts>(`${FACTS} WHERE u.id = $1`, [userId]);
}

/** Which accounts: an absent part does not limit. `q`: an id, or a part of the name or address. */
interface AccountFilter {
  q?: string;
  merchantId?: string;
}

/** Returns a page of accounts, by address. Needs the engine's role. */
export function searchAccounts(
  tx: Tx,
  { q, merchantId }: AccountFilter,
  page: Page,
): Promise<List<AccountFacts>> {
  const from = `users u WHERE
    ($1::text IS NULL OR u.id = $1 OR strpos(lower(u.name || ' ' || u.email), lower($1)) > 0)
    AND ($2::text IS NULL OR EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.merchant_id = $2))`;
  const values = [q ?? null, merchantId ?? null];
  const order = { by: { 'u.email': 'text' }, isDescending: false } as const;
  return readPage<AccountFacts>(tx, { columns: COLUMNS, from, values, order }, page);
}

/** What opens an account, besides its second factor. */
const SIGN_INS = ['credentials', 'passkeys', 'sessions', 'user_links', 'identities'] as const;

/** Deletes everything that opens an account: password, passkeys, second factor, sessions, links. */
export async function deleteCredentials(tx: Tx, userId: string): Promise<void> {
  await deleteSignIns(tx, userId);
  await deleteSecondFactor(tx, userId);
}

/** Deletes password, passkeys, sessions and links of an account; its second factor stays. */
export async function deleteSignIns(tx: Tx, userId: string): Promise<void> {
  for (const table of SIGN_INS) await tx.run(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  await tx.run('DELETE FROM verifications WHERE value = $1', [userId]); // a sign-in waiting for its second factor
}

/** Deletes the second factor of an account, and its sessions. */
export async function deleteSecondFactor(tx: Tx, userId: string): Promise<void> {
  for (const table of ['two_factors', 'used_codes', 'sessions'] as const)
    await tx.run(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
  await tx.run('DELETE FROM verifications WHERE value = $1', [userId]);
  await tx.run('UPDATE users SET two_factor_enabled = false WHERE id = $1', [userId]);
}

/** Deletes a user who is no longer on any team. */
export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await tx.run('DELETE FROM users WHERE id = $1', [userId]);
}
