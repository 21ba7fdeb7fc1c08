import type { Tx } from '../../../platform/db/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf } from '../../../platform/state/actor.ts';
import { recordChanges } from '../../../platform/state/audit-trail.ts';
import { realNow } from '../../../platform/time/clock.ts';
import { parseEmail } from '../../team/email.ts';
import { acceptByAddress } from '../../team/invitations.ts';
import { findMemberRole } from '../../team/store.ts';
import { findUserByEmail } from '../user-store.ts';
import { findLinkedUser, type Identity, insertIdentity } from './identity-store.ts';
import type { Arrival } from './providers.ts';

/** Why nobody comes in: the address is not verified, is nobody's on the team, or is a member's who is another account there. */
export type Refusal = 'unverified' | 'stranger' | 'other_account';

/** The member who came in. */
export interface Recognised {
  userId: string;
  email: string;
}

/** Somebody who arrived for the first time: a member, or perhaps an invited newcomer, who gets this name. */
interface FirstArrival extends Recognised {
  newcomer: string | null;
}

/**
 * Returns the member who is this account at the team's provider. At first they are found by their verified address, and linked;
 * from then on the account alone counts, whatever address it has. Who is invited and has no user here yet becomes a member;
 * nobody else does. See docs/rules/access.md#single-sign-on.
 */
export async function recognise(
  platform: Platform,
  team: Omit<Identity, 'subject'>,
  arrival: Arrival,
): Promise<Recognised | Refusal> {
  const { db } = platform;
  const identity = { ...team, subject: arrival.subject };
  const linked = await db.read((tx) => findLinkedUser(tx, identity));
  if (linked !== null) return linked;
  const email = arrival.isEmailVerified ? parseEmail(arrival.email ?? '') : null;
  if (email === null) return 'unverified';
  const first = await firstArrival(platform, team.merchantId, email, arrival.name);
  if (first === null) return 'stranger';
  return db.transaction((tx) => link(platform, tx, identity, first), {
    actor: actorOf(first.userId),
  });
}

/**
 * Returns the member with this address, or a newcomer; null for somebody else's user. Who has a user already accepts an
 * invitation with that user's password: the provider of one team has no say over it.
 */
async function firstArrival(
  { db, ids }: Platform,
  merchantId: string,
  email: string,
  name: string | null,
): Promise<FirstArrival | null> {
  return db.read(async (tx) => {
    const user = await findUserByEmail(tx, email);
    const newcomer = name?.trim().slice(0, 100) || email;
    if (user === null) return { userId: ids.next('usr', realNow()), email, newcomer };
    const { userId } = user;
    const isMember = (await findMemberRole(tx, merchantId, userId)) !== null;
    return isMember ? { userId, email, newcomer: null } : null;
  });
}

async function link(
  platform: Platform,
  tx: Tx,
  identity: Identity,
  { userId, email, newcomer }: FirstArrival,
): Promise<Recognised | Refusal> {
  const { merchantId } = identity;
  const now = platform.clock.now();
  if (newcomer !== null) {
    const user = { userId, email, name: newcomer };
    if (!(await acceptByAddress(platform, tx, now, merchantId, user))) return 'stranger';
  }
  if (!(await insertIdentity(tx, identity, userId, realNow())))
    return (await findLinkedUser(tx, identity)) ?? 'other_account'; // linked just now, by the same person
  const change = { merchantId, objectId: userId, scheduleId: null, from: null };
  await recordChanges(tx, now, [{ ...change, to: 'sso_linked', reason: `by ${userId}` }]);
  return { userId, email };
}
