import type { Tx } from '../platform/db.ts';
import { earliest } from '../platform/engine.ts';
import { oneOf } from '../platform/one-of.ts';
import { type EndpointStatus, OVERLAP } from './endpoint.ts';

/** Where a merchant wants its events. Secrets are sealed; only signing opens them. */
export interface EndpointRow {
  merchant_id: string;
  endpoint_id: string;
  url: string;
  description: string;
  event_kinds: string[];
  status: EndpointStatus;
  secret: string;
  next_secret: string | null;
  /** When the next secret was made. */
  next_secret_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
  updated_at: Temporal.Instant;
}

const COLUMNS = `merchant_id, endpoint_id, url, description, event_kinds, status, secret, next_secret, next_secret_at,
  created_at, updated_at`;

export type NewEndpoint = Pick<
  EndpointRow,
  'merchant_id' | 'endpoint_id' | 'url' | 'description' | 'event_kinds' | 'secret'
>;

/** Inserts an enabled endpoint. */
export async function insertEndpoint(
  tx: Tx,
  e: NewEndpoint,
  now: Temporal.Instant,
): Promise<EndpointRow> {
  const row = await tx.row<EndpointRow>(
    `INSERT INTO webhook_endpoints (merchant_id, endpoint_id, url, description, event_kinds, status, secret,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, 'enabled', $6, $7, $7) RETURNING ${COLUMNS}`,
    [e.merchant_id, e.endpoint_id, e.url, e.description, e.event_kinds, e.secret, now],
  );
  if (row === null) throw new Error('an insert answered nothing');
  return row;
}

/** How many there are, deleted ones left out. */
export async function countEndpoints(tx: Tx, merchantId: string): Promise<number> {
  const row = await tx.row<{ total: number }>(
    `SELECT count(*)::int AS total FROM webhook_endpoints WHERE merchant_id = $1 AND status <> 'deleted'`,
    [merchantId],
  );
  return row?.total ?? 0;
}

/** By id, deleted ones left out. */
export function findEndpoint(
  tx: Tx,
  merchantId: string,
  endpointId: string,
): Promise<EndpointRow | null> {
  return tx.row<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints
     WHERE merchant_id = $1 AND endpoint_id = $2 AND status <> 'deleted'`,
    [merchantId, endpointId],
  );
}

/** By id and locked for a change, deleted ones left out. */
export function lockEndpoint(
  tx: Tx,
  merchantId: string,
  endpointId: string,
): Promise<EndpointRow | null> {
  return tx.row<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints
     WHERE merchant_id = $1 AND endpoint_id = $2 AND status <> 'deleted' FOR NO KEY UPDATE`,
    [merchantId, endpointId],
  );
}

/**
 * The endpoints of these merchants, deleted ones left out, their status held still until the transaction ends: whoever
 * makes a delivery due does so under this lock, so that no delivery is left pending at an endpoint that was disabled.
 */
export function holdEndpoints(tx: Tx, merchantIds: readonly string[]): Promise<EndpointRow[]> {
  return tx.rows<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints WHERE merchant_id = ANY($1::text[]) AND status <> 'deleted'
     ORDER BY merchant_id, endpoint_id FOR SHARE`,
    [merchantIds],
  );
}

/** A page of the merchant's endpoints, newest first, and how many there are. */
export async function listEndpoints(
  tx: Tx,
  merchantId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: EndpointRow[]; total: number }> {
  const rows = await tx.rows<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints WHERE merchant_id = $1 AND status <> 'deleted'
     ORDER BY created_at DESC, endpoint_id DESC LIMIT $2 OFFSET $3`,
    [merchantId, page.limit, page.offset],
  );
  const counted = await tx.row<{ total: number }>(
    `SELECT count(*) AS total FROM webhook_endpoints WHERE merchant_id = $1 AND status <> 'deleted'`,
    [merchantId],
  );
  return { rows, total: counted?.total ?? 0 };
}

/** Writes what can change of an endpoint. Of one that is enabled nothing is left to be put aside. */
export async function saveEndpoint(tx: Tx, e: EndpointRow): Promise<void> {
  await tx.run(
    `UPDATE webhook_endpoints SET url = $3, description = $4, event_kinds = $5, status = $6, secret = $7,
       next_secret = $8, next_secret_at = $9, updated_at = $10, due_at = CASE WHEN $6 = 'enabled' THEN NULL ELSE due_at END
     WHERE merchant_id = $1 AND endpoint_id = $2`,
    [
      e.merchant_id,
      e.endpoint_id,
      e.url,
      e.description,
      e.event_kinds,
      e.status,
      e.secret,
      e.next_secret,
      e.next_secret_at,
      e.updated_at,
    ],
  );
}

/** Lets the next secrets that were made at or before `madeBefore` sign from now on; answers how many. */
export function activateSecrets(
  tx: Tx,
  now: Temporal.Instant,
  madeBefore: Temporal.Instant,
  limit: number,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_endpoints SET secret = next_secret, next_secret = NULL, next_secret_at = NULL, updated_at = $1
     WHERE next_secret_at <= $2
       AND ${oneOf('SELECT ctid FROM webhook_endpoints WHERE next_secret_at <= $2 ORDER BY next_secret_at LIMIT $3')}`,
    [now, madeBefore, limit],
  );
}

const OLDEST_NEXT = earliest('next_secret_at', 'webhook_endpoints', 'next_secret_at IS NOT NULL');

/** When the oldest of all next secrets signs automatically. */
export const NEXT_ROTATION = `${OLDEST_NEXT} + interval '${OVERLAP}'`;

/** How many deliveries each of these endpoints has held back. */
export async function countHeld(
  tx: Tx,
  merchantId: string,
  endpointIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ endpoint_id: string; held: number }>(
    `SELECT endpoint_id, count(*) AS held FROM deliveries
     WHERE merchant_id = $1 AND status = 'held' AND endpoint_id = ANY($2::text[])
     GROUP BY endpoint_id`,
    [merchantId, endpointIds],
  );
  return new Map(rows.map((row) => [row.endpoint_id, row.held]));
}
