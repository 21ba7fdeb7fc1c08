import type { Tx } from '../../../platform/db/db.ts';
import { lockName } from '../../../platform/db/lock-store.ts';
import { type List, type Page, readPage } from '../../../platform/http/lists/page.ts';
import { realNow } from '../../../platform/time/clock.ts';
import { LONGEST_KEY_DAYS, type Operator, type OperatorKey } from './operator-key.ts';
import type { OperatorRole } from './roles.ts';

/** An operator as listed. Instants are real time. */
export interface ListedOperator extends Operator {
  createdAt: Temporal.Instant;
  createdBy: string;
  removedAt: Temporal.Instant | null;
  removedBy: string | null;
  /** How many keys are valid. */
  keys: number;
  /** When the last of them ends; null: there is none. */
  keysEndAt: Temporal.Instant | null;
  /** Where notices go, and by which they sign in to the console through the identity provider; null: neither. */
  email: string | null;
  /** Since when an account there is theirs; null: they have not signed in with it. */
  linkedAt: Temporal.Instant | null;
}

/** When a key ends; the previous version wrote no end. */
const KEY_END = `coalesce(k.expires_at, k.created_at + interval '${LONGEST_KEY_DAYS} days')`;
/** Keys that are valid at `$1`, in real time. */
const VALID_KEY = `k.revoked_at IS NULL AND ${KEY_END} > $1`;

const OF_OPERATOR =
  'o.operator_id, o.name, o.roles, o.created_at, o.created_by, o.removed_at, o.removed_by';
/** `$1` is now, in real time. */
const OPERATORS = `SELECT ${OF_OPERATOR}, v.keys, v.keys_end_at AS keys_end_at, i.email, i.linked_at AS linked_at
  FROM operators o LEFT JOIN operator_identities i ON i.operator_id = o.operator_id
  CROSS JOIN LATERAL (SELECT count(*) AS keys, max(${KEY_END}) AS keys_end_at
    FROM operator_keys k WHERE k.operator_id = o.operator_id AND ${VALID_KEY}) v`;

/** Inserts an operator. Violates `operators_one_per_name` if the name was ever used. */
export async function insertOperator(
  tx: Tx,
  { operatorId, name, roles }: Operator,
  createdAt: Temporal.Instant,
  createdBy: string,
): Promise<void> {
  await tx.run(
    'INSERT INTO operators (operator_id, name, roles, created_at, created_by) VALUES ($1, $2, $3, $4, $5)',
    [operatorId, name, roles, createdAt, createdBy],
  );
}

/** Stands for all operators: who may come in changes rarely, and one after the other. */
const ALL_OPERATORS = 'operators';

/** Lets nobody else change who the operators are, until the transaction ends. Take it before any row. */
export const lockOperators = (tx: Tx): Promise<void> => lockName(tx, ALL_OPERATORS);

/** Returns the names of all operators, removed ones too: none is given again. */
export async function listNames(tx: Tx): Promise<string[]> {
  return (await tx.rows<{ name: string }>('SELECT name FROM operators')).map(({ name }) => name);
}

/** Returns the operators that are there, with a valid key or an address; with a role: those that have it. */
export function listPresent(
  tx: Tx,
  now: Temporal.Instant,
  role: OperatorRole | null = null,
): Promise<ListedOperator[]> {
  return tx.rows<ListedOperator>(
    `${OPERATORS} WHERE o.removed_at IS NULL AND ($2::text IS NULL OR $2 = ANY (o.roles))
     AND (v.keys > 0 OR i.email IS NOT NULL) ORDER BY o.operator_id`,
    [now, role],
  );
}

/** Whether an operator ever had a key, or somebody let them in. */
export async function wasEverIn(tx: Tx, operatorId: string): Promise<boolean> {
  const row = await tx.row<{ was: boolean }>(
    `SELECT EXISTS (SELECT FROM operator_keys WHERE operator_id = $1)
       OR EXISTS (SELECT FROM let_ins WHERE person_id = $1) AS was`,
    [operatorId],
  );
  return row?.was ?? false;
}

/** Sets what an operator may do. */
export async function setRoles(
  tx: Tx,
  operatorId: string,
  roles: readonly OperatorRole[],
): Promise<void> {
  await tx.run('UPDATE operators SET roles = $2 WHERE operator_id = $1', [operatorId, roles]);
}

