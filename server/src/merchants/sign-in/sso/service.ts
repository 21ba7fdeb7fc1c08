import type { Tx } from '../../../platform/db/db.ts';
import type { AskedBy, Platform } from '../../../platform/platform.ts';
import { recordChanges } from '../../../platform/state/audit-trail.ts';
import { ApiError, invalid, notFound, orNotFound } from '../../../platform/values/errors.ts';
import { recordMerchantChange } from '../../merchant-changes.ts';
import { lockMerchantRow } from '../../store.ts';
import { findMember, listMembers, type Member } from '../../team/store.ts';
import { deleteIdentity } from './identity-store.ts';
import {
  deleteRegistration,
  findRegistration,
  insertRegistration,
  type Registration,
  updateRegistration,
} from './provider-store.ts';

/** A registration as an owner enters it; without a secret, the one that is stored stays. */
export interface RegistrationInput {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  isRequired: boolean;
}

/** Returns the registration with the secret that is stored where none is given. Throws 400 `invalid_request`. */
export async function completed(
  { vault }: Pick<Platform, 'vault'>,
  tx: Tx,
  merchantId: string,
  wanted: RegistrationInput,
): Promise<Registration> {
  const before = await findRegistration(vault, tx, merchantId);
  const clientSecret =
    wanted.clientSecret ?? (isSameClient(before, wanted) ? before?.clientSecret : undefined);
  if (clientSecret === undefined) throw invalid({ client_secret: 'is required' });
  return { ...wanted, merchantId, clientSecret };
}

const isSameClient = (
  before: Registration | null,
  wanted: Pick<Registration, 'issuer' | 'clientId'>,
): boolean => before?.issuer === wanted.issuer && before.clientId === wanted.clientId;

/**
 * Registers a team's identity provider. Another provider, or another client of it, ends the links of the members and the sessions
 * they opened. Single sign-on can be required once a member has used it, by an owner who has a second factor: owners may come in
 * with password and second factor whatever happens to the provider. Throws 400 `invalid_request`, 403 `second_factor_required`.
 */
export async function register(
  platform: Platform,
  asked: AskedBy,
  wanted: RegistrationInput,
): Promise<void> {
  const { tx, merchantId } = asked;
  await lockMerchantRow(tx, merchantId);
  const before = await findRegistration(platform.vault, tx, merchantId);
  const registration = await completed(platform, tx, merchantId, wanted);
  const isSame = isSameClient(before, registration);
  if (registration.isRequired && !(isSame && before?.isRequired === true))
    await refuseLockingOut(asked, isSame);
  if (isSame) await updateRegistration(platform.vault, tx, registration);
  else {
    await deleteRegistration(tx, merchantId);
    await insertRegistration(platform.vault, tx, registration);
  }
  await recordMerchantChange(asked, 'sso_changed', inWords(registration));
  const { issuer, clientId, clientSecret, isRequired } = registration;
  const isNews =
    !isSame || before?.clientSecret !== clientSecret || before.isRequired !== isRequired;
  if (isNews)
    await notifyOwners(platform, asked, {
      issuer,
      client_id: clientId,
      rule: ruleOf(registration),
    });
}

/** Throws unless requiring single sign-on leaves the team, and this owner, a way in. */
async function refuseLockingOut(
  { tx, merchantId, actorId }: AskedBy,
  isSame: boolean,
): Promise<void> {
  if ((await findMember(tx, merchantId, actorId))?.twoFactor !== true)
    throw new ApiError(
      'second_factor_required',
      'Set up a second factor for yourself first, under Settings, Your security.',
    );
  if (!(isSame && (await listMembers(tx, merchantId)).some((member) => member.usesSso)))
    throw invalid({
      is_required: 'nobody has signed in with it yet: save it, try it, then require it',
    });
}

/** Ends single sign-on for a team. Throws 404 `not_found`. */
export async function deregister(platform: Platform, asked: AskedBy): Promise<void> {
  const { tx, merchantId } = asked;
  await lockMerchantRow(tx, merchantId);
  const before = await findRegistration(platform.vault, tx, merchantId);
  if (before === null) throw notFound('identity provider');
  await deleteRegistration(tx, merchantId);
  await recordMerchantChange(asked, 'sso_changed', 'Single sign-on is off.');
  await notifyOwners(platform, asked, { ended: before.issuer });
}

/** Tells every owner by email how their team signs in from now on: whoever runs the provider lets people in. */
async function notifyOwners(
  { ids, notify }: Pick<Platform, 'ids' | 'notify'>,
  { tx, now, merchantId }: AskedBy,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const causeId = ids.random(18).toString('base64url');
  await notify(tx, now, [{ merchantId, kind: 'sso_changed', causeId, facts }]);
}

/**
 * Unlinks a member from their account at the provider, because it was replaced there: the next one with their verified address is
 * linked. Ends the sessions that the account opened. Throws 404 `not_found`.
 */
export async function unlink(asked: AskedBy, userId: string): Promise<Member> {
  const { tx, now, merchantId, actorId } = asked;
  if (!(await deleteIdentity(tx, merchantId, userId))) throw notFound('linked member');
  const reason = `by ${actorId}`;
  await recordChanges(tx, now, [
    { merchantId, objectId: userId, scheduleId: null, from: null, to: 'sso_unlinked', reason },
  ]);
  return orNotFound(await findMember(tx, merchantId, userId), 'member');
}

const ruleOf = ({ isRequired }: Pick<Registration, 'isRequired'>): string =>
  isRequired ? 'Members other than owners must use it.' : 'It is optional.';

const inWords = (registration: Registration): string =>
  `Sign in with ${registration.issuer} as its client ${registration.clientId}. ${ruleOf(registration)}`;
