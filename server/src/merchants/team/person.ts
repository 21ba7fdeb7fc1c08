import type { Tx } from '../../platform/db/db.ts';
import type { AskedBy } from '../../platform/platform.ts';
import { readActor } from '../../platform/state/actor.ts';
import {
  findPerson,
  type How,
  hadOwner,
  recordLetIn,
} from '../../platform/two-people/let-in-store.ts';
import { type Person, shellId, whyNotAsk } from '../../platform/two-people/pair.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import type { Role } from '../role.ts';
import { findMember } from './store.ts';

/** Returns a member as one of two people. The transaction must be the merchant's own. Throws 404 `not_found`. */
export async function findMemberPerson(
  tx: Tx,
  merchantId: string,
  userId: string,
): Promise<Person> {
  const { email } = orNotFound(await findMember(tx, merchantId, userId), 'member');
  return findPerson(tx, { id: userId, name: email }, merchantId);
}

/**
 * Throws 403 `forbidden` for a member whom somebody else let in less than 72 hours ago: they neither decide what takes two people
 * nor change who is on the team. The transaction must be the merchant's own.
 */
export async function refuseNewcomer({ tx, now, merchantId, actorId }: AskedBy): Promise<void> {
  const problem = whyNotAsk(await findMemberPerson(tx, merchantId, actorId), now);
  if (problem !== null) throw new ApiError('forbidden', problem);
}

/** Returns the id under which it is recorded who let somebody in: members as themselves, operators by their names. */
export function letterId(actorId: string): string {
  if (/^(usr|opr)_/.test(actorId)) return actorId;
  return shellId(readActor(actorId).name || actorId);
}

/**
 * Records that somebody came to a team, or got another role there, through somebody else. The first owner whom a merchant ever
 * has is trusted from the start, because nobody is there who could let them in.
 */
export async function recordMemberLetIn(
  { tx, now, merchantId }: Pick<AskedBy, 'tx' | 'now' | 'merchantId'>,
  userId: string,
  role: Role,
  { how, byId }: { how: How; byId: string },
): Promise<void> {
  const isTrusted = role === 'owner' && !(await hadOwner(tx, merchantId));
  await recordLetIn(tx, { personId: userId, byId, how, merchantId, role, at: now, isTrusted });
}
