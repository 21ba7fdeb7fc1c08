// The yardstick of the API in the benchmark: a bare Fastify handler that keeps the same laws. An API key is checked, row-level
// security confines each request by role and merchant, phone numbers and links are sealed, every change has its audit rows with
// their actor and its row in the request log. In the fewest statements: one, between BEGIN with its settings and COMMIT, which go
// to PostgreSQL together. With an Idempotency-Key the sealed response is kept in the same transaction.
// `node bench/stand/lawful-api.ts <port> <url> <data folder>`
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { makePlatform } from '../../server/src/app/deployment/platform.ts';
import { parseKey } from '../../server/src/merchants/keys/keys.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { openDb } from '../../server/src/platform/db/db.ts';
import { hashRequest } from '../../server/src/platform/http/calls/idempotency.ts';
import type { Caller } from '../../server/src/platform/http/calls/route.ts';
import { logRequests } from '../../server/src/platform/http/request-log/request-log.ts';
import { IdParams, ListOf, ListQuery } from '../../server/src/platform/http/schemas/schemas.ts';
import { makeLog } from '../../server/src/platform/log/log.ts';
import { realClock } from '../../server/src/platform/time/clock.ts';
import { hashSecret } from '../../server/src/platform/vault/vault.ts';
import { CreateSchema, ScheduleAnswer } from '../../server/src/schedules/request/schemas.ts';
import {
  type Body,
  CREATE,
  LIST,
  newSchedule,
  READ,
  type ScheduleRow,
  view,
} from './bare-schedules.ts';

const [port, url = '', dataDir] = process.argv.slice(2);
const KEY_KEPT_MS = 5_000;

const pool = new pg.Pool({ connectionString: url, max: 20, pipeline: true });
const config = readConfig({ MODE: 'sandbox', DATABASE_URL: url, DATA_DIR: dataDir });
const platform = makePlatform(config, openDb(url, 2), realClock, makeLog('error'));
const { vault } = platform;
const requests = logRequests(platform);
// Ours validates with schemas that say more than Ajv knows: how a part is shown in the document.
const app = Fastify({ ajv: { customOptions: { strict: false } } });
app.decorateRequest('caller', null);

/** Runs one statement in a transaction confined to the merchant. */
async function confined<R extends pg.QueryResultRow>(
  { merchantId, actorId }: Pick<Caller, 'merchantId' | 'actorId'>,
  statements: readonly pg.QueryConfig[],
): Promise<R[]> {
  const client = await pool.connect();
  try {
    const [, ...results] = await Promise.all([
      client.query(
        `BEGIN; SET LOCAL ROLE recollect_api; SET LOCAL recollect.merchant_id = '${merchantId}';
         SET LOCAL recollect.actor = 'api_key:${actorId}'`,
      ),
      ...statements.map((statement) => client.query<R>(statement)),
      client.query('COMMIT'),
    ]);
    return results[0]?.rows ?? [];
  } finally {
    client.release();
  }
}

const known = new Map<string, { caller: Caller; untilMs: number }>();

async function callerOf({ headers }: FastifyRequest): Promise<Caller> {
  const secret = headers.authorization?.slice('Bearer '.length) ?? '';
  const hash = hashSecret(secret);
  const found = known.get(hash.toString('base64'));
  if (found !== undefined && found.untilMs > Date.now()) return found.caller;
  const merchantId = parseKey(secret)?.merchantId ?? '';
  const [row] = await confined<{ key_id: string }>({ merchantId, actorId: '' }, [
    {
      name: 'key',
      text: `SELECT key_id FROM api_keys WHERE merchant_id = $1 AND secret_hash = $2 AND revoked_at IS NULL
               AND (expires_at IS NULL OR expires_at > now())`,
      values: [merchantId, hash],
    },
  ]);
  if (row === undefined) throw new Error('no such key');
  const caller = { merchantId, actorId: row.key_id };
  known.set(hash.toString('base64'), { caller, untilMs: Date.now() + KEY_KEPT_MS });
  return caller;
}

/** The statement that keeps the response to a request with an Idempotency-Key: a second one with the same key fails. */
function keeping(merchantId: string, key: string, request: FastifyRequest, answer: object) {
  const body = vault.seal(JSON.stringify(answer), `idempotency:${merchantId}:${key}`);
  return {
    name: 'keep',
    text: `INSERT INTO idempotency_keys (merchant_id, key, request_hash, response_status, response_body, created_at)
           VALUES ($1, $2, $3, 200, $4, now())`,
    values: [merchantId, key, hashRequest(request.method, request.url, request.body), body],
  };
}

app.get('/healthz', async () => ({ status: 'up' }));
await app.register(async (scope) => {
  requests.hooks(scope);
  scope.addHook('onRequest', async (request) => {
    request.caller = await callerOf(request);
  });
  const merchantOf = ({ caller }: FastifyRequest): Caller =>
    caller ?? { merchantId: '', actorId: '' };

  scope.post<{ Body: Body }>(
    '/api/v1/schedules',
    { schema: { body: CreateSchema, response: { 200: ScheduleAnswer } } },
    async (request) => {
      const caller = merchantOf(request);
      const { values, answer } = newSchedule(caller.merchantId, request.body, vault);
      const create = { name: 'create', text: CREATE, values };
      const key = request.headers['idempotency-key'];
      const whole = answer(String(values[1])); // a customer that exists already would need a round trip more
      const keep = typeof key === 'string' ? [keeping(caller.merchantId, key, request, whole)] : [];
      const [row] = await confined<ScheduleRow>(caller, [create, ...keep]);
      return answer(row?.customer_id ?? '');
    },
  );
  scope.get<{ Params: { id: string } }>(
    '/api/v1/schedules/:id',
    { schema: { params: IdParams, response: { 200: ScheduleAnswer } } },
    async (request, reply) => {
      const caller = merchantOf(request);
      const values = [caller.merchantId, request.params.id];
      const [row] = await confined<ScheduleRow>(caller, [{ name: 'read', text: READ, values }]);
      return row === undefined ? reply.code(404).send() : view(caller.merchantId, row, vault);
    },
  );
  scope.get<{ Querystring: { limit: number; offset: number } }>(
    '/api/v1/schedules',
    { schema: { querystring: ListQuery, response: { 200: ListOf(ScheduleAnswer) } } },
    async (request) => {
      const caller = merchantOf(request);
      const values = [caller.merchantId, request.query.limit, request.query.offset];
      const rows = await confined<ScheduleRow>(caller, [{ name: 'list', text: LIST, values }]);
      const data = rows.map((row) => view(caller.merchantId, row, vault));
      return { data, total: rows[0]?.total ?? 0 };
    },
  );
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', async () => {
  await app.close();
  await requests.idle();
  await Promise.all([pool.end(), platform.db.close()]);
});
