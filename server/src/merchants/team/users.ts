import type { AskedBy, Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { invalid } from '../../platform/values/errors.ts';
import type { Role } from '../role.ts';
import { createPasswordLink } from '../sign-in/links/links.ts';
import { insertUser } from '../sign-in/user-store.ts';
import { type AccountFacts, deleteCredentials, findAccount } from './account-store.ts';
import { parseEmail } from './email.ts';
import { makeInvitation } from './invitations.ts';
import { addMember } from './service.ts';

/** The user added to a team, and the link to hand to them. */
export interface CreatedUser {
  userId: string;
  email: string;
  url: string;
  expiresAt: Temporal.Instant;
  /** The existing account with this address, which joins only once its person accepts; null: there was none in use. */
  existing: AccountFacts | null;
}

/**
 * Adds a person to a team for the operator, and creates the link by which they sign in. If the address has an account that can be
 * opened, or that is on another team, it does not join on its own: another person may have created it. Its link is then an
 * invitation, which its person accepts with the account's own password. Needs the engine's role; `now` is business time. Throws
 * 400 `invalid_request`, also for a member of the team, whose ways in stay: two operators reset them.
 */
export async function createUser(
  platform: Platform,
  asked: AskedBy,
  wanted: { email: string; name: string; role: Role },
): Promise<CreatedUser> {
  const { tx } = asked;
  const email = parseEmail(wanted.email);
  if (email === null) throw invalid({ email: 'must be an email address' });
  const name = wanted.name.trim();
  if (name === '') throw invalid({ name: 'must not be empty' });
  const known = await findAccount(tx, email);
  if (known?.teams.some(({ merchantId }) => merchantId === asked.merchantId))
    throw invalid({ email: 'is a member of the team already' });
  if (known !== null && isInUse(known)) return inviteKnown(platform, asked, known, wanted.role);
  const user = { userId: known?.userId ?? platform.ids.next('usr', realNow()), name, email };
  if (known === null) await insertUser(tx, user, realNow(), 'operator');
  else await deleteCredentials(tx, known.userId); // links and sessions handed out for it before
  await addMember(platform, asked, user.userId, wanted.role);
  const link = await createPasswordLink(platform, tx, user.userId);
  return { userId: user.userId, email, ...link, existing: null };
}

/** Whether the account can be opened, or is on a team. */
function isInUse({ hasPassword, passkeys, teams }: AccountFacts): boolean {
  return hasPassword || passkeys > 0 || teams.length > 0;
}

async function inviteKnown(
  platform: Platform,
  asked: AskedBy,
  existing: AccountFacts,
  role: Role,
): Promise<CreatedUser> {
  const { userId, email } = existing;
  const by = { invitedBy: asked.actorId, byOperator: true, inviterId: null };
  const wanted = { email, role, ...by };
  const { url, invitation } = await makeInvitation(platform, asked, wanted);
  return { userId, email, url, expiresAt: invitation.expiresAt, existing };
}
