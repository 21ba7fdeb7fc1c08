import { SECRET_BYTES } from '../../merchants/keys/keys.ts';
import type { Work } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { ApiError, notFound } from '../../platform/values/errors.ts';
import { hashSecret } from '../../platform/vault/vault.ts';
import { notifySecurity } from '../notices/notify.ts';
import { type Acting, requireRole, requireTrusted } from './acting.ts';
import { keyModeOf } from './authenticate.ts';
import { formatOperatorKey, LONGEST_KEY_DAYS, type OperatorKey } from './books/operator-key.ts';
import { deleteSessionsOf } from './books/session-store.ts';
import {
  insertOperatorKey,
  type ListedOperator,
  lockOperators,
  revokeOperatorKeys,
} from './books/store.ts';
import { lockPresent, noteOperator, readOperator } from './present.ts';
import { requireOthersIfShutOut } from './ways-in.ts';

/** A new key of an operator. Its secret is never shown again. */
export interface NewOperatorKey {
  operator: ListedOperator;
  key: OperatorKey;
  secret: string;
}

/** What a new key is: its name, for how many days it is valid, and from where alone it may be used. */
export interface NewKeyOptions {
  name: string;
  days?: number;
  allowedIps?: string[] | null;
}

/** Makes a key of an operator, found by id or name. Whoever shows its secret sees that its owner alone reads it. */
export async function insertKey(
  work: Work,
  idOrName: string,
  { name, days = LONGEST_KEY_DAYS, allowedIps = null }: NewKeyOptions,
): Promise<NewOperatorKey> {
  const { platform, tx } = work;
  const { operatorId } = await lockPresent(tx, idOrName);
  const secret = formatOperatorKey(keyModeOf(platform), platform.ids.random(SECRET_BYTES));
  const createdAt = realNow();
  const key: OperatorKey = {
    keyId: platform.ids.next('key', createdAt),
    name,
    hint: secret.slice(-4),
    createdAt,
    revokedAt: null,
    lastUsedAt: null,
    expiresAt: createdAt.add({ hours: days * 24 }),
    allowedIps,
  };
  await insertOperatorKey(tx, operatorId, key, hashSecret(secret));
  await noteOperator(work, key.keyId, 'operator_key_created', name);
  return { operator: await readOperator(tx, operatorId), key, secret };
}

/** Makes a key for whoever asks for it. Throws 403 `forbidden` for another operator's: keys are made by their owner alone. */
export async function makeOwnKey(
  work: Work,
  acting: Acting,
  operatorId: string,
  wish: NewKeyOptions,
): Promise<NewOperatorKey> {
  if (acting.id !== operatorId)
    throw new ApiError(
      'forbidden',
      'An operator’s keys are made by that operator alone. Who has none left asks for a new first key: two operators send it.',
    );
  const made = await insertKey(work, operatorId, wish);
  await notifySecurity(work, {
    what: 'key_created',
    subject: `${acting.name} made a key`,
    lines: [`${acting.name} made the operator’s key “${wish.name}” (…${made.key.hint}).`],
  });
  return made;
}

/**
 * Revokes a key at once, and ends its sessions. Throws 403 `forbidden` for another operator's unless they are of `security`, 404
 * `not_found` if it is not valid, 409 `operation_refused` for the last way in of another of the last who could agree.
 */
export async function revokeOperatorKey(
  work: Work,
  acting: Acting,
  idOrName: string,
  keyId: string,
): Promise<OperatorKey> {
  await lockOperators(work.tx);
  const before = await lockPresent(work.tx, idOrName);
  const { operatorId, name } = before;
  if (acting.id !== operatorId) {
    requireRole(acting, 'security');
    await requireTrusted(work.tx, work.now, acting);
  }
  const [key] = await revokeOperatorKeys(work.tx, operatorId, keyId, realNow());
  if (key === undefined) throw notFound('key');
  // A key that leaked is revoked in the shell, whoever is left: what the shell shows afterwards makes newcomers.
  if (acting.id !== operatorId && acting.roles !== null) await requireOthersIfShutOut(work, before);
  await deleteSessionsOf(work.tx, operatorId, { keyId });
  await noteOperator(work, keyId, 'operator_key_revoked', `${key.name} of ${name}`);
  if (acting.id !== operatorId)
    await notifySecurity(work, {
      what: 'key_revoked',
      subject: `${acting.name} revoked a key of ${name}`,
      lines: [`${acting.name} revoked the key “${key.name}” (…${key.hint}) of ${name}.`],
    });
  return key;
}
