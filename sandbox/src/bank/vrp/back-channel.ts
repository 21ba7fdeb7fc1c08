import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { realNow } from '../../clock.ts';
import type { Bank, BankDeps } from '../bank.ts';
import { checkInteractionId } from '../behaviour/contracts.ts';
import type { Fault } from '../behaviour/faults.ts';
import { accountBehind } from '../books/books.ts';
import { quirkOf, quirksOf } from '../books/quirks-in-force.ts';
import { checkAccess, type TokenKind } from '../doors/access.ts';
import type { Call, Reply } from '../doors/call.ts';
import { requireClient } from '../parties/third-parties.ts';
import type { Json } from '../wire/fields.ts';
import { keyedRequest } from '../wire/idempotency.ts';
import { signMessage, verifyMessage } from '../wire/message-signature.ts';
import { ApiProblem, problemBody, refused } from '../wire/problem.ts';
import { createRateLimits } from './rate-limits.ts';
import { getConsent, postConsent, postFundsConfirmation, removeConsent } from './vrp-consents.ts';
import { getPayment, getPaymentDetails, postPayment } from './vrp-payments.ts';

/** The VRP endpoints of every bank, and the checks that every call passes through. */

interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  token: TokenKind;
  handle: (call: Call) => Reply;
}

const CONSENTS = '/domestic-vrp-consents';
const PAYMENTS = '/domestic-vrps';

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: CONSENTS, token: 'client', handle: postConsent },
  { method: 'GET', path: `${CONSENTS}/:id`, token: 'client', handle: getConsent },
  { method: 'DELETE', path: `${CONSENTS}/:id`, token: 'client', handle: removeConsent },
  {
    method: 'POST',
    path: `${CONSENTS}/:id/funds-confirmation`,
    token: 'customer',
    handle: postFundsConfirmation,
  },
  { method: 'POST', path: PAYMENTS, token: 'customer', handle: postPayment },
  { method: 'GET', path: `${PAYMENTS}/:id`, token: 'client', handle: getPayment },
  {
    method: 'GET',
    path: `${PAYMENTS}/:id/payment-details`,
    token: 'client',
    handle: getPaymentDetails,
  },
];

/** The names of the calls, e.g. `GET /domestic-vrps/:id`. */
export const CALLS: readonly string[] = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);

type Params = { bank?: string; id?: string };

/** Adds the VRP endpoints to the back channel. */
export function registerBackChannel(app: FastifyInstance, deps: BankDeps): void {
  const isOut = createOutages();
  const countCall = createRateLimits();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  for (const { method, path, token, handle } of ENDPOINTS) {
    const url = `/:bank/open-banking/v4.0/pisp${path}`;
    app.route<{ Params: Params }>({
      method,
      url,
      handler: async (request, reply) => {
        const bank = deps.banks.get(request.params.bank ?? '');
        if (!bank) throw new ApiProblem(404, undefined, 'No such bank');
        if (isOut(bank, request)) throw new ApiProblem(503, 'U000', 'Temporarily unavailable');
        if (!countCall(bank.brand, reply)) throw new ApiProblem(429, undefined, 'Too many calls');
        const fault = faultOf(deps, bank, `${method} ${path}`, request);
        if (typeof fault === 'number') return answerBare(reply, fault);
        if (fault === 'lost_request') return dropConnection(reply);
        const call = await authenticateCall(deps, bank, request, token);
        const done = handle(call);
        return fault === 'lost_answer' ? dropConnection(reply) : answer(reply, done);
      },
    });
  }
  app.addHook('onSend', (request, reply, payload) => finish(deps, request, reply, payload));
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, asProblem(error)));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
}

