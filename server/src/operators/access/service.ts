import { SECRET_BYTES } from '../../merchants/keys.ts';
import { CONFIRMING_DELAY } from '../../merchants/settlement-account.ts';
import { endChangesOfOperator } from '../../merchants/settlement-account-by-operators.ts';
import { parseEmail } from '../../merchants/team/email.ts';
import { recordServiceChange } from '../../platform/audit-trail.ts';
import { realNow } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db.ts';
import { ApiError, invalid, notFound, violates } from '../../platform/errors.ts';
import type { Authenticate } from '../../platform/http/auth.ts';
import type { Caller } from '../../platform/http/route.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { hashSecret } from '../../platform/vault.ts';
import { deleteOperatorEmail, findLinked, setOperatorEmail } from './identity-store.ts';
import {
  formatOperatorKey,
  isOperatorName,
  modeOfOperatorKey,
  type Operator,
  type OperatorKey,
} from './operator-key.ts';
import { openSsoSession } from './sso-session.ts';
import {
  findOperator,
  findOperatorByKey,
  insertOperator,
  insertOperatorKey,
  type ListedOperator,
  lockOperator,
  revokeOperatorKeys,
  setConfirmsFrom,
  setRemoved,
  touchOperatorKey,
} from './store.ts';

/** A new key of an operator. Its secret is never shown again. */
export interface NewOperatorKey {
  operator: ListedOperator;
  key: OperatorKey;
  secret: string;
}

/** The operator who gives somebody a way in through the API; null: whoever may run commands on this database. */
type Giver = Operator | null;

const NOTE_USE_EVERY = Temporal.Duration.from({ minutes: 1 });
const FIRST_KEY = 'first key';
const modeOf = ({ config }: Platform): 'live' | 'test' =>
  config.mode === 'live' ? 'live' : 'test';

/** Records a change of the operators and their ways in. */
export function noteOperator(
  { tx, now }: Work,
  objectId: string,
  to: string,
  reason: string,
): Promise<void> {
  return recordServiceChange(tx, now, { objectId, to, reason });
}

/**
 * Creates an operator with a first key, and perhaps the address by which they sign in to the console. Throws 400
 * `invalid_request` for a name that is none, or that was used before, and for an address that is none or another operator's.
 */
export async function createOperator(
  work: Work,
  given: string,
  by: string,
  { email = null, giver = null }: { email?: string | null; giver?: Giver } = {},
): Promise<NewOperatorKey> {
  const { platform, tx } = work;
  const name = given.trim();
  if (!isOperatorName(name))
    throw invalid({ name: "must be 1 to 70 letters, digits, spaces, and . ' _ -" });
  const operatorId = platform.ids.next('opr', realNow());
  try {
    await insertOperator(tx, { operatorId, name }, realNow(), by);
  } catch (error) {
    if (!violates(error, 'operators_one_per_name')) throw error;
    throw invalid({ name: 'is the name of another operator, or was' });
  }
  await noteOperator(work, operatorId, 'operator_created', name);
  if (email !== null) await setEmail(work, operatorId, email, giver);
  return createOperatorKey(work, operatorId, FIRST_KEY, giver);
}

/**
 * Sets the address by which an operator signs in to the console through the identity provider; null: none. Their account there is
 * unlinked, and its sessions end, also where the address stays. Throws 400 `invalid_request`, 404 `not_found`.
 */
export async function setEmail(
  work: Work,
  idOrName: string,
  given: string | null,
  giver: Giver = null,
): Promise<ListedOperator> {
  const { operatorId } = await lockPresent(work.tx, idOrName);
  const email = given === null ? null : parseEmail(given);
  if (email === null && given !== null) throw invalid({ email: 'must be an email address' });
  try {
    if (email === null) await deleteOperatorEmail(work.tx, operatorId);
    else await setOperatorEmail(work.tx, operatorId, email);
  } catch (error) {
    if (!violates(error, 'operator_identities_one_per_email')) throw error;
    throw invalid({ email: 'is the address of another operator' });
  }
  if (email !== null) await waitADay(work, operatorId, giver);
  const reason = email ?? 'no address';
  await noteOperator(work, operatorId, 'operator_email_changed', reason);
  return readOperator(work.tx, operatorId);
}

/** Creates another key of an operator, found by id or name. Throws 404 `not_found`. */
export async function createOperatorKey(
  work: Work,
  idOrName: string,
  name: string,
  giver: Giver = null,
): Promise<NewOperatorKey> {
  const { platform, tx } = work;
  const { operatorId } = await lockPresent(tx, idOrName);
  await waitADay(work, operatorId, giver);
  const secret = formatOperatorKey(modeOf(platform), platform.ids.random(SECRET_BYTES));
  const key: OperatorKey = {
    keyId: platform.ids.next('key', realNow()),
    name,
    hint: secret.slice(-4),
    createdAt: realNow(),
    revokedAt: null,
    lastUsedAt: null,
  };
  await insertOperatorKey(tx, operatorId, key, hashSecret(secret));
  await noteOperator(work, key.keyId, 'operator_key_created', name);
  return { operator: await readOperator(tx, operatorId), key, secret };
}

