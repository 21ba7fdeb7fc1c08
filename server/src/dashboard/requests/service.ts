import type { Tx } from '../../platform/db/db.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor-list.ts';
import { findRequest, listRequests, type RequestRow } from './store.ts';
import type { RequestDetail, RequestItem, RequestList, RequestQuery } from './view.ts';

const ORDER = 'requests';

/** Returns a page of the request log, newest first. Throws 400 `cursor`. */
export async function searchRequests(
  tx: Tx,
  merchantId: string,
  { outcome, method, path, limit, cursor }: RequestQuery,
): Promise<RequestList> {
  const keyset = decodeCursor(cursor, ORDER, ['instant', 'text']);
  const filter = { errorsOnly: outcome === 'errors', method, path };
  const after = keyset === null ? null : { at: keyset[0], requestId: keyset[1] };
  const found = await listRequests(tx, merchantId, filter, after, limit + 1);
  const { rows, next_cursor } = pageOf(found, limit, (last) =>
    encodeCursor(ORDER, [last.at, last.requestId]),
  );
  return { data: rows.map(view), next_cursor };
}

/** Returns one request of the log. Throws 404 `not_found`. */
export async function showRequest(tx: Tx, merchantId: string, id: string): Promise<RequestDetail> {
  const row = orNotFound(await findRequest(tx, merchantId, id), 'request');
  const { idempotencyKey, userAgent, requestBody, responseBody } = row;
  return {
    ...view(row),
    idempotency_key: idempotencyKey,
    user_agent: userAgent,
    request_body: requestBody,
    response_body: responseBody,
  };
}

function view(row: RequestRow): RequestItem {
  return {
    id: row.requestId,
    request_id: row.sentId ?? row.requestId,
    at: formatInstant(row.at),
    method: row.method,
    path: row.path,
    status: row.status,
    duration_ms: row.durationMs,
    error_code: row.errorCode,
    caller: {
      type: row.callerType,
      id: row.callerId,
      name: row.callerName ?? 'a former member',
    },
  };
}
