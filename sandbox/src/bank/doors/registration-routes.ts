import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ClientMetadata, errors } from 'oidc-provider';
import { realNow } from '../../clock.ts';
import type { Bank, BankDeps } from '../bank.ts';
import {
  type CheckedRequest,
  checkRequest,
  RegistrationRefused,
} from '../parties/registration-request.ts';
import {
  addRegistration,
  changeRegistration,
  deleteRegistration,
  findRegistration,
  type Registration,
  useRequestId,
} from '../parties/registrations.ts';
import { findClient } from '../parties/third-parties.ts';
import { bearerToken } from './access.ts';
import { certificateThumbprint, subjectOf } from './provider.ts';

/**
 * Dynamic Client Registration v3.3. POST needs only a client certificate; GET, PUT and DELETE of a registration need its own
 * client's token as well.
 */

type Params = { bank: string; clientId: string };
type ClientRequest = FastifyRequest<{ Params: Params; Body: unknown }>;

/** The caller may not have what it asks for: 401 or 403, without a body. */
class NotAllowed extends Error {
  readonly status: 401 | 403;

  constructor(status: 401 | 403, why: string) {
    super(why);
    this.status = status;
  }
}

/** Adds the registration endpoints of every bank to the back channel. */
export function registerRegistration(app: FastifyInstance, deps: BankDeps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/jwt', 'application/jose'],
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );
  // Whatever else is sent is refused as the standard has it, not with a 415 that it does not know.
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    payload.once('end', () => done(null, null));
  });
  const url = '/:bank/register';
  app.post<{ Params: Params }>(url, (request, reply) => register(deps, request, reply));
  app.get<{ Params: Params }>(`${url}/:clientId`, async (request, reply) =>
    reply.send(view(await own(deps, request))),
  );
  app.put<{ Params: Params }>(`${url}/:clientId`, async (request, reply) => {
    const before = await own(deps, request);
    const { claims, statement } = await check(deps, request, before.bank);
    if (statement.software_id !== before.statement.software_id)
      throw new RegistrationRefused(
        'invalid_software_statement',
        'the statement is about other software than the registration',
      );
    return deps.store.transaction(() => {
      const changed = changeRegistration(deps.store, before, { claims, statement });
      checkClient(deps, bankOf(deps, request), changed);
      return reply.send(view(changed));
    });
  });
  app.delete<{ Params: Params }>(`${url}/:clientId`, async (request, reply) => {
    deleteRegistration(deps.store, await own(deps, request));
    return reply.code(204).send();
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('cache-control', 'no-store');
    return payload;
  });
  app.setErrorHandler((error, _request, reply) => sendError(error, reply));
}

async function register(deps: BankDeps, request: ClientRequest, reply: FastifyReply) {
  const bank = bankOf(deps, request);
  const { claims, statement } = await check(deps, request, bank.brand.bankId);
  const registration = deps.store.transaction(() => {
    const content = { claims, statement, issuedAt: epochSeconds() };
    const added = addRegistration(deps.store, bank.brand.bankId, content);
    checkClient(deps, bank, added);
    return added;
  });
  return reply.code(201).send(view(registration));
}

async function check(
  deps: BankDeps,
  request: ClientRequest,
  bankId: string,
): Promise<CheckedRequest> {
  const now = epochSeconds();
  const checked = await checkRequest(typeof request.body === 'string' ? request.body : '', {
    directory: deps.directory,
    bankOrgId: deps.config.org_id,
    subject: subjectOf(request.raw.socket as TLSSocket) ?? '',
    now,
  });
  if (!useRequestId(deps.store, bankId, checked, now))
    throw new RegistrationRefused('invalid_client_metadata', 'a request came with this jti before');
  return checked;
}

/** Has the OpenID provider check the client too: what it does not take must not be registered. */
function checkClient(deps: BankDeps, { provider, brand }: Bank, registration: Registration): void {
  const client = findClient(deps, brand.bankId, registration.clientId);
  if (client === null) throw new Error('The directory has lost the software');
  try {
    new (provider.Client as unknown as new (metadata: ClientMetadata) => object)(client.metadata);
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error;
    const code = error.error === 'invalid_redirect_uri' ? error.error : 'invalid_client_metadata';
    throw new RegistrationRefused(code, error.error_description ?? error.message, { cause: error });
  }
}

/** Returns the registration in the address if the caller's token was issued to it. Throws NotAllowed. */
async function own(deps: BankDeps, request: ClientRequest): Promise<Registration> {
  const bank = bankOf(deps, request);
  const clientId = await clientOfToken(bank, request.raw);
  const { clientId: wanted } = request.params;
  const registration = findRegistration(deps.store, bank.brand.bankId, wanted);
  if (registration && clientId === wanted) return registration;
  const isKnown = findClient(deps, bank.brand.bankId, wanted) !== null;
  if (isKnown)
    throw new NotAllowed(403, 'The token belongs to another client, or it is configured');
  // The standard: "responds with an Unauthorized status code and immediately revokes the access token".
  await (await bank.provider.ClientCredentials.find(bearerToken(request.raw) ?? ''))?.destroy();
  throw new NotAllowed(401, 'There is no such client');
}

async function clientOfToken(bank: Bank, request: IncomingMessage): Promise<string> {
  const found = await bank.provider.ClientCredentials.find(bearerToken(request) ?? '');
  const bound = certificateThumbprint(request.socket as TLSSocket);
  if (!found?.clientId || found['x5t#S256'] !== bound)
    throw new NotAllowed(401, 'The token is not in force, or bound to another certificate');
  return found.clientId;
}

function bankOf(deps: BankDeps, request: ClientRequest): Bank {
  const bank = deps.banks.get(request.params.bank);
  if (!bank) throw Object.assign(new Error('No such bank'), { statusCode: 404 });
  return bank;
}

/** Returns a registration as the standard does: what was asked for, and the statement's claims beside it. */
function view({ clientId, issuedAt, claims, statement }: Registration): object {
  // Who issued the statement, and when, is not about the client.
  const issued = ['iss', 'iat', 'jti', 'exp', 'nbf'];
  const told = Object.entries(statement).filter(([name]) => !issued.includes(name));
  return {
    ...Object.fromEntries(told),
    ...claims,
    client_id: clientId,
    client_id_issued_at: issuedAt,
  };
}

function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof RegistrationRefused)
    return reply
      .code(400)
      .send({ error: error.code, error_description: error.message.slice(0, 500) });
  if (error instanceof NotAllowed) {
    reply.code(error.status);
    if (error.status === 401) reply.header('www-authenticate', 'Bearer error="invalid_token"');
    return reply.send();
  }
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 404) return reply.code(404).send();
  if (status !== undefined && status < 500)
    return reply.code(400).send({ error: 'invalid_client_metadata' });
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return reply.code(500).send();
}

function epochSeconds(): number {
  return Math.floor(realNow().epochMilliseconds / 1000);
}
