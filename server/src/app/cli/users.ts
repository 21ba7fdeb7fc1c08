import type { Role } from '../../merchants/role.ts';
import { readMerchant } from '../../merchants/service.ts';
import { createPasswordLink, createSignInLink, type Link } from '../../merchants/sign-in/links.ts';
import { listMembers } from '../../merchants/team/store.ts';
import { createUser } from '../../merchants/team/users.ts';
import { formatInstant } from '../../platform/calendar.ts';
import type { Config } from '../../platform/config.ts';
import { withPlatform } from './offline.ts';

/** What `user create` takes. */
export interface UserOptions {
  email: string;
  name: string;
  role: Role;
}

const shown = ({ url, expiresAt }: Link) => ({ url, expires_at: formatInstant(expiresAt) });

/** Puts somebody on a merchant's team; answers a link to set their password where they have none. */
export async function createUserCommand(
  config: Config,
  merchantId: string,
  options: UserOptions,
): Promise<object> {
  return withPlatform(config, (platform) =>
    platform.db.transaction(async (tx) => {
      await readMerchant(platform, tx, merchantId);
      const actor = { merchantId, actorId: 'the command line' };
      const user = await createUser(platform, tx, platform.clock.now(), actor, options);
      return {
        user_id: user.userId,
        email: user.email,
        ...(user.hasPassword
          ? { url: `${config.baseUrl}/dashboard/sign-in` }
          : shown(await createPasswordLink(platform, tx, user.userId))),
      };
    }),
  );
}

/** A link that signs a user in, once. Throws 404 `not_found` where nobody has this address. */
export async function createLinkCommand(config: Config, email: string): Promise<object> {
  return withPlatform(config, (platform) =>
    platform.db.transaction(async (tx) =>
      shown(await createSignInLink(platform, tx, email.trim().toLowerCase())),
    ),
  );
}

/** The team of a merchant. Throws 404 `not_found`. */
export async function listUsersCommand(config: Config, merchantId: string): Promise<object[]> {
  return withPlatform(config, async (platform) => {
    await platform.db.read((tx) => readMerchant(platform, tx, merchantId));
    const members = await platform.db.forMerchant(merchantId, (tx) => listMembers(tx, merchantId));
    return members.map((member) => ({
      user_id: member.userId,
      name: member.name,
      email: member.email,
      role: member.role,
      two_factor: member.twoFactor,
      last_seen_at: member.lastSeenAt === null ? null : formatInstant(member.lastSeenAt),
    }));
  });
}
