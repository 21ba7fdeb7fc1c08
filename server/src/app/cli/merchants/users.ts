import type { Role } from '../../../merchants/role.ts';
import { readMerchant } from '../../../merchants/service.ts';
import { createSignInLink, type Link } from '../../../merchants/sign-in/links.ts';
import { type AccountFacts, listAccounts } from '../../../merchants/team/account-store.ts';
import { readAccount } from '../../../merchants/team/accounts.ts';
import { createUser } from '../../../merchants/team/users.ts';
import { askFor } from '../../../operators/requests/service.ts';
import { removeUser } from '../../../operators/users/remove.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { operatorActor } from '../../../platform/state/actor.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { shownRequest } from '../operations/requests-work.ts';
import { change, withPlatform } from '../session/offline.ts';
import { actingOf, operatorOf } from '../session/operator.ts';

/** Options of `user create`. */
export interface UserOptions {
  email: string;
  name: string;
  role: Role;
}

const shown = ({ url, expiresAt }: Link) => ({ url, expires_at: formatInstant(expiresAt) });

/** Formats an account as the operator must see it before handing out a link to it. */
const shownAccount = (a: AccountFacts) => ({
  since: formatInstant(a.createdAt),
  made_by: a.madeBy,
  password: a.hasPassword,
  passkeys: a.passkeys,
  two_factor: a.twoFactor,
  last_seen_at: formatInstant(a.lastSeenAt),
  teams: a.teams.map(({ merchantId, role }) => ({ merchant_id: merchantId, role })),
});

/** Adds a user to a merchant's team; returns the link to hand to them. */
export async function createUserCommand(
  config: Config,
  merchantId: string,
  options: UserOptions,
): Promise<object> {
  return change(config, async ({ platform, tx, now }) => {
    await readMerchant(platform, tx, merchantId);
    const actorId = operatorActor(operatorOf(config));
    const user = await createUser(platform, { tx, now, merchantId, actorId }, options);
    const answer = { user_id: user.userId, email: user.email, ...shown(user) };
    if (user.existing === null) return answer;
    return {
      ...answer,
      existing_account: shownAccount(user.existing),
      next:
        'This address has an account already, and it is not on the team yet: its person joins by the link, with the ' +
        `account's password. If they did not make the account themselves: recollect user reset ${user.email}`,
    };
  });
}

/**
 * Creates a link that signs a user of the sandbox in once. Throws ConfigError in live mode, where nobody is shown what lets
 * another person in, 404 `not_found` if no user has this address.
 */
export async function createLinkCommand(config: Config, email: string): Promise<object> {
  if (config.mode === 'live')
    throw new ConfigError(
      'sign-in links are for the sandbox: `recollect user reset` asks for a link that goes to the person by email',
    );
  return change(config, async ({ platform, tx }) => {
    const account = await readAccount(tx, email);
    const link = await createSignInLink(platform, tx, account.email);
    return { ...shown(link), account: shownAccount(account) };
  });
}

/** Options of `user reset`. */
export interface ResetOptions {
  reason: string;
  secondFactor?: true;
}

/**
 * Asks for the reset of somebody's sign-in, or of their second factor; an operator agrees with it. Throws 404 `not_found`, 409
 * `operation_refused`.
 */
export async function resetUserCommand(
  config: Config,
  email: string,
  { reason, secondFactor }: ResetOptions,
): Promise<object> {
  return change(config, async (work) => {
    const { userId: subject } = await readAccount(work.tx, email);
    const kind = secondFactor ? 'user_second_factor' : 'user_reset';
    const asking = { kind, wish: {}, subject, reason } as const;
    return shownRequest(await askFor(work, actingOf(config), asking));
  });
}

/** Options of `user remove`. */
export interface RemoveOptions {
  merchant?: string;
  evenLastOwner?: true;
  reason: string;
}

/** Removes a user from a team, or deletes them; asks for it for an owner. Throws 404 `not_found`, 409 `last_owner`. */
export async function removeUserCommand(
  config: Config,
  email: string,
  { merchant, evenLastOwner, reason }: RemoveOptions,
): Promise<object> {
  return change(config, async (work) => {
    const { userId } = await readAccount(work.tx, email);
    const wish = { merchantId: merchant ?? null, evenLastOwner: evenLastOwner === true };
    const removal = { userId, wish, reason };
    const { account, isDeleted, request } = await removeUser(work, actingOf(config), removal);
    if (request !== null) return shownRequest(request);
    return {
      user_id: userId,
      email: account.email,
      deleted: isDeleted,
      before: shownAccount(account),
    };
  });
}

/** Lists a merchant's team, or every account. Throws 404 `not_found`. */
export async function listUsersCommand(
  config: Config,
  merchantId: string | undefined,
): Promise<object[]> {
  return withPlatform(config, (platform) =>
    platform.db.read(async (tx) => {
      if (merchantId !== undefined) await readMerchant(platform, tx, merchantId);
      const accounts = await listAccounts(tx);
      return accounts.flatMap((account) => {
        const role = account.teams.find((team) => team.merchantId === merchantId)?.role;
        if (merchantId !== undefined && role === undefined) return [];
        const { userId, name, email } = account;
        return [
          {
            user_id: userId,
            name,
            email,
            ...(role === undefined ? {} : { role }),
            ...shownAccount(account),
          },
        ];
      });
    }),
  );
}
