import type { Tx } from '../../platform/db/db.ts';
import type { Work } from '../../platform/platform.ts';
import { recordLetIn } from '../../platform/two-people/let-in-store.ts';
import { ApiError, notFound, orNotFound } from '../../platform/values/errors.ts';
import { leaveKeys } from '../keys/key-service.ts';
import { createResetLink } from '../sign-in/links/links.ts';
import {
  type AccountFacts,
  deleteCredentials,
  deleteSecondFactor,
  deleteSignIns,
  deleteUser,
  findAccount,
  findAccountById,
} from './account-store.ts';
import { cancelOwnerActions, recordTeamChange, removeMember } from './service.ts';

/** Returns the account with this address. Needs the engine's role. Throws 404 `not_found`. */
export async function readAccount(tx: Tx, email: string): Promise<AccountFacts> {
  return orNotFound(await findAccount(tx, email.trim().toLowerCase()), 'user');
}

/** Two who let somebody in again, by id, as who the audit trail names, and what caused it. */
export interface Readmission {
  ids: readonly string[];
  actor: string;
  causeId: string;
}

/** Returns the account with this id. Needs the engine's role. Throws 404 `not_found`. */
export async function readAccountById(tx: Tx, userId: string): Promise<AccountFacts> {
  return orNotFound(await findAccountById(tx, userId), 'user');
}

/**
 * Removes password, passkeys, sessions and links of an account, ends what was begun with it as an owner (invitations, a change of
 * the settlement account), and sends the person a link to set a new password, which nobody else sees. The second factor and the
 * memberships stay; they are a newcomer. Only two operators may: docs/rules/access.md#two-operators. Throws 404 `not_found`, 409
 * `operation_refused` for somebody on no team.
 */
export async function resetAccount(work: Work, userId: string, by: Readmission): Promise<void> {
  const { platform, tx } = work;
  const account = await readAccountById(tx, userId);
  await deleteSignIns(tx, userId);
  await recordReadmission(work, account, by, 'reset', 'had their sign-in reset');
  const { url } = await createResetLink(platform, tx, userId);
  await notifyPerson(work, account, by, 'account_reset', { email: account.email, url });
}

/** Removes the second factor of an account, and its sessions. Otherwise as `resetAccount`. */
export async function resetSecondFactor(
  work: Work,
  userId: string,
  by: Readmission,
): Promise<void> {
  const account = await readAccountById(work.tx, userId);
  await deleteSecondFactor(work.tx, userId);
  await recordReadmission(work, account, by, 'second_factor', 'had their second factor removed');
  await notifyPerson(work, account, by, 'second_factor_removed', { email: account.email });
}

/** Throws 409 `operation_refused` for somebody whom no email reaches, because a notice belongs to a team. */
export function requireTeam({ teams, email }: AccountFacts): string {
  const [team] = teams;
  if (team === undefined)
    throw new ApiError('operation_refused', `${email} is on no team: there is nothing to reset.`);
  return team.merchantId;
}

/** Records who let somebody in again, and tells every owner of their teams. */
async function recordReadmission(
  { platform, tx, now }: Work,
  { userId, name, email, teams }: AccountFacts,
  { ids, actor, causeId }: Readmission,
  how: 'reset' | 'second_factor',
  change: string,
): Promise<void> {
  for (const byId of ids)
    await recordLetIn(tx, { personId: userId, byId, how, merchantId: null, at: now });
  for (const { merchantId } of teams) {
    const asked = { tx, now, merchantId, actorId: actor };
    await cancelOwnerActions(platform, asked, userId);
    await recordTeamChange(asked, userId, null, how);
    await platform.notify(tx, now, [
      { merchantId, kind: 'sign_in_reset', causeId, facts: { name, email, change } },
    ]);
  }
}

async function notifyPerson(
  { platform, tx, now }: Work,
  account: AccountFacts,
  { causeId }: Readmission,
  kind: string,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const to = { name: account.name, email: account.email };
  await platform.notify(tx, now, [{ merchantId: requireTeam(account), kind, causeId, to, facts }]);
}

/**
 * Removes an account from one team, or from all of them and deletes it; the keys that it made end. A team is left without an
 * owner only if explicitly requested. Throws 404 `not_found`, 409 `last_owner`.
 */
export async function removeAccount(
  { platform, tx, now }: Work,
  email: string,
  by: string,
  options: { merchantId: string | null; evenLastOwner: boolean },
): Promise<{ account: AccountFacts; isDeleted: boolean }> {
  const account = await readAccount(tx, email);
  const { userId } = account;
  const leaves = account.teams.filter(
    ({ merchantId }) => options.merchantId === null || merchantId === options.merchantId,
  );
  if (options.merchantId !== null && leaves.length === 0) throw notFound('member');
  for (const { merchantId } of leaves) {
    const asked = { tx, now, merchantId, actorId: by };
    await removeMember(platform, asked, userId, options).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'last_owner') throw error;
      throw new ApiError(
        'last_owner',
        `${account.email} is the only owner of ${merchantId}: put another on the team first, or confirm that it is left without one.`,
      );
    });
    // Other processes drop the keys from their cache within five seconds.
    await leaveKeys(
      { platform, authenticator: { distrust: () => undefined } },
      asked,
      userId,
      null,
    );
  }
  if (options.merchantId !== null) return { account, isDeleted: false };
  await deleteCredentials(tx, userId);
  await deleteUser(tx, userId);
  return { account, isDeleted: true };
}
