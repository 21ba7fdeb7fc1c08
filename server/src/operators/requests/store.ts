import type { Tx } from '../../platform/db/db.ts';
import { type List, mapList, type Page, readPage } from '../../platform/http/lists/page.ts';
import type { Work } from '../../platform/platform.ts';
import { moveRows } from '../../platform/state/move-rows.ts';
import { isIn, stateOf } from '../../platform/state/move-statement.ts';
import { transition } from '../../platform/state/state-machine.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { type OperatorRequest, REQUESTS, type RequestKind, type RequestStatus } from './request.ts';

const COLUMNS = `request_id, kind, subject, wish, reason, asked_by, asked_name, asked_at, expires_at, status, ended_by, ended_at,
  end_reason`;

/** A request whose wish is sealed. */
type RequestRow = Omit<OperatorRequest, 'wish' | 'kind'> & { kind: RequestKind; wish: string };

const context = (requestId: string): string => `operator_requests:${requestId}`;

const fromRow = (vault: Vault, row: RequestRow): OperatorRequest =>
  ({
    ...row,
    wish: JSON.parse(vault.open(row.wish, context(row.requestId))),
  }) as OperatorRequest;

/** Inserts a pending request. Violates `operator_requests_pending` if the same waits already. */
export async function insertRequest(tx: Tx, vault: Vault, r: OperatorRequest): Promise<void> {
  await tx.run(
    `INSERT INTO operator_requests (request_id, kind, subject, wish, reason, asked_by, asked_name, asked_at, expires_at, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      r.requestId,
      r.kind,
      r.subject,
      vault.seal(JSON.stringify(r.wish), context(r.requestId)),
      r.reason,
      r.askedBy,
      r.askedName,
      r.askedAt,
      r.expiresAt,
      r.status,
    ],
  );
}

/** Returns, and perhaps locks, a request, or null. */
export async function findRequest(
  tx: Tx,
  vault: Vault,
  requestId: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<OperatorRequest | null> {
  const row = await tx.row<RequestRow>(
    `SELECT ${COLUMNS} FROM operator_requests WHERE request_id = $1 ${lock}`,
    [requestId],
  );
  return row === null ? null : fromRow(vault, row);
}

/** Returns a page of requests, newest first: all, or those that wait. */
export async function listRequests(
  tx: Tx,
  vault: Vault,
  { onlyWaiting, now }: { onlyWaiting: boolean; now: Temporal.Instant },
  page: Page,
): Promise<List<OperatorRequest>> {
  const rows = await readPage<RequestRow>(
    tx,
    {
      columns: COLUMNS,
      from: `operator_requests WHERE (NOT $1 OR (status = 'pending' AND expires_at > $2))`,
      values: [onlyWaiting, now],
      order: { by: { request_id: 'text' }, isDescending: true },
    },
    page,
  );
  return mapList(rows, (row) => fromRow(vault, row));
}

/** How a request ends. */
export interface RequestEnd {
  status: Exclude<RequestStatus, 'pending'>;
  by: string;
  at: Temporal.Instant;
  reason: string;
}

/** Ends a pending request. */
export async function endRequest(
  tx: Tx,
  requestId: string,
  { status, by, at, reason }: RequestEnd,
): Promise<void> {
  await moveRows(tx, at, {
    rows: [requestId],
    move: transition(REQUESTS, ['pending'], status),
    columns: {
      request_id: ['text', (id) => id],
      by: ['text', () => by],
      at: ['timestamptz', () => at],
      reason: ['text', () => reason],
    },
    set: 'ended_by = n.by, ended_at = n.at, end_reason = n.reason',
  });
}

const EXPIRED = transition(REQUESTS, ['pending'], 'expired');
const TAKEN_BACK = transition(REQUESTS, ['pending'], 'taken_back');

/** Ends the requests that nobody has agreed with in time. */
export async function expireRequests(tx: Tx, now: Temporal.Instant): Promise<void> {
  await tx.run(
    `UPDATE operator_requests t SET ${stateOf(EXPIRED)}, ended_by = 'service', ended_at = $1,
       end_reason = 'nobody agreed within seven days'
     WHERE ${isIn(REQUESTS, EXPIRED.from, 't')} AND expires_at <= $1`,
    [now],
  );
}

/** Takes back what an operator who is removed has asked for, and what was asked for about them. */
export async function takeBackRequestsOf(
  { tx, now }: Work,
  operatorId: string,
  by: string,
): Promise<void> {
  await tx.run(
    `UPDATE operator_requests t SET ${stateOf(TAKEN_BACK)}, ended_by = $2, ended_at = $3,
       end_reason = 'the operator was removed'
     WHERE ${isIn(REQUESTS, TAKEN_BACK.from, 't')} AND (asked_by = $1 OR subject = $1)`,
    [operatorId, by, now],
  );
}

/** Counts what waits for a second operator, by kind. */
export async function countWaiting(
  tx: Tx,
  now: Temporal.Instant,
): Promise<{ kind: RequestKind; count: number }[]> {
  return tx.rows(
    `SELECT kind, count(*) AS count FROM operator_requests WHERE status = 'pending' AND expires_at > $1 GROUP BY kind`,
    [now],
  );
}
