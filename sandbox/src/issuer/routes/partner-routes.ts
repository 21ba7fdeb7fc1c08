import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoInstant, realNow } from '../../clock.ts';
import { RECALLS_ACCOUNT } from '../books.ts';
import { DESTINATIONS } from '../destinations.ts';
import { IssuerError } from '../errors.ts';
import { exactly, parseBody, SCHEMAS } from '../http.ts';
import type { Issuer } from '../issuer.ts';
import { findByKey, getMovement, listMovements, movementView } from '../movements.ts';
import { checkName, type NamedAccount } from '../name-checks.ts';
import { acceptPayout, type PayoutOrder } from '../payouts.ts';
import { createSignatureCheck } from '../signature.ts';
import { type TransferItem, transferBatch } from '../transfers.ts';
import {
  closeWallet,
  getWallet,
  type Holder,
  listWalletsNamed,
  openWallet,
  reserveWallet,
  walletView,
} from '../wallets.ts';
import { statementRoutes } from './statement-routes.ts';

/** Registers the partner's endpoints under /v1: every request is signed, every order has an idempotency key. */
export async function partnerRoutes(server: FastifyInstance, issuer: Issuer): Promise<void> {
  const check = createSignatureCheck(issuer.config.partner);
  server.addHook('preValidation', async (request) => {
    const { method, url: path, headers, rawBody = Buffer.alloc(0) } = request;
    check({ method, path, headers, rawBody }, realNow());
    await parseBody(request);
    if (issuer.config.latency_ms) await delay(issuer.config.latency_ms);
  });
  walletRoutes(server, issuer);
  transferRoutes(server, issuer);
  payoutRoutes(server, issuer);
  nameCheckRoutes(server);
  movementRoutes(server, issuer);
  statementRoutes(server, issuer);
}

type WithId = { Params: { id: string } };

function walletRoutes(server: FastifyInstance, { store, clock, deliverer }: Issuer): void {
  const body = exactly({
    external_reference: SCHEMAS.shortText,
    holder: exactly({
      kind: { enum: ['person', 'business'] },
      name: { type: 'string', minLength: 1, maxLength: 140 },
    }),
  });
  server.post<{ Body: { external_reference: string; holder: Holder } }>(
    '/wallets',
    { schema: { body } },
    async (request, reply) => {
      const { external_reference: externalReference, holder } = request.body;
      const wanted = { externalReference, holder };
      const at = isoInstant(clock.now());
      return reply.code(201).send(walletView(reserveWallet(store, keyOf(request), wanted, at)));
    },
  );
  for (const [action, change] of Object.entries({ open: openWallet, close: closeWallet })) {
    server.post<WithId>(`/wallets/:id/${action}`, async (request) => {
      const at = isoInstant(clock.now());
      const wallet = change(store, keyOf(request), request.params.id, at);
      deliverer.wake();
      return walletView(wallet);
    });
  }
  const querystring = exactly({ external_reference: SCHEMAS.shortText });
  server.get<{ Querystring: { external_reference: string } }>(
    '/wallets',
    { schema: { querystring } },
    async ({ query }) => ({
      wallets: listWalletsNamed(store, query.external_reference).map(walletView),
    }),
  );
  server.get<WithId>('/wallets/:id', async (request) =>
    walletView(getWallet(store, request.params.id)),
  );
}

/** A batch has no key: each item has its own, so a retry may group the items differently. */
function transferRoutes(server: FastifyInstance, { store, clock }: Issuer): void {
  const item = exactly({
    idempotency_key: SCHEMAS.shortText,
    from: SCHEMAS.shortText,
    to: SCHEMAS.shortText,
    amount: SCHEMAS.amount,
    reference: SCHEMAS.reference,
  });
  const transfers = { type: 'array', minItems: 1, maxItems: 1_000, items: item };
  server.post<{ Body: { transfers: TransferItem[] } }>(
    '/transfers',
    { schema: { body: exactly({ transfers }) } },
    async (request) => ({
      results: transferBatch(store, request.body.transfers, clock.now()),
    }),
  );
}

function payoutRoutes(server: FastifyInstance, { store, clock }: Issuer): void {
  const body = exactly({
    from: SCHEMAS.shortText,
    destination: SCHEMAS.bankAccount,
    amount: SCHEMAS.amount,
    reference: SCHEMAS.bankReference,
  });
  server.post<{ Body: PayoutOrder }>('/payouts', { schema: { body } }, async (request, reply) => {
    const answer = acceptPayout(store, keyOf(request), request.body, clock.now());
    if (answer.answers) return reply.code(202).send(movementView(answer.movement));
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  });
}

/** A check is no order, and has no key. The account that gets no answer to a payout gets none here either. */
function nameCheckRoutes(server: FastifyInstance): void {
  server.post<{ Body: NamedAccount }>(
    '/name-checks',
    { schema: { body: SCHEMAS.bankAccount } },
    async (request, reply) => {
      if (request.body.account_number !== DESTINATIONS.noAnswer) return checkName(request.body);
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    },
  );
}

interface MovementQuery {
  idempotency_key?: string;
  wallet_id?: string;
  reference?: string;
  since?: string;
  limit?: string;
  cursor?: string;
}

const DEFAULT_PAGE = 100;

function movementRoutes(server: FastifyInstance, { store, clock }: Issuer): void {
  server.get<WithId>('/movements/:id', async (request) =>
    movementView(getMovement(store, request.params.id)),
  );
  const number = { type: 'string', pattern: '^[0-9]{1,15}$' };
  const querystring = {
    type: 'object',
    additionalProperties: false,
    properties: {
      idempotency_key: SCHEMAS.shortText,
      wallet_id: SCHEMAS.shortText,
      reference: SCHEMAS.reference,
      since: { type: 'string', format: 'date-time' },
      limit: { type: 'string', pattern: '^([1-9][0-9]{0,2}|1000)$' },
      cursor: number,
    },
  };
  server.get<{ Querystring: MovementQuery }>(
    '/movements',
    { schema: { querystring } },
    async ({ query }) => {
      if (query.idempotency_key !== undefined) {
        const row = findByKey(store, query.idempotency_key, clock.now());
        return { movements: row ? [movementView(row)] : [], next_cursor: null };
      }
      const isWallet = query.wallet_id !== undefined && query.wallet_id !== RECALLS_ACCOUNT;
      if (isWallet) getWallet(store, query.wallet_id ?? '');
      const limit = Number(query.limit ?? DEFAULT_PAGE);
      const after = Number(query.cursor ?? 0);
      const since = isoInstant(Temporal.Instant.from(query.since ?? '1970-01-01T00:00Z'));
      const filter = { walletId: query.wallet_id, reference: query.reference };
      const rows = listMovements(store, { ...filter, since, after, limit });
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return { movements: rows.map(movementView), next_cursor: last ? String(last.seq) : null };
    },
  );
}

function keyOf(request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string' && key !== '' && key.length <= 255) return key;
  throw new IssuerError(400, 'idempotency_key_required', 'An order needs an idempotency-key');
}
