import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../../platform.ts';
import { actorOf } from '../../state/actor.ts';
import { checker } from '../schemas/fields.ts';
import { callerOf } from './auth.ts';
import { refuseUnreadableQuery } from './bodies.ts';
import {
  type Answer,
  hashRequest,
  idempotencyKey,
  onlyOnce,
  type RequestHash,
  takesIdempotencyKey,
} from './idempotency.ts';
import { type Inputs, inputsOf, type RawInputs, refuseUnstorable } from './inputs.ts';
import { callWithOwnTransactions, type Transact } from './own-transactions.ts';
import type { Caller, Route } from './route.ts';

/** Serialises a handler's result into the body of the response. */
type Render = (route: Route) => (result: unknown) => string;

/** Serialises without a check. */
export const render: Render = () => (result) => JSON.stringify(result);

/** Also checks the result against the documented schema; for tests. */
export const renderChecked: Render = (route) => {
  const check = checker(route.response, 'response');
  return (result) => {
    const body = JSON.stringify(result);
    const { details } = check(JSON.parse(body));
    if (details === null) return body;
    throw new Error(`${route.operationId} breaks its schema: ${JSON.stringify(details)}`);
  };
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** Does a call in its transaction. */
async function doCall(
  route: Route,
  toBody: (result: unknown) => string,
  call: Parameters<Route['handle']>[0],
): Promise<Pick<Answer, 'body' | 'leavesWork'>> {
  const result = await route.handle(call);
  return { body: toBody(result), leavesWork: route.leavesWork?.(result) ?? true };
}

/** Returns the transactions of the API, which row-level security confines to the caller's merchant. */
const ofMerchants =
  ({ db }: Platform): Transact =>
  ({ merchantId, actorId, agent }, work, { onlyReads }) =>
    db.forMerchant(
      merchantId,
      work,
      onlyReads ? { onlyReads } : { actor: actorOf(actorId, agent) },
    );

/** Handles a call: reads the inputs, runs one transaction, responds, and wakes the engine if it has work now. */
export function callHandler(
  platform: Platform,
  route: Route,
  renderer: Render,
  transact: Transact = ofMerchants(platform),
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const read = inputsOf(route);
  const toBody = renderer(route);
  const takesKey = takesIdempotencyKey(route);

  const inTransaction = (caller: Caller, now: Temporal.Instant, inputs: Inputs): Promise<Answer> =>
    transact(
      caller,
      async (tx) => ({
        status: 200,
        ...(await doCall(route, toBody, { tx, now, idempotencyKey: null, ...caller, ...inputs })),
        replayed: false,
      }),
      { onlyReads: route.method === 'GET' },
    );

  const once = (
    caller: Caller,
    now: Temporal.Instant,
    raw: RawInputs,
    keyed: { key: string; hash: RequestHash },
  ): Promise<Answer> =>
    transact(
      caller,
      (tx) =>
        onlyOnce(tx, platform.vault, now, { merchantId: caller.merchantId, ...keyed }, async () =>
          doCall(route, toBody, {
            tx,
            now,
            idempotencyKey: keyed.key,
            ...caller,
            ...read(raw, now),
          }),
        ),
      { onlyReads: false },
    );

  return async (request, reply) => {
    const caller = callerOf(request);
    const now = platform.clock.now();
    const raw: RawInputs = {
      params: request.params,
      query: request.query as object,
      body: request.body,
    };
    refuseUnreadableQuery(request.url);
    refuseUnstorable(raw);
    const key = takesKey ? idempotencyKey(request.headers['idempotency-key']) : null;
    const keyed =
      key === null ? null : { key, hash: hashRequest(request.method, request.url, request.body) };
    const answer =
      route.apart !== undefined
        ? await callWithOwnTransactions({ platform, transact }, caller, { now, keyed }, async () =>
            toBody(await route.apart?.({ now, idempotencyKey: key, ...caller, ...read(raw, now) })),
          )
        : keyed === null
          ? await inTransaction(caller, now, read(raw, now))
          : await once(caller, now, raw, keyed);
    if (answer.leavesWork && route.method !== 'GET') platform.wake();
    if (answer.replayed) reply.header('idempotent-replayed', 'true');
    return reply.code(answer.status).type(JSON_TYPE).send(answer.body);
  };
}
