import type { Tx } from '../../platform/db/db.ts';
import { type List, mapList, type Page, readPage } from '../../platform/http/lists/page.ts';
import type { Role } from '../role.ts';
import type { KeyLimits } from './key-limits.ts';
import type { ApiKey } from './keys.ts';

type KeyRow = Omit<ApiKey, 'refused' | 'limits'> & {
  refusedAt: Temporal.Instant | null;
  refusedFrom: string | null;
  limits: (Omit<KeyLimits, 'spentAt'> & { spentAt: string }) | null;
};

const LIMITS = `(SELECT jsonb_build_object('limitsId', limits_id, 'perActPence', per_act_pence, 'perDayPence', per_day_pence,
    'spentAt', spent_at, 'spentPence', spent_pence)
  FROM api_key_limits l WHERE l.merchant_id = api_keys.merchant_id AND l.limits_id = api_keys.limits_id) AS limits`;

const FIELDS = `key_id, name, hint, scopes, made_by, created_at, expires_at, revoked_at, last_used_at, allowed_ips, refused_at,
  refused_from, ${LIMITS}`;

const fromRow = ({ refusedAt: at, refusedFrom: address, limits, ...key }: KeyRow): ApiKey => ({
  ...key,
  limits: limits && { ...limits, spentAt: Temporal.Instant.from(limits.spentAt) },
  refused: at === null || address === null ? null : { at, address },
});

/** Inserts a key under the hash of its secret. */
export async function insertKey(
  tx: Tx,
  merchantId: string,
  key: Pick<
    ApiKey,
    'keyId' | 'name' | 'hint' | 'scopes' | 'madeBy' | 'allowedIps' | 'limits' | 'createdAt'
  >,
  secretHash: Buffer,
): Promise<void> {
  await tx.run(
    `INSERT INTO api_keys (merchant_id, key_id, name, secret_hash, hint, scopes, made_by, created_at, allowed_ips, limits_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      merchantId,
      key.keyId,
      key.name,
      secretHash,
      key.hint,
      [...key.scopes],
      key.madeBy,
      key.createdAt,
      key.allowedIps === null ? null : [...key.allowedIps],
      key.limits?.limitsId ?? null,
    ],
  );
}

/** A key, and the role of the member who made it; null: no member made it, or they have left the team. */
export interface FoundKey {
  key: ApiKey;
  makerRole: Role | null;
}

const WITH_MAKER = `SELECT ${FIELDS},
    (SELECT role FROM members m WHERE m.merchant_id = api_keys.merchant_id AND m.user_id = made_by) AS maker_role
  FROM api_keys`;

type RowWithMaker = KeyRow & { makerRole: Role | null };

const foundIn = (row: RowWithMaker | null): FoundKey | null => {
  if (row === null) return null;
  const { makerRole, ...key } = row;
  return { key: fromRow(key), makerRole };
};

/** Returns the key with this secret, or null. */
export async function findKeyByHash(
  tx: Tx,
  merchantId: string,
  secretHash: Buffer,
): Promise<FoundKey | null> {
  return foundIn(
    await tx.row<RowWithMaker>(`${WITH_MAKER} WHERE merchant_id = $1 AND secret_hash = $2`, [
      merchantId,
      secretHash,
    ]),
  );
}

/** Returns the key with this id, or null. */
export async function findKey(tx: Tx, merchantId: string, keyId: string): Promise<FoundKey | null> {
  return foundIn(
    await tx.row<RowWithMaker>(`${WITH_MAKER} WHERE merchant_id = $1 AND key_id = $2`, [
      merchantId,
      keyId,
    ]),
  );
}

/** Locks and returns a member's keys that have not been revoked. */
export async function lockKeysOf(tx: Tx, merchantId: string, userId: string): Promise<ApiKey[]> {
  const rows = await tx.rows<KeyRow>(
    `SELECT ${FIELDS} FROM api_keys WHERE merchant_id = $1 AND made_by = $2 AND revoked_at IS NULL
     ORDER BY key_id FOR UPDATE`,
    [merchantId, userId],
  );
  return rows.map(fromRow);
}

/** Sets the member with whose membership a key ends. */
export async function setKeyMaker(
  tx: Tx,
  merchantId: string,
  keyId: string,
  madeBy: string,
): Promise<void> {
  await tx.run('UPDATE api_keys SET made_by = $3 WHERE merchant_id = $1 AND key_id = $2', [
    merchantId,
    keyId,
    madeBy,
  ]);
}

/** Locks and returns the key, or null. */
export async function lockKey(tx: Tx, merchantId: string, keyId: string): Promise<ApiKey | null> {
  const row = await tx.row<KeyRow>(
    `SELECT ${FIELDS} FROM api_keys WHERE merchant_id = $1 AND key_id = $2 FOR UPDATE`,
    [merchantId, keyId],
  );
  return row === null ? null : fromRow(row);
}

/** Returns a page of a merchant's keys, newest first. */
export async function listKeys(tx: Tx, merchantId: string, page: Page): Promise<List<ApiKey>> {
  const keys = await readPage<KeyRow>(
    tx,
    {
      columns: FIELDS,
      from: 'api_keys WHERE merchant_id = $1',
      values: [merchantId],
      order: { by: { created_at: 'instant', key_id: 'text' }, isDescending: true },
    },
    page,
  );
  return mapList(keys, fromRow);
}

/** Sets when the key stops working. */
export async function setKeyEnd(
  tx: Tx,
  merchantId: string,
  keyId: string,
  end: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
): Promise<void> {
  await tx.run(
    'UPDATE api_keys SET expires_at = $3, revoked_at = $4 WHERE merchant_id = $1 AND key_id = $2',
    [merchantId, keyId, end.expiresAt, end.revokedAt],
  );
}

/** Sets the addresses that a key may be used from; null: anywhere. */
export async function setKeyAddresses(
  tx: Tx,
  merchantId: string,
  keyId: string,
  allowedIps: readonly string[] | null,
): Promise<void> {
  await tx.run('UPDATE api_keys SET allowed_ips = $3 WHERE merchant_id = $1 AND key_id = $2', [
    merchantId,
    keyId,
    allowedIps === null ? null : [...allowedIps],
  ]);
}

/** Sets whose limits a key has; null: it has none. */
export async function setLimitsOf(
  tx: Tx,
  merchantId: string,
  keyId: string,
  limitsId: string | null,
): Promise<void> {
  await tx.run('UPDATE api_keys SET limits_id = $3 WHERE merchant_id = $1 AND key_id = $2', [
    merchantId,
    keyId,
    limitsId,
  ]);
}

/** Records that a use of the key was refused because of its address. */
export async function noteRefusal(
  tx: Tx,
  merchantId: string,
  keyId: string,
  refused: { at: Temporal.Instant; address: string },
): Promise<void> {
  await tx.run(
    'UPDATE api_keys SET refused_at = $3, refused_from = $4 WHERE merchant_id = $1 AND key_id = $2',
    [merchantId, keyId, refused.at, refused.address],
  );
}

/** Records that the key was used, unless a use after `since` is already recorded. */
export async function touchKey(
  tx: Tx,
  merchantId: string,
  keyId: string,
  now: Temporal.Instant,
  since: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE api_keys SET last_used_at = $3
     WHERE merchant_id = $1 AND key_id = $2 AND (last_used_at IS NULL OR last_used_at <= $4)`,
    [merchantId, keyId, now, since],
  );
}
