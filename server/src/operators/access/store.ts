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

interface OperatorRow {
  operator_id: string;
  name: string;
  created_at: Temporal.Instant;
  created_by: string;
  removed_at: Temporal.Instant | null;
  removed_by: string | null;
  keys: number;
  email: string | null;
  linked_at: Temporal.Instant | null;
  confirms_from: Temporal.Instant | null;
}

const OPERATORS = `SELECT o.operator_id, o.name, o.created_at, o.created_by, o.removed_at, o.removed_by, o.confirms_from,
    (SELECT count(*) FROM operator_keys k WHERE k.operator_id = o.operator_id AND k.revoked_at IS NULL) AS keys,
    i.email, i.linked_at
  FROM operators o LEFT JOIN operator_identities i ON i.operator_id = o.operator_id`;

const fromRow = (row: OperatorRow): ListedOperator => ({
  operatorId: row.operator_id,
  name: row.name,
  createdAt: row.created_at,
  createdBy: row.created_by,
  removedAt: row.removed_at,
  removedBy: row.removed_by,
  keys: row.keys,
  email: row.email,
  linkedAt: row.linked_at,
  confirmsFrom: row.confirms_from,
});

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
export async function findOperator(tx: Tx, operatorId: string): Promise<ListedOperator | null> {
  const row = await tx.row<OperatorRow>(`${OPERATORS} WHERE o.operator_id = $1`, [operatorId]);
  return row === null ? null : fromRow(row);
}

/** Locks and returns an operator by id or by name, or null. */
export async function lockOperator(tx: Tx, idOrName: string): Promise<ListedOperator | null> {
  const row = await tx.row<OperatorRow>(
    `${OPERATORS} WHERE o.operator_id = $1 OR o.name = $1 FOR UPDATE OF o`,
    [idOrName],
  );
  return row === null ? null : fromRow(row);
}

/** Returns a page of operators, newest first, and how many there are. */
export async function listOperators(
  tx: Tx,
  limit: number,
  offset: number,
): Promise<{ operators: ListedOperator[]; total: number }> {
  const [rows, count] = await Promise.all([
    tx.rows<OperatorRow>(`${OPERATORS} ORDER BY o.operator_id DESC LIMIT $1 OFFSET $2`, [
      limit,
      offset,
    ]),
    tx.row<{ total: number }>('SELECT count(*) AS total FROM operators'),
  ]);
  return { operators: rows.map(fromRow), total: count?.total ?? 0 };
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

interface KeyRow {
  key_id: string;
  name: string;
  hint: string;
  created_at: Temporal.Instant;
  revoked_at: Temporal.Instant | null;
  last_used_at: Temporal.Instant | null;
}

const KEY_COLUMNS = 'key_id, name, hint, created_at, revoked_at, last_used_at';

const keyFromRow = (row: KeyRow): OperatorKey => ({
  keyId: row.key_id,
  name: row.name,
  hint: row.hint,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
});

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
  limit: number,
  offset: number,
): Promise<{ keys: OperatorKey[]; total: number }> {
  const [rows, count] = await Promise.all([
    tx.rows<KeyRow>(
      `SELECT ${KEY_COLUMNS} FROM operator_keys WHERE operator_id = $1 ORDER BY key_id DESC LIMIT $2 OFFSET $3`,
      [operatorId, limit, offset],
    ),
    tx.row<{ total: number }>(
      'SELECT count(*) AS total FROM operator_keys WHERE operator_id = $1',
      [operatorId],
    ),
  ]);
  return { keys: rows.map(keyFromRow), total: count?.total ?? 0 };
}

/** Revokes an operator's valid keys: one, or all. Returns those revoked. */
export async function revokeOperatorKeys(
  tx: Tx,
  operatorId: string,
  keyId: string | null,
  at: Temporal.Instant,
): Promise<OperatorKey[]> {
  const rows = await tx.rows<KeyRow>(
    `UPDATE operator_keys SET revoked_at = $3
     WHERE operator_id = $1 AND ($2::text IS NULL OR key_id = $2) AND revoked_at IS NULL RETURNING ${KEY_COLUMNS}`,
    [operatorId, keyId, at],
  );
  return rows.map(keyFromRow);
}

/** Returns the operator with a valid key of this secret, and the key; null: there is none. */
export async function findOperatorByKey(
  tx: Tx,
  secretHash: Buffer,
): Promise<{ operator: Operator; keyId: string; lastUsedAt: Temporal.Instant | null } | null> {
  const row = await tx.row<{
    operator_id: string;
    name: string;
    key_id: string;
    last_used_at: Temporal.Instant | null;
  }>(
    `SELECT o.operator_id, o.name, k.key_id, k.last_used_at FROM operator_keys k
     JOIN operators o ON o.operator_id = k.operator_id
     WHERE k.secret_hash = $1 AND k.revoked_at IS NULL AND o.removed_at IS NULL`,
    [secretHash],
  );
  if (row === null) return null;
  const operator = { operatorId: row.operator_id, name: row.name };
  return { operator, keyId: row.key_id, lastUsedAt: row.last_used_at };
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
