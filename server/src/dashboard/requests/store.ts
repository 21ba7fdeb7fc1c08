import type { Tx } from '../../platform/db/db.ts';
import { conditions } from '../../platform/http/lists/conditions.ts';

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
  /** Null: a member who has left the team. */
  callerName: string | null;
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

const COLUMNS = `r.request_id, r.sent_id, r.at, r.method, r.path, r.status, r.duration_ms, r.error_code, r.caller_type,
  r.caller_id`;

/** Names are looked up only for the rows that are shown, not for those that are skipped. */
const NAME = `CASE r.caller_type
    WHEN 'api_key' THEN (SELECT k.name FROM api_keys k WHERE k.merchant_id = $1 AND k.key_id = r.caller_id)
    ELSE (SELECT t.name FROM team_members t WHERE t.merchant_id = $1 AND t.user_id = r.caller_id) END AS caller_name`;

/** Returns the newest requests after `after`. */
export function listRequests(
  tx: Tx,
  merchantId: string,
  filter: RequestFilter,
  after: { at: Temporal.Instant; requestId: string } | null,
  limit: number,
): Promise<RequestRow[]> {
  const all = conditions('merchant_id = $1', [merchantId]);
  if (filter.errorsOnly) all.also('status >= 400');
  all.add(filter.method, (method) => `method = ${method}`);
  all.add(filter.path, (path) => `starts_with(path, ${path}::text)`);
  if (after !== null) {
    const [at, id] = [all.values.push(after.at), all.values.push(after.requestId)];
    all.also(`(at, request_id) < ($${at}::timestamptz, $${id}::text)`);
  }
  return tx.rows<RequestRow>(
    `SELECT ${COLUMNS}, ${NAME} FROM (
       SELECT * FROM request_log WHERE ${all.where()} ORDER BY at DESC, request_id DESC
       LIMIT ${Math.trunc(limit)}) r
     ORDER BY r.at DESC, r.request_id DESC`,
    all.values,
  );
}

/** Returns one request of the log, or null. */
export function findRequest(
  tx: Tx,
  merchantId: string,
  requestId: string,
): Promise<RequestDetailRow | null> {
  return tx.row<RequestDetailRow>(
    `SELECT ${COLUMNS}, ${NAME}, r.idempotency_key, r.user_agent, r.request_body, r.response_body
     FROM request_log r WHERE r.merchant_id = $1 AND r.request_id = $2`,
    [merchantId, requestId],
  );
}
