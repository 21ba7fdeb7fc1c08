import type { Tx } from '../../platform/db/db.ts';
import { conditions } from '../../platform/http/lists/conditions.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';

export interface RequestRow {
  requestId: string;
  sentId: string | null;
  at: Temporal.Instant;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  errorCode: string | null;
  callerType: 'api_key' | 'user';
  callerId: string;
}

export interface RequestDetailRow extends RequestRow {
  idempotencyKey: string | null;
  userAgent: string | null;
  requestBody: string | null;
  responseBody: string | null;
}

export interface RequestFilter {
  errorsOnly: boolean;
  method?: string | undefined;
  /** A prefix of the path. */
  path?: string | undefined;
}

const COLUMNS = `request_id, sent_id, at, method, path, status, duration_ms, error_code, caller_type, caller_id`;

const NEWEST = { by: { at: 'instant', request_id: 'text' }, isDescending: true } as const;

/** Returns a page of requests, newest first. */
export function listRequests(
  tx: Tx,
  merchantId: string,
  filter: RequestFilter,
  page: Page,
): Promise<List<RequestRow>> {
  const all = conditions('merchant_id = $1', [merchantId]);
  if (filter.errorsOnly) all.also('status >= 400');
  all.add(filter.method, (method) => `method = ${method}`);
  all.add(filter.path, (path) => `starts_with(path, ${path}::text)`);
  const from = `request_log WHERE ${all.where()}`;
  const { values } = all;
  return readPage<RequestRow>(tx, { columns: COLUMNS, from, values, order: NEWEST }, page);
}

/** Returns one request of the log, or null. */
export function findRequest(
  tx: Tx,
  merchantId: string,
  requestId: string,
): Promise<RequestDetailRow | null> {
  return tx.row<RequestDetailRow>(
    `SELECT ${COLUMNS}, idempotency_key, user_agent, request_body, response_body
     FROM request_log WHERE merchant_id = $1 AND request_id = $2`,
    [merchantId, requestId],
  );
}