/** Returns an operator by id, or null. */
export function findOperator(tx: Tx, operatorId: string): Promise<ListedOperator | null> {
  return tx.row<ListedOperator>(`${OPERATORS} WHERE o.operator_id = $2`, [realNow(), operatorId]);
}

/** Locks and returns an operator by id or by name, or null. */
export function lockOperator(tx: Tx, idOrName: string): Promise<ListedOperator | null> {
  return tx.row<ListedOperator>(
    `${OPERATORS} WHERE o.operator_id = $2 OR o.name = $2 FOR UPDATE OF o`,
    [realNow(), idOrName],
  );
}

/** Returns a page of operators, newest first. */
export function listOperators(tx: Tx, page: Page): Promise<List<ListedOperator>> {
  return readPage<ListedOperator>(
    tx,
    {
      columns: '*',
      from: `(${OPERATORS}) o WHERE true`,
      values: [realNow()],
      order: { by: { operator_id: 'text' }, isDescending: true },
    },
    page,
  );
}

/** Records that an operator has left. */
export async function setRemoved(
  tx: Tx,
  operatorId: string,
  at: Temporal.Instant,
  by: string,
): Promise<void> {
  await tx.run('UPDATE operators SET removed_at = $2, removed_by = $3 WHERE operator_id = $1', [
    operatorId,
    at,
    by,
  ]);
}

const KEY_FIELDS = `k.key_id, k.name, k.hint, k.created_at, k.revoked_at, k.last_used_at, k.allowed_ips,
  ${KEY_END} AS expires_at`;

/** Inserts a key under the hash of its secret. */
export async function insertOperatorKey(
  tx: Tx,
  operatorId: string,
  key: OperatorKey,
  secretHash: Buffer,
): Promise<void> {
  await tx.run(
    `INSERT INTO operator_keys (operator_id, key_id, name, secret_hash, hint, created_at, expires_at, allowed_ips)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      operatorId,
      key.keyId,
      key.name,
      secretHash,
      key.hint,
      key.createdAt,
      key.expiresAt,
      key.allowedIps,
    ],
  );
}

/** Returns a page of an operator's keys, newest first. */
export async function listOperatorKeys(
  tx: Tx,
  operatorId: string,
  page: Page,
): Promise<List<OperatorKey>> {
  return readPage<OperatorKey>(
    tx,
    {
      columns: KEY_FIELDS,
      from: 'operator_keys k WHERE k.operator_id = $1',
      values: [operatorId],
      order: { by: { 'k.key_id': 'text' }, isDescending: true },
    },
    page,
  );
}

/** Revokes an operator's valid keys: one, or all. Returns those revoked. */
export function revokeOperatorKeys(
  tx: Tx,
  operatorId: string,
  keyId: string | null,
  at: Temporal.Instant,
): Promise<OperatorKey[]> {
  return tx.rows<OperatorKey>(
    `UPDATE operator_keys k SET revoked_at = $3
     WHERE operator_id = $1 AND ($2::text IS NULL OR key_id = $2) AND revoked_at IS NULL RETURNING ${KEY_FIELDS}`,
    [operatorId, keyId, at],
  );
}

/** An operator's valid key, as a request shows it. */
export interface FoundOperatorKey {
  operator: Operator;
  keyId: string;
  lastUsedAt: Temporal.Instant | null;
  allowedIps: string[] | null;
}

/** Returns the operator with a key of this secret that is valid now, and the key; null: there is none. */
export async function findOperatorByKey(
  tx: Tx,
  secretHash: Buffer,
  now: Temporal.Instant,
): Promise<FoundOperatorKey | null> {
  const row = await tx.row<Operator & Omit<FoundOperatorKey, 'operator'>>(
    `SELECT o.operator_id, o.name, o.roles, k.key_id, k.last_used_at, k.allowed_ips FROM operator_keys k
     JOIN operators o ON o.operator_id = k.operator_id
     WHERE k.secret_hash = $2 AND ${VALID_KEY} AND o.removed_at IS NULL`,
    [now, secretHash],
  );
  if (row === null) return null;
  const { keyId, lastUsedAt, allowedIps, ...operator } = row;
  return { operator, keyId, lastUsedAt, allowedIps };
}

/** Records a use of a key. */
export async function touchOperatorKey(
  tx: Tx,
  operatorId: string,
  keyId: string,
  at: Temporal.Instant,
): Promise<void> {
  await tx.run(
    'UPDATE operator_keys SET last_used_at = $3 WHERE operator_id = $1 AND key_id = $2',
    [operatorId, keyId, at],
  );
}
