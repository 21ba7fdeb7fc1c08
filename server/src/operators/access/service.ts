import { SECRET_BYTES } from '../../merchants/keys.ts';
import { WHOLE_SERVICE } from '../../platform/actor.ts';
import { recordChanges } from '../../platform/audit-trail.ts';
import { realNow } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db.ts';
import { ApiError, invalid, notFound, violates } from '../../platform/errors.ts';
import type { Authenticate } from '../../platform/http/auth.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { hashSecret } from '../../platform/vault.ts';
import {
  formatOperatorKey,
  isOperatorName,
  modeOfOperatorKey,
  type OperatorKey,
} from './operator-key.ts';
import {
  findOperator,
  findOperatorByKey,
  insertOperator,
  insertOperatorKey,
  type ListedOperator,
  lockOperator,
  revokeOperatorKeys,
  setRemoved,
  touchOperatorKey,
} from './store.ts';

/** A new key of an operator. Its secret is never shown again. */
export interface NewOperatorKey {
  operator: ListedOperator;
  key: OperatorKey;
  secret: string;
}

const NOTE_USE_EVERY = Temporal.Duration.from({ minutes: 1 });
const FIRST_KEY = 'first key';
const modeOf = ({ config }: Platform): 'live' | 'test' =>
  config.mode === 'live' ? 'live' : 'test';

async function note({ tx, now }: Work, objectId: string, to: string, reason: string) {
  await recordChanges(tx, now, [
    { merchantId: WHOLE_SERVICE, objectId, scheduleId: null, from: null, to, reason },
  ]);
}

/** Creates an operator with a first key. Throws 400 `invalid_request` for a name that is none, or that was used before. */
export async function createOperator(
  work: Work,
  given: string,
  by: string,
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
  await note(work, operatorId, 'operator_created', name);
  return createOperatorKey(work, operatorId, FIRST_KEY);
}

/** Creates another key of an operator, found by id or name. Throws 404 `not_found`. */
export async function createOperatorKey(
  work: Work,
  idOrName: string,
  name: string,
): Promise<NewOperatorKey> {
  const { platform, tx } = work;
  const { operatorId } = await lockPresent(tx, idOrName);
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
  await note(work, key.keyId, 'operator_key_created', name);
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
  await note(work, keyId, 'operator_key_revoked', `${key.name} of ${name}`);
  return key;
}

/** Removes an operator: their keys stop working at once, their name stays taken. Throws 404 `not_found`. */
export async function removeOperator(
  work: Work,
  idOrName: string,
  by: string,
): Promise<ListedOperator> {
  const { operatorId, name } = await lockPresent(work.tx, idOrName);
  await revokeOperatorKeys(work.tx, operatorId, null, realNow());
  await setRemoved(work.tx, operatorId, realNow(), by);
  await note(work, operatorId, 'operator_removed', name);
  return readOperator(work.tx, operatorId);
}

/** Returns an operator. Throws 404 `not_found`. */
export async function readOperator(tx: Tx, operatorId: string): Promise<ListedOperator> {
  const operator = await findOperator(tx, operatorId);
  if (operator === null) throw notFound('operator');
  return operator;
}

async function lockPresent(tx: Tx, idOrName: string): Promise<ListedOperator> {
  const operator = await lockOperator(tx, idOrName);
  if (operator === null) throw notFound('operator');
  if (operator.removedAt !== null)
    throw new ApiError('not_found', `The operator ${operator.name} was removed.`);
  return operator;
}

/**
 * Makes what finds the operator of a key: the caller's `merchantId` is the operator's id, its `actorId` the name. A revoked key
 * is refused from the next request on, in every process.
 */
export function operatorAuthenticator(platform: Platform): Authenticate {
  return async (secret, lookUp) => {
    if (modeOfOperatorKey(secret) !== modeOf(platform)) return null;
    lookUp?.begin();
    const found = await platform.db.read((tx) => findOperatorByKey(tx, hashSecret(secret)));
    if (found === null) return null;
    lookUp?.found();
    const { operator, keyId, lastUsedAt } = found;
    const now = realNow();
    if (lastUsedAt === null || Temporal.Instant.compare(lastUsedAt.add(NOTE_USE_EVERY), now) <= 0)
      await platform.db.transaction((tx) => touchOperatorKey(tx, operator.operatorId, keyId, now));
    return { merchantId: operator.operatorId, actorId: operator.name };
  };
}
