import type { Tx } from '../../platform/db.ts';
import { ApiError, notFound, orNotFound } from '../../platform/errors.ts';
import type { Work } from '../../platform/platform.ts';
import { leaveKeys } from '../key-service.ts';
import { createPasswordLink, type Link } from '../sign-in/links.ts';
import { type AccountFacts, deleteUser, deleteWaysIn, findAccount } from './account-store.ts';
import { endPowerOf, recordTeamChange, removeMember } from './service.ts';

/** Returns the account with this address. Needs the engine's role. Throws 404 `not_found`. */
export async function readAccount(tx: Tx, email: string): Promise<AccountFacts> {
  return orNotFound(await findAccount(tx, email.trim().toLowerCase()), 'user');
}

/**
 * Removes everything that opens an account, ends what was begun with it as an owner (invitations, a change of the settlement
 * account), and creates a link to set a new password. Only for the person who runs the service. Memberships stay. Returns the
 * account as it was. Throws 404 `not_found`.
 */
export async function resetAccount(
  { platform, tx, now }: Work,
  email: string,
  by: string,
): Promise<{ account: AccountFacts; link: Link }> {
  const account = await readAccount(tx, email);
  await deleteWaysIn(tx, account.userId);
  for (const { merchantId } of account.teams) {
    const asked = { tx, now, merchantId, actorId: by };
    await endPowerOf(platform, asked, account.userId);
    await recordTeamChange(asked, account.userId, null, 'reset');
  }
  return { account, link: await createPasswordLink(platform, tx, account.userId) };
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
  await deleteWaysIn(tx, userId);
  await deleteUser(tx, userId);
  return { account, isDeleted: true };
}
