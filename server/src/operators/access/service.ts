import { endChangesOfOperator } from '../../merchants/settlement-account/settlement-account-by-operators.ts';
import { parseEmail } from '../../merchants/team/email.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { type How, recordLetIn } from '../../platform/two-people/let-in-store.ts';
import { shellId } from '../../platform/two-people/pair.ts';
import { isSameName } from '../../platform/two-people/same-name.ts';
import { invalid, violates } from '../../platform/values/errors.ts';
import { notifySecurity } from '../notices/notify.ts';
import { takeBackRequestsOf } from '../requests/store.ts';
import { type Acting, requireRole, requireTrusted } from './acting.ts';
import { deleteOperatorEmail, setOperatorEmail } from './books/identity-store.ts';
import { isOperatorName } from './books/operator-key.ts';
import { inOrder, OPERATOR_ROLES, type OperatorRole } from './books/roles.ts';
import { deleteSessionsOf } from './books/session-store.ts';
import {
  insertOperator,
  type ListedOperator,
  listNames,
  lockOperators,
  revokeOperatorKeys,
  setRemoved,
  setRoles,
  wasEverIn,
} from './books/store.ts';
import { insertKey, type NewOperatorKey } from './keys.ts';
import { lockPresent, noteOperator, readOperator } from './present.ts';
import { listAgreeing, MIN, requireOthers } from './ways-in.ts';

const FIRST_KEY = 'first key';

/** A new operator. */
export interface NewOperator {
  name: string;
  roles: readonly OperatorRole[];
  email: string | null;
}

/** Who lets somebody in, by id. */
export interface LetInBy {
  ids: readonly string[];
  how: How;
  /** They are no newcomer for it: the first operators of a service. */
  isTrusted?: boolean;
}

/** Records who let an operator in. */
export async function recordOperatorLetIn(
  { tx, now }: Work,
  operatorId: string,
  { ids, how, isTrusted = false }: LetInBy,
): Promise<void> {
  for (const byId of ids)
    await recordLetIn(tx, {
      personId: operatorId,
      byId,
      how,
      merchantId: null,
      at: now,
      isTrusted,
    });
}

/** Throws 400 `invalid_request` for a name that is none, or that reads like one that was ever used. */
export async function checkName(tx: Tx, name: string): Promise<void> {
  if (!isOperatorName(name))
    throw invalid({ name: "must be 1 to 70 letters of one script, digits, spaces, and . ' _ -" });
  const known = (await listNames(tx)).find((other) => isSameName(other, name));
  if (known !== undefined)
    throw invalid({
      name: known === name ? 'is the name of another operator, or was' : `reads like ${known}`,
    });
}

/** Returns an email address as it is stored. Throws 400 `invalid_request`. */
export function readEmail(given: string): string {
  const email = parseEmail(given);
  if (email === null) throw invalid({ email: 'must be an email address' });
  return email;
}

/** Adds an operator, without a way in besides their address. Throws 400 `invalid_request`. */
export async function addOperator(
  work: Work,
  wanted: NewOperator,
  createdBy: string,
  by: LetInBy,
): Promise<ListedOperator> {
  const { platform, tx } = work;
  await lockOperators(tx);
  const name = wanted.name.trim();
  await checkName(tx, name);
  const operatorId = platform.ids.next('opr', realNow());
  const operator = { operatorId, name, roles: inOrder(wanted.roles) };
  await insertOperator(tx, operator, realNow(), createdBy);
  await recordOperatorLetIn(work, operatorId, by);
  await noteOperator(work, operatorId, 'operator_created', name);
  if (wanted.email !== null) await storeEmail(work, operatorId, wanted.email);
  return readOperator(tx, operatorId);
}

/**
 * Creates one of the first operators, trusted from the start, with a first key: only where fewer than two could
 * agree on one. By default they may do everything. Throws 400 `invalid_request`.
 */
export async function createOperator(
  work: Work,
  name: string,
  by: string,
  {
    email = null,
    roles = OPERATOR_ROLES,
  }: { email?: string | null; roles?: readonly OperatorRole[] } = {},
): Promise<NewOperatorKey> {
  const letInBy = { ids: [shellId(by)], how: 'made', isTrusted: true } as const;
  const { operatorId } = await addOperator(work, { name, roles, email }, by, letInBy);
  const made = await insertKey(work, operatorId, { name: FIRST_KEY });
  await notifySecurity(work, {
    what: 'operator_created',
    subject: `${name} is an operator now`,
    lines: [
      `${by} made ${name} an operator (${inOrder(roles).join(', ')}) on the machine of the service.`,
    ],
  });
  return made;
}

