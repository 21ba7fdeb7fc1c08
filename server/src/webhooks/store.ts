import type { Tx } from '../platform/db/db.ts';
import { dueBy } from '../platform/engine/due.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import { moveRows } from '../platform/state/move-rows.ts';
import { transition } from '../platform/state/state-machine.ts';
import { oneOf } from '../platform/values/one-of.ts';
import { ENDPOINTS, type EndpointStatus, OVERLAP } from './endpoint.ts';

/** A merchant's webhook endpoint. Secrets are sealed; only signing opens them. */
export interface EndpointRow {
  merchantId: string;
  endpointId: string;
  url: string;
  description: string;
  eventKinds: string[];
  status: EndpointStatus;
  secret: string;
  nextSecret: string | null;
  /** When the next secret was made. */
  nextSecretAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
}

const COLUMNS = `merchant_id, endpoint_id, url, description, event_kinds, status, secret, next_secret, next_secret_at,
  created_at, updated_at`;

export type NewEndpoint = Pick<
  EndpointRow,
  'merchantId' | 'endpointId' | 'url' | 'description' | 'eventKinds' | 'secret'
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
    [e.merchantId, e.endpointId, e.url, e.description, e.eventKinds, e.secret, now],
  );
  if (row === null) throw new Error('an insert answered nothing');
  return row;
}

/** Counts the merchant's endpoints, without deleted ones. */
export async function countEndpoints(tx: Tx, merchantId: string): Promise<number> {
  const row = await tx.row<{ total: number }>(
    `SELECT count(*)::int AS total FROM webhook_endpoints WHERE merchant_id = $1 AND status <> 'deleted'`,
    [merchantId],
  );
  return row?.total ?? 0;
}

/** Finds, and perhaps locks, an endpoint by id, unless it is deleted. */
export function findEndpoint(
  tx: Tx,
  merchantId: string,
  endpointId: string,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<EndpointRow | null> {
  return tx.row<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoints
     WHERE merchant_id = $1 AND endpoint_id = $2 AND status <> 'deleted' ${lock}`,
    [merchantId, endpointId],
  );
}

/** An endpoint, and whether deliveries to it are due already and not begun. */
export type LockedEndpoint = EndpointRow & { hasWaiting: boolean };

/**
 * Returns the endpoints of these merchants, without deleted ones, locked against a change of status until the transaction
 * ends. Deliveries are made due only under this lock, so that none is left pending at a disabled endpoint; whoever has the
 * stronger lock of a change waits for nothing that an appending transaction has locked.
 */
export function lockEndpoints(
  tx: Tx,
  merchantIds: readonly string[],
  now: Temporal.Instant,
): Promise<LockedEndpoint[]> {
  return tx.rows<LockedEndpoint>(
    `SELECT ${COLUMNS}, EXISTS (SELECT FROM deliveries d WHERE d.merchant_id = w.merchant_id
       AND d.endpoint_id = w.endpoint_id AND d.due_at <= $2) AS has_waiting
     FROM webhook_endpoints w WHERE merchant_id = ANY($1::text[]) AND status <> 'deleted'
     ORDER BY merchant_id, endpoint_id FOR SHARE OF w`,
    [merchantIds, now],
  );
}

/** Returns a page of the merchant's endpoints, newest first. */
export async function listEndpoints(
  tx: Tx,
  merchantId: string,
  page: Page,
): Promise<List<EndpointRow>> {
  return readPage<EndpointRow>(
    tx,
    {
      columns: COLUMNS,
      from: "webhook_endpoints WHERE merchant_id = $1 AND status <> 'deleted'",
      values: [merchantId],
      order: { by: { created_at: 'instant', endpoint_id: 'text' }, isDescending: true },
    },
    page,
  );
}

/** Saves what can change of an endpoint besides its status. */
export async function saveEndpoint(tx: Tx, e: EndpointRow): Promise<void> {
  await tx.run(
    `UPDATE webhook_endpoints SET url = $3, description = $4, event_kinds = $5, secret = $6,
       next_secret = $7, next_secret_at = $8, updated_at = $9
     WHERE merchant_id = $1 AND endpoint_id = $2`,
    [
      e.merchantId,
      e.endpointId,
      e.url,
      e.description,
      e.eventKinds,
      e.secret,
      e.nextSecret,
      e.nextSecretAt,
      e.updatedAt,
    ],
  );
}

/** Gives a locked endpoint another status, along an edge of the table: the only writer of its status. */
export async function moveEndpoint(
  tx: Tx,
  now: Temporal.Instant,
  { status: from, ...endpoint }: EndpointRow,
  to: EndpointStatus,
): Promise<void> {
  await moveRows(tx, now, {
    rows: [endpoint],
    move: transition(ENDPOINTS, [from], to),
    columns: {
      merchant_id: ['text', ({ merchantId }) => merchantId],
      endpoint_id: ['text', ({ endpointId }) => endpointId],
    },
    audit: ({ merchantId, endpointId, url }) => ({
      merchantId,
      objectId: endpointId,
      scheduleId: null,
      reason: url,
    }),
  });
}

const UNLOCKED_NEXT = `SELECT ctid FROM webhook_endpoints WHERE next_secret_at <= $2
  ORDER BY next_secret_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * Activates the next secrets that were made at or before `madeBefore`; returns how many. Skips locked endpoints: it locks
 * several, and transactions that append events lock them in another order.
 */
export function activateSecrets(
  tx: Tx,
  now: Temporal.Instant,
  madeBefore: Temporal.Instant,
  limit: number,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_endpoints SET secret = next_secret, next_secret = NULL, next_secret_at = NULL, updated_at = $1
     WHERE next_secret_at <= $2
       AND ${oneOf(UNLOCKED_NEXT)}`,
    [now, madeBefore, limit],
  );
}

/** The stage has work when the oldest of all next secrets is to be activated. */
export const nextRotation = dueBy({
  table: 'webhook_endpoints',
  moment: 'next_secret_at',
  where: 'next_secret_at IS NOT NULL',
  after: `${OVERLAP}`,
});

/** How many deliveries of an endpoint have not arrived: `held` while it was disabled, and `undelivered` after a failure. */
export interface Missing {
  held: number;
  undelivered: number;
}

/** Returns what each of these endpoints has not got; endpoints that got everything are absent. */
export async function countMissing(
  tx: Tx,
  merchantId: string,
  endpointIds: readonly string[],
): Promise<Map<string, Missing>> {
  const rows = await tx.rows<Missing & { endpointId: string }>(
    `SELECT endpoint_id, count(*) FILTER (WHERE status = 'held') AS held,
            count(*) FILTER (WHERE status = 'failed' OR (status = 'pending' AND failures > 0)) AS undelivered
     FROM undelivered_deliveries WHERE merchant_id = $1 AND endpoint_id = ANY($2::text[])
     GROUP BY endpoint_id`,
    [merchantId, endpointIds],
  );
  return new Map(rows.map((row) => [row.endpointId, row]));
}
