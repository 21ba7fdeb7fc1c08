import type { Tx } from '../../platform/db/db.ts';
import type { AskedBy, Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { invalid, notFound, orNotFound } from '../../platform/values/errors.ts';
import { merchantOfToken, newLinkToken } from '../../platform/values/link-token.ts';
import { hashSecret } from '../../platform/vault/vault.ts';
import type { Role } from '../role.ts';
import { insertUser } from '../sign-in/user-store.ts';
import { parseEmail } from './email.ts';
import {
  consumeInvitation,
  deleteInvitations,
  findInvitation,
  type Invitation,
  insertInvitation,
} from './invitation-store.ts';
import { letterId, refuseNewcomer } from './person.ts';
import { addMember, recordTeamChange } from './service.ts';
import { findMember, findMemberByEmail } from './store.ts';

/** A new invitation. Its link is never shown again. */
export interface NewInvitation {
  invitation: Invitation;
  url: string;
}

const LIFETIME = Temporal.Duration.from({ hours: 7 * 24 });
const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  developer: 'a developer',
  finance: 'a finance member',
  read_only: 'a read-only member',
};

/**
 * Invites a person to the team for 7 days; ends an earlier invitation of the same address. It works while its maker is an owner.
 * Its link is sent by email, and returned so that the owner can pass it on. Throws 403 `forbidden` for a newcomer, 400
 * `invalid_request` if the address is not valid, or is a member's.
 */
export async function invite(
  platform: Platform,
  asked: AskedBy,
  wanted: { email: string; role: Role },
): Promise<NewInvitation> {
  const { tx, merchantId, actorId } = asked;
  await refuseNewcomer(asked);
  const email = parseEmail(wanted.email);
  if (email === null) throw invalid({ email: 'must be an email address' });
  if ((await findMemberByEmail(tx, merchantId, email)) !== null)
    throw invalid({ email: 'is a member of the team already' });
  const inviter = orNotFound(await findMember(tx, merchantId, actorId), 'member');
  const by = { invitedBy: inviter.name, byOperator: false, inviterId: actorId };
  return makeInvitation(platform, asked, { email, role: wanted.role, ...by });
}

/** Creates an invitation; ends an earlier one of the same address. The address must have been checked. */
export async function makeInvitation(
  { ids, config, notify }: Platform,
  asked: AskedBy,
  wanted: Pick<Invitation, 'email' | 'role' | 'invitedBy' | 'byOperator' | 'inviterId'>,
): Promise<NewInvitation> {
  const { tx, merchantId } = asked;
  const { email } = wanted;
  for (const id of await deleteInvitations(tx, merchantId, { email }))
    await recordTeamChange(asked, id, 'invited', 'withdrawn');
  const createdAt = realNow();
  const invitation: Invitation = {
    merchantId,
    invitationId: ids.next('inv', createdAt),
    ...wanted,
    createdAt,
    expiresAt: createdAt.add(LIFETIME),
  };
  const token = newLinkToken(ids, merchantId);
  await insertInvitation(tx, invitation, hashSecret(token));
  await recordTeamChange(asked, invitation.invitationId, null, 'invited');
  const url = `${config.baseUrl}/dashboard/join?token=${token}`;
  const facts = { invited_by: inviterOf(wanted), role: ROLE_WORDS[wanted.role], url };
  const to = { name: email, email };
  await notify(tx, asked.now, [
    { merchantId, kind: 'invitation', causeId: invitation.invitationId, to, facts },
  ]);
  return { invitation, url };
}

/** Returns who invited somebody, as people of the merchant read it: operators by no name. */
export const inviterOf = ({
  invitedBy,
  byOperator,
}: Pick<Invitation, 'invitedBy' | 'byOperator'>) => (byOperator ? 'The operator' : invitedBy);

/** Ends an open invitation. Throws 404 `not_found`. */
export async function withdrawInvitation(asked: AskedBy, invitationId: string): Promise<void> {
  const ended = await deleteInvitations(asked.tx, asked.merchantId, { invitationId });
  if (ended.length === 0) throw notFound('invitation');
  await recordTeamChange(asked, invitationId, 'invited', 'withdrawn');
}

const invitationNotFound = () => notFound('invitation, or it does not work any more');

/** Returns the invitation of a link. Needs the engine's role. Throws 404 if it was used, withdrawn or has expired. */
export async function readInvitation(tx: Tx, token: string): Promise<Invitation> {
  const merchantId = merchantOfToken(token);
  const found =
    merchantId === null ? null : await findInvitation(tx, merchantId, hashSecret(token), realNow());
  if (found === null) throw invitationNotFound();
  return found;
}

/**
 * Uses up an invitation and adds the user to the team; the invitation must be for the user's address. Needs the engine's role.
 * Throws 404 if it was used, withdrawn, has expired, or is for a different address.
 */
export async function acceptInvitation(
  platform: Pick<Platform, 'notify'>,
  tx: Tx,
  now: Temporal.Instant,
  token: string,
  user: { userId: string; email: string },
): Promise<void> {
  const merchantId = merchantOfToken(token);
  const taken =
    merchantId === null
      ? null
      : await consumeInvitation(tx, merchantId, { tokenHash: hashSecret(token) }, realNow());
  if (taken === null || taken.email !== user.email) throw invitationNotFound();
  await join(platform, tx, now, taken, user.userId);
}

/**
 * Uses up the invitation of a newcomer whose address the team's identity provider has verified, and makes them a user and a
 * member. Needs the engine's role. Returns false if none is open.
 */
export async function acceptByAddress(
  platform: Pick<Platform, 'notify'>,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  user: { userId: string; name: string; email: string },
): Promise<boolean> {
  const taken = await consumeInvitation(tx, merchantId, { email: user.email }, realNow());
  if (taken === null) return false;
  await insertUser(tx, user, realNow());
  await join(platform, tx, now, taken, user.userId);
  return true;
}

async function join(
  platform: Pick<Platform, 'notify'>,
  tx: Tx,
  now: Temporal.Instant,
  taken: Invitation,
  userId: string,
): Promise<void> {
  const asked = { tx, now, merchantId: taken.merchantId, actorId: userId };
  await recordTeamChange(asked, taken.invitationId, 'invited', 'accepted');
  const byId = taken.inviterId ?? letterId(taken.invitedBy);
  await addMember(platform, asked, userId, taken.role, { how: 'invited', byId });
}