/** Whether too few operators are there to agree on anything: then the machine makes the first ones, and their keys. */
export async function isBeginning(work: Work): Promise<boolean> {
  await lockOperators(work.tx);
  return (await listAgreeing(work)).length < MIN;
}

/**
 * Makes a key of another operator where too few are there to agree on it: `acting` sees it, so the operator is a newcomer, unless
 * they never had a way in.
 */
export async function makeKeyAtBeginning(
  work: Work,
  acting: Acting,
  operatorId: string,
  name: string,
): Promise<NewOperatorKey> {
  const isTrusted = !(await wasEverIn(work.tx, operatorId));
  await recordOperatorLetIn(work, operatorId, { ids: [acting.id], how: 'key', isTrusted });
  const made = await insertKey(work, operatorId, { name });
  await notifySecurity(work, {
    what: 'key_created',
    subject: `${acting.name} made a key of ${made.operator.name}`,
    lines: [
      `${acting.name} made the key “${name}” (…${made.key.hint}) of ${made.operator.name} on the machine of the service, where it was shown.`,
    ],
  });
  return made;
}

/** Sets the address of an operator; their account is unlinked, and its sessions end. Throws 400 `invalid_request`. */
export async function storeEmail(work: Work, operatorId: string, given: string): Promise<void> {
  const email = readEmail(given);
  try {
    await setOperatorEmail(work.tx, operatorId, email);
  } catch (error) {
    if (!violates(error, 'operator_identities_one_per_email')) throw error;
    throw invalid({ email: 'is the address of another operator' });
  }
  await deleteSessionsOf(work.tx, operatorId, 'linked');
  await noteOperator(work, operatorId, 'operator_email_changed', email);
}

/** Takes the address of an operator away, with the account that is linked and its sessions. */
export async function removeEmail(work: Work, operatorId: string): Promise<void> {
  await deleteOperatorEmail(work.tx, operatorId);
  await deleteSessionsOf(work.tx, operatorId, 'linked');
  await noteOperator(work, operatorId, 'operator_email_changed', 'no address');
}

/**
 * Sets what an operator may do; changes of accounts that wait on their word end with `payments`. Throws 409
 * `operation_refused` if too few of `security` were left.
 */
export async function storeRoles(
  work: Work,
  { operatorId, name }: Pick<ListedOperator, 'operatorId' | 'name'>,
  roles: readonly OperatorRole[],
  by: string,
): Promise<void> {
  await lockOperators(work.tx);
  if (!roles.includes('security')) await requireOthers(work, operatorId);
  await setRoles(work.tx, operatorId, inOrder(roles));
  const end = { by, why: 'lost the role payments' };
  if (!roles.includes('payments'))
    await endChangesOfOperator(work.platform, work, { id: operatorId, name }, end);
  await noteOperator(work, operatorId, 'operator_roles_changed', inOrder(roles).join(', '));
}

/**
 * Removes an operator, which one of `security` may do alone: it takes power away. Keys and sessions end at once,
 * and what waits on their word is cancelled; the name stays taken. Throws 403 `forbidden`, 404 `not_found`, 409
 * `operation_refused` for one of the last two who could agree on others.
 */
export async function removeOperator(
  work: Work,
  idOrName: string,
  acting: Acting,
): Promise<ListedOperator> {
  const { tx, platform } = work;
  requireRole(acting, 'security');
  await requireTrusted(tx, work.now, acting);
  await lockOperators(tx);
  const { operatorId, name } = await lockPresent(tx, idOrName);
  await requireOthers(work, operatorId);
  await notifySecurity(work, {
    what: 'operator_removed',
    subject: `${name} is no operator any more`,
    lines: [`${acting.name} removed the operator ${name}. Their keys and sessions have ended.`],
  });
  await revokeOperatorKeys(tx, operatorId, null, realNow());
  await deleteOperatorEmail(tx, operatorId);
  await deleteSessionsOf(tx, operatorId, 'all');
  await setRemoved(tx, operatorId, realNow(), acting.name);
  const end = { by: acting.name, why: 'was removed' };
  await endChangesOfOperator(platform, work, { id: operatorId, name }, end);
  await takeBackRequestsOf(work, operatorId, acting.id);
  await noteOperator(work, operatorId, 'operator_removed', name);
  return readOperator(tx, operatorId);
}

/** Whether whoever is made an operator can come in: by an email with a first key, or through the identity provider. */
export const canSignIn = ({ config }: Pick<Platform, 'config'>): boolean =>
  config.mode === 'sandbox' || config.smtpUrl !== null || config.consoleSignIn.sso !== null;
