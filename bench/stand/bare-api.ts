// The API's counterpart in the benchmark, and the price of the laws: Fastify with the same schemas, and one SQL statement per
// request on the same PostgreSQL. No keys, no rate limit, no row-level security, no log, no sealing.
// `node bench/stand/bare-api.ts <port> <url> <merchant to create for> <merchant to read>`
import Fastify from 'fastify';
import pg from 'pg';
import { IdParams, ListOf, ListQuery } from '../../server/src/platform/http/schemas/schemas.ts';
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

const [port, url, creator = '', reader = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });
// Ours validates with schemas that say more than Ajv knows: how a part is shown in the document.
const app = Fastify({ ajv: { customOptions: { strict: false } } });

app.get('/healthz', async () => ({ status: 'up' }));
app.post<{ Body: Body }>(
  '/api/v1/schedules',
  { schema: { body: CreateSchema, response: { 200: ScheduleAnswer } } },
  async ({ body }) => {
    const { values, answer } = newSchedule(creator, body);
    const { rows } = await pool.query<ScheduleRow>({ name: 'create', text: CREATE, values });
    return answer(rows[0]?.customer_id ?? '');
  },
);
app.get<{ Params: { id: string } }>(
  '/api/v1/schedules/:id',
  { schema: { params: IdParams, response: { 200: ScheduleAnswer } } },
  async ({ params }, reply) => {
    const values = [reader, params.id];
    const { rows } = await pool.query<ScheduleRow>({ name: 'read', text: READ, values });
    return rows[0] === undefined ? reply.code(404).send() : view(reader, rows[0]);
  },
);
app.get<{ Querystring: { limit: number; offset: number } }>(
  '/api/v1/schedules',
  { schema: { querystring: ListQuery, response: { 200: ListOf(ScheduleAnswer) } } },
  async ({ query }) => {
    const values = [reader, query.limit, query.offset];
    const { rows } = await pool.query<ScheduleRow>({ name: 'list', text: LIST, values });
    return { data: rows.map((row) => view(reader, row)), total: rows[0]?.total ?? 0 };
  },
);
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => void app.close().then(() => pool.end()));
