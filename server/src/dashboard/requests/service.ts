import type { Tx } from '../../platform/db/db.ts';
import { mapList, type Page } from '../../platform/http/lists/page.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import type { Actor } from '../actor.ts';
import { readActors } from '../actor-store.ts';
import { findRequest, listRequests, type RequestRow } from './store.ts';
import type { RequestDetail, RequestItem, RequestList, RequestQuery } from './view.ts';

/** Returns a page of the request log, newest first. Throws 400 `after`. */
export async function searchRequests(
  { tx, merchantId }: Asked,
  { outcome, method, path }: RequestQuery,
  page: Page,
): Promise<RequestList> {
  const filter = { errorsOnly: outcome === 'errors', method, path };
  const requests = await listRequests(tx, merchantId, filter, page);
  const nameOf = await readActors(tx, merchantId, requests.data.map(actorOf));
  return mapList(requests, (row) => view(row, nameOf(actorOf(row))));
}

/** Returns one request of the log. Throws 404 `not_found`. */
export async function showRequest(tx: Tx, merchantId: string, id: string): Promise<RequestDetail> {
  const row = orNotFound(await findRequest(tx, merchantId, id), 'request');
  const nameOf = await readActors(tx, merchantId, [actorOf(row)]);
  const { idempotencyKey, userAgent, requestBody, responseBody } = row;
  return {
    ...view(row, nameOf(actorOf(row))),
    idempotency_key: idempotencyKey,
    user_agent: userAgent,
    request_body: requestBody,
    response_body: responseBody,
  };
}

const actorOf = ({ callerType, callerId }: RequestRow): string =>
  `${callerType === 'user' ? 'member' : 'api_key'}:${callerId}`;

function view(row: RequestRow, { name }: Actor): RequestItem {
  return {
    id: row.requestId,
    request_id: row.sentId ?? row.requestId,
    at: formatInstant(row.at),
    method: row.method,
    path: row.path,
    status: row.status,
    duration_ms: row.durationMs,
    error_code: row.errorCode,
    caller: { type: row.callerType, id: row.callerId, name },
  };
}