/** Revokes a key at once. Throws 404 `not_found` if it is not valid. */
export async function revokeOperatorKey(
  work: Work,
  idOrName: string,
  keyId: string,
): Promise<OperatorKey> {
  const { operatorId, name } = await lockPresent(work.tx, idOrName);
  const [key] = await revokeOperatorKeys(work.tx, operatorId, keyId, realNow());
  if (key === undefined) throw notFound('key');
  await noteOperator(work, keyId, 'operator_key_revoked', `${key.name} of ${name}`);
  return key;
}

/**
 * Removes an operator: their keys stop working at once, the changes of settlement accounts that wait on their word are cancelled,
 * their name stays taken. Throws 404 `not_found`.
 */
export async function removeOperator(
  work: Work,
  idOrName: string,
  by: string,
): Promise<ListedOperator> {
  const { operatorId, name } = await lockPresent(work.tx, idOrName);
  await revokeOperatorKeys(work.tx, operatorId, null, realNow());
  await deleteOperatorEmail(work.tx, operatorId);
  await setRemoved(work.tx, operatorId, realNow(), by);
  await endChangesOfOperator(work.platform, work, name, by);
  await noteOperator(work, operatorId, 'operator_removed', name);
  return readOperator(work.tx, operatorId);
}

/** Returns an operator. Throws 404 `not_found`. */
export async function readOperator(tx: Tx, operatorId: string): Promise<ListedOperator> {
  const operator = await findOperator(tx, operatorId);
  if (operator === null) throw notFound('operator');
  return operator;
}

/** Keeps an operator from counting as a second person for a day, because another one could act as them. */
async function waitADay({ tx, now }: Work, operatorId: string, giver: Giver): Promise<void> {
  if (giver === null || giver.operatorId === operatorId) return;
  await setConfirmsFrom(tx, operatorId, now.add(CONFIRMING_DELAY));
}

/** Whether another operator gave this one a way in less than 24 hours ago: docs/rules/access.md#operators. */
export async function isTooNew(
  tx: Tx,
  now: Temporal.Instant,
  { operatorId }: Operator,
): Promise<boolean> {
  const { confirmsFrom } = await readOperator(tx, operatorId);
  return confirmsFrom !== null && Temporal.Instant.compare(now, confirmsFrom) < 0;
}

/** Keeps an operator from being removed until the transaction ends. Throws 404 `not_found` if they were removed. */
export async function holdOperator(tx: Tx, { operatorId }: Operator): Promise<void> {
  await lockPresent(tx, operatorId);
}

async function lockPresent(tx: Tx, idOrName: string): Promise<ListedOperator> {
  const operator = await lockOperator(tx, idOrName);
  if (operator === null) throw notFound('operator');
  if (operator.removedAt !== null)
    throw new ApiError('not_found', `The operator ${operator.name} was removed.`);
  return operator;
}

/**
 * Makes what finds the operator of a key, or of a session of the console: the caller's `merchantId` is the operator's id, its
 * `actorId` the name. A revoked key is refused from the next request on, in every process; so is an operator's session once they
 * are unlinked or removed.
 */
export function operatorAuthenticator(platform: Platform): Authenticate {
  return async (secret, lookUp) => {
    if (modeOfOperatorKey(secret) !== modeOf(platform)) return ofSession(platform, secret);
    lookUp?.begin();
    const found = await platform.db.read((tx) => findOperatorByKey(tx, hashSecret(secret)));
    if (found === null) return null;
    lookUp?.found();
    const { operator, keyId, lastUsedAt } = found;
    const now = realNow();
    if (lastUsedAt === null || Temporal.Instant.compare(lastUsedAt.add(NOTE_USE_EVERY), now) <= 0)
      await platform.db.transaction((tx) => touchOperatorKey(tx, operator.operatorId, keyId, now));
    return callerOf(operator);
  };
}

const callerOf = ({ operatorId, name }: Operator): Caller => ({
  merchantId: operatorId,
  actorId: name,
});

async function ofSession({ db, vault, config }: Platform, sealed: string): Promise<Caller | null> {
  const { sso } = config.consoleSignIn;
  const session = sso === null ? null : openSsoSession(vault, sealed);
  if (sso === null || session === null) return null;
  const { operatorId, linkedAt } = session;
  const found = await db.read((tx) => findLinked(tx, sso.issuer, operatorId, linkedAt));
  return found === null ? null : callerOf(found);
}
