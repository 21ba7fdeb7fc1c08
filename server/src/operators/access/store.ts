import { asFields } from '../../platform/db/columns.ts';
import { type Page, readPage } from '../../platform/db/page.ts';
import type { Tx } from '../../platform/db.ts';
import type { Operator, OperatorKey } from './operator-key.ts';

/** An operator as listed. Instants are real time. */
export interface ListedOperator extends Operator {
  createdAt: Temporal.Instant;
  createdBy: string;
  removedAt: Temporal.Instant | null;
  removedBy: string | null;
  /** How many keys are valid. */
  keys: number;
  /** By which they sign in to the console through the identity provider; null: they do not. */
  email: string | null;
  /** Since when an account there is theirs; null: they have not signed in with it. */
  linkedAt: Temporal.Instant | null;
  /** From when they count as a second person, in business time; null: always. */
  confirmsFrom: Temporal.Instant | null;
}

const OF_OPERATOR =
  'o.operator_id, o.name, o.created_at, o.created_by, o.removed_at, o.removed_by, o.confirms_from';
const OPERATORS = `SELECT ${asFields(OF_OPERATOR)},
    (SELECT count(*) FROM operator_keys k WHERE k.operator_id = o.operator_id AND k.revoked_at IS NULL) AS keys,
    i.email, i.linked_at AS "linkedAt"
  FROM operators o LEFT JOIN operator_identities i ON i.operator_id = o.operator_id`;

/** Inserts an operator. Violates `operators_one_per_name` if the name was ever used. */
export async function insertOperator(
  tx: Tx,
  { operatorId, name }: Operator,
  createdAt: Temporal.Instant,
  createdBy: string,
): Promise<void> {
  await tx.run(
    'INSERT INTO operators (operator_id, name, created_at, created_by) VALUES ($1, $2, $3, $4)',
    [operatorId, name, createdAt, createdBy],
  );
}

/** Returns an operator by id, or null. */
export function findOperator(tx: Tx, operatorId: string): Promise<ListedOperator | null> {
  return tx.row<ListedOperator>(`${OPERATORS} WHERE o.operator_id = $1`, [operatorId]);
}

/** Locks and returns an operator by id or by name, or null. */
export function lockOperator(tx: Tx, idOrName: string): Promise<ListedOperator | null> {
  return tx.row<ListedOperator>(
    `${OPERATORS} WHERE o.operator_id = $1 OR o.name = $1 FOR UPDATE OF o`,
    [idOrName],
  );
}

/** Returns a page of operators, newest first, and how many there are. */
export async function listOperators(
  tx: Tx,
  limit: number,
  offset: number,
): Promise<{ operators: ListedOperator[]; total: number }> {
  const [operators, count] = await Promise.all([
    tx.rows<ListedOperator>(`${OPERATORS} ORDER BY o.operator_id DESC LIMIT $1 OFFSET $2`, [
      limit,
      offset,
    ]),
    tx.row<{ total: number }>('SELECT count(*) AS total FROM operators'),
  ]);
  return { operators, total: count?.total ?? 0 };
}

/** Sets from when an operator counts as a second person. */
export async function setConfirmsFrom(
  tx: Tx,
  operatorId: string,
  from: Temporal.Instant,
): Promise<void> {
  await tx.run('UPDATE operators SET confirms_from = $2 WHERE operator_id = $1', [
    operatorId,
    from,
  ]);
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

const KEY_FIELDS = asFields('key_id, name, hint, created_at, revoked_at, last_used_at');

/** Inserts a key under the hash of its secret. */
export async function insertOperatorKey(
  tx: Tx,
  operatorId: string,
  key: OperatorKey,
  secretHash: Buffer,
): Promise<void> {
  await tx.run(
    `INSERT INTO operator_keys (operator_id, key_id, name, secret_hash, hint, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [operatorId, key.keyId, key.name, secretHash, key.hint, key.createdAt],
  );
}

/** Returns a page of an operator's keys, newest first, and how many there are. */
export async function listOperatorKeys(
  tx: Tx,
  operatorId: string,
  page: Page,
): Promise<{ rows: OperatorKey[]; total: number }> {
  return readPage<OperatorKey>(
    tx,
    {
      columns: KEY_FIELDS,
      from: 'operator_keys WHERE operator_id = $1',
      values: [operatorId],
      order: 'key_id DESC',
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
    `UPDATE operator_keys SET revoked_at = $3
     WHERE operator_id = $1 AND ($2::text IS NULL OR key_id = $2) AND revoked_at IS NULL RETURNING ${KEY_FIELDS}`,
    [operatorId, keyId, at],
  );
}

/** Returns the operator with a valid key of this secret, and the key; null: there is none. */
export async function findOperatorByKey(
  tx: Tx,
  secretHash: Buffer,
): Promise<{ operator: Operator; keyId: string; lastUsedAt: Temporal.Instant | null } | null> {
  const row = await tx.row<Operator & { keyId: string; lastUsedAt: Temporal.Instant | null }>(
    `SELECT ${asFields('o.operator_id, o.name, k.key_id, k.last_used_at')} FROM operator_keys k
     JOIN operators o ON o.operator_id = k.operator_id
     WHERE k.secret_hash = $1 AND k.revoked_at IS NULL AND o.removed_at IS NULL`,
    [secretHash],
  );
  if (row === null) return null;
  const { keyId, lastUsedAt, ...operator } = row;
  return { operator, keyId, lastUsedAt };
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