/** Checks the token, then the signature, before a call is processed. */
async function authenticateCall(
  deps: BankDeps,
  bank: Bank,
  request: FastifyRequest<{ Params: Params }>,
  token: TokenKind,
): Promise<Call> {
  const access = await checkAccess(bank, request.raw, token);
  checkInteractionId(bank.brand.contract, headerOf(request, 'x-fapi-interaction-id'));
  const body = Buffer.isBuffer(request.body) ? request.body : null;
  const signature = headerOf(request, 'x-jws-signature');
  if (request.method === 'POST') {
    const { orgId, softwareId, jwks } = requireClient(deps, bank.brand.bankId, access.clientId);
    const signer = { issuer: `${orgId}/${softwareId}`, jwks };
    await verifyMessage(signature, body ?? new Uint8Array(), signer, epochSeconds());
  } else if (signature) {
    throw refused('U020', 'This call takes no x-jws-signature', 'x-jws-signature');
  }
  const operation = `${request.method} ${request.url}`;
  return {
    deps,
    bank,
    access,
    now: deps.clock.now(),
    id: request.params.id ?? '',
    body: () => parseBody(body),
    keyed: () => {
      const given = headerOf(request, 'x-idempotency-key');
      const keyed = keyedRequest(given, operation, body ?? new Uint8Array());
      // Each client chooses its own keys.
      return access.clientId === deps.config.tpp.client_id
        ? keyed
        : { ...keyed, key: `${access.clientId} ${keyed.key}` };
    },
  };
}

function answer(reply: FastifyReply, { status, body, drop }: Reply): FastifyReply {
  if (drop) return dropConnection(reply);
  return body ? reply.code(status).send(body) : reply.code(status).send();
}

function dropConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.destroy();
  return reply;
}

/** Responds like a gateway in front of the bank: no body, no signature, no interaction id. */
function answerBare(reply: FastifyReply, status: number): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(status, { 'content-length': '0' }).end();
  return reply;
}

/** Returns the fault of this call: one that was ordered, or one from the quirks of the bank or the account. */
function faultOf(
  deps: BankDeps,
  bank: Bank,
  call: string,
  request: FastifyRequest<{ Params: Params }>,
): Fault | null {
  const { bankId } = bank.brand;
  const quirks = [...quirksOf(deps.store, bank.brand)].map((quirk) => ({ scope: bankId, quirk }));
  const body = Buffer.isBuffer(request.body) ? request.body : null;
  const account = accountBehind(deps.store, bankId, request.params.id, body);
  const own = account && quirkOf(account);
  if (own) quirks.push({ scope: `${bankId}/${account.account_number}`, quirk: own });
  return deps.faults.next(bankId, call, quirks);
}

/** Echoes the interaction id and signs every response that has a body. */
async function finish(
  deps: BankDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  reply.header('x-fapi-interaction-id', interactionId(request));
  const bank = deps.banks.get((request.params as Params).bank ?? '');
  if (bank && typeof payload === 'string' && payload !== '') {
    const bytes = Buffer.from(payload);
    const issuer = deps.config.org_id;
    const signature = await signMessage(bytes, bank.key, issuer, epochSeconds());
    reply.header('x-jws-signature', signature);
  }
  return payload;
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: ApiProblem) {
  reply.code(problem.status);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"');
  if (!problem.code) return reply.send();
  return reply.send(problemBody(problem, interactionId(request)));
}

function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 415) return new ApiProblem(415, undefined, 'The body must be application/json');
  if (status && status < 500) return new ApiProblem(status, 'U010', 'The request cannot be read');
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return new ApiProblem(500, 'U000', 'Unexpected error');
}

function parseBody(body: Buffer | null): Json {
  try {
    const parsed: unknown = JSON.parse(body?.toString('utf8') ?? '');
    if (parsed && typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as Json;
  } catch {
    // Rejected below, like any other body that is not a JSON object.
  }
  throw refused('U010', 'The body is not a JSON object');
}

/** Counts calls per resource: a bank with frequent outages serves only one call in `servesOneCallIn`. */
function createOutages(): (bank: Bank, request: FastifyRequest) => boolean {
  const calls = new Map<string, number>();
  return ({ brand }, request) => {
    if (brand.servesOneCallIn === 1) return false;
    const name = `${request.method} ${request.url}`;
    const count = (calls.get(name) ?? 0) + 1;
    if (count < brand.servesOneCallIn) calls.set(name, count);
    else calls.delete(name);
    return count < brand.servesOneCallIn;
  };
}

function interactionId(request: FastifyRequest): string {
  const given = headerOf(request, 'x-fapi-interaction-id');
  if (given && /^[0-9a-f-]{36}$/i.test(given)) return given;
  // One id per request, even if this is called twice.
  request.headers['x-fapi-interaction-id'] = randomUUID();
  return request.headers['x-fapi-interaction-id'];
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function epochSeconds(): number {
  return Math.floor(realNow().epochMilliseconds / 1000);
}
