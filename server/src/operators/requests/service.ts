import type { Work } from '../../platform/platform.ts';
import { whyNoPair } from '../../platform/two-people/pair.ts';
import { ApiError, orNotFound, violates } from '../../platform/values/errors.ts';
import {
  type Acting,
  mayStillRequest,
  personOf,
  requireRole,
  requireTrusted,
} from '../access/acting.ts';
import { lockOperators } from '../access/books/store.ts';
import { noteOperator } from '../access/present.ts';
import type { OperatorChange } from '../notices/notice.ts';
import { notifySecurity } from '../notices/notify.ts';
import { KIND_WORK } from './kinds.ts';
import {
  type OperatorRequest,
  REQUEST_KINDS,
  REQUEST_LIVES,
  type RequestInput,
  type RequestPayload,
  sentenceOf,
} from './request.ts';
import { endRequest, expireRequests, findRequest, insertRequest } from './store.ts';

/**
 * Asks for what takes two operators. Nothing happens until a second one agrees, within seven days. Throws 403 `forbidden` for a
 * newcomer and without the role, 404 `not_found`, 409 `operation_refused` where it could not be done or is asked for already.
 */
export async function askFor(
  work: Work,
  acting: Acting,
  asking: RequestInput,
): Promise<OperatorRequest> {
  const { platform, tx, now } = work;
  requireRole(acting, REQUEST_KINDS[asking.kind]);
  await lockOperators(tx);
  await requireTrusted(tx, now, acting);
  await expireRequests(tx, now);
  const called = await check(work, asking);
  const request: OperatorRequest = {
    ...asking,
    requestId: platform.ids.next('orq', now),
    askedBy: acting.id,
    askedName: acting.name,
    askedAt: now,
    expiresAt: now.add(REQUEST_LIVES),
    status: 'pending',
    endedBy: null,
    endedAt: null,
    endReason: null,
  };
  try {
    await insertRequest(tx, platform.vault, request);
  } catch (error) {
    if (!violates(error, 'operator_requests_pending')) throw error;
    throw new ApiError(
      'operation_refused',
      'The same is asked for already: it waits for a second.',
    );
  }
  const sentence = sentenceOf(asking, called);
  await note(work, request, 'operator_request_asked', `${sentence}: ${asking.reason}`);
  await notifyOfRequest(work, 'request_asked', sentence, `${acting.name} asks to`, asking.reason);
  return request;
}

/**
 * Agrees with a request as a second operator, and does it. Throws 403 `forbidden` without the role, 404 `not_found`, 409
 * `operation_refused` for whoever is no second person beside the first, and where it cannot be done any more.
 */
export async function agreeWith(
  work: Work,
  acting: Acting,
  requestId: string,
  reason: string,
): Promise<OperatorRequest> {
  const { platform, tx, now } = work;
  await lockOperators(tx);
  const request = await lockWaiting(work, requestId);
  const role = REQUEST_KINDS[request.kind];
  requireRole(acting, role);
  const asking = { id: request.askedBy, name: request.askedName };
  const asker = await personOf(tx, asking);
  const second = await personOf(tx, acting);
  const problem = whyNoPair({ asker, askedAt: request.askedAt, second, now });
  if (problem !== null) throw new ApiError('operation_refused', problem);
  if (!(await mayStillRequest(tx, request.askedBy, role)))
    throw new ApiError('operation_refused', 'Whoever asked for it may not ask for it any more.');
  const called = await check(work, request);
  await endRequest(tx, requestId, { status: 'agreed', by: acting.id, at: now, reason });
  const sentence = sentenceOf(request, called);
  const why = `${sentence}, asked for by ${request.askedName}: ${reason}`;
  await note(work, request, 'operator_request_agreed', why);
  await perform(work, request, acting);
  await notifyOfRequest(
    work,
    'request_agreed',
    sentence,
    `${request.askedName} and ${acting.name}:`,
    reason,
  );
  return orNotFound(await findRequest(tx, platform.vault, requestId), 'request');
}

/** Takes back a request that waits, whoever asked. Throws 403 `forbidden` without the role, 404 `not_found`. */
export async function withdraw(
  work: Work,
  acting: Acting,
  requestId: string,
  reason: string,
): Promise<OperatorRequest> {
  const { platform, tx, now } = work;
  const request = await lockWaiting(work, requestId);
  if (acting.id !== request.askedBy) {
    requireRole(acting, REQUEST_KINDS[request.kind]);
    await requireTrusted(tx, now, acting);
  }
  await endRequest(tx, requestId, { status: 'taken_back', by: acting.id, at: now, reason });
  await note(work, request, 'operator_request_taken_back', reason);
  const sentence = sentenceOf(request, request.subject);
  await notifyOfRequest(work, 'request_taken_back', sentence, `${acting.name} took back:`, reason);
  return orNotFound(await findRequest(tx, platform.vault, requestId), 'request');
}

async function lockWaiting(
  { platform, tx, now }: Work,
  requestId: string,
): Promise<OperatorRequest> {
  await expireRequests(tx, now);
  const request = orNotFound(
    await findRequest(tx, platform.vault, requestId, 'FOR UPDATE'),
    'request',
  );
  if (request.status !== 'pending')
    throw new ApiError(
      'operation_refused',
      `The request is ${request.status.replace('_', ' ')} already.`,
    );
  return request;
}

/** The kind, its wish and its work belong together, which a type cannot say of a union. */
type AnyWork = {
  check(work: Work, subject: string, wish: unknown): Promise<string>;
  perform(work: Work, request: OperatorRequest, second: Acting): Promise<void>;
};
const workOf = (kind: RequestPayload['kind']): AnyWork => KIND_WORK[kind] as unknown as AnyWork;

const check = (
  work: Work,
  { kind, subject, wish }: RequestPayload & { subject: string },
): Promise<string> => workOf(kind).check(work, subject, wish);

const perform = (work: Work, request: OperatorRequest, second: Acting): Promise<void> =>
  workOf(request.kind).perform(work, request, second);

const note = (work: Work, { requestId }: OperatorRequest, to: string, why: string): Promise<void> =>
  noteOperator(work, requestId, to, why);

async function notifyOfRequest(
  work: Work,
  what: OperatorChange,
  sentence: string,
  who: string,
  reason: string,
): Promise<void> {
  const line = `${who} ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  await notifySecurity(work, {
    what,
    subject: line,
    lines: [`${line}.`, `The reason: ${reason}`, 'If you did not expect this, look into it now.'],
  });
}
