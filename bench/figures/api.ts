import { request } from 'undici';
import { createKey } from '../../server/src/merchants/keys/key-service.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import type { Figure, FigureOptions, Row } from '../figure.ts';
import { cpuSecondsOf } from '../stand/cpu.ts';
import { type Load, type Loaded, sendLoad } from '../stand/load-process.ts';
import { awaitAnswer, type Program, startProgram } from '../stand/program.ts';
import { seedMerchant } from '../stand/seed.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const CONNECTIONS = [1, 8, 64];
const SECONDS = 3;
const STORED = 1_000;
const BODY = JSON.stringify({
  amount: { value: 4999, currency: 'GBP' },
  frequency: { type: 'monthly', day: 1 },
  customer: { phone: '+447{number}' },
  description: 'Broadband',
  metadata: { order: '{number}' },
});

/** A measured operation. `keyed`: with an Idempotency-Key, which only the service stores. */
interface Operation {
  name: string;
  method: 'GET' | 'POST';
  path: (stand: Setup) => string;
  keyed?: true;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'create', method: 'POST', path: () => '/api/v1/schedules' },
  { name: 'create, Idempotency-Key', method: 'POST', path: () => '/api/v1/schedules', keyed: true },
  { name: 'read', method: 'GET', path: ({ known }) => `/api/v1/schedules/${known}` },
  { name: 'list', method: 'GET', path: () => '/api/v1/schedules?limit=10' },
];

/** A server that handles the requests. */
interface Contender {
  name: 'recollect' | 'lawful' | 'bare';
  address: string;
  program: Program;
}

interface Setup {
  world: World;
  contenders: readonly Contender[];
  /** API keys of the merchant whose schedules are read, and of the one whose schedules are created. */
  keys: { read: string; create: string };
  /** One schedule of the first merchant. */
  known: string;
  sent: number;
}

interface Measured extends Loaded {
  /** CPU time of the server process and of PostgreSQL, in milliseconds. */
  cpuMs: number;
}

/** The API compared with a bare handler that keeps the same laws, and with one that keeps none: figure 5. */
export const api: Figure = {
  name: 'api',
  title: 'The API beside a bare Fastify handler with the same laws, and one without',
  async run(options) {
    await using world = await openWorld();
    await using programs = new AsyncDisposableStack();
    const stand = await prepare(world, programs);
    const rows: Row[] = [];
    for (const operation of OPERATIONS)
      for (const connections of CONNECTIONS)
        rows.push(await compare(stand, operation, connections, options));
    return rows;
  },
};

async function keyOf({ platform, db }: World, merchantId: string): Promise<string> {
  const now = platform.clock.now();
  const made = await db.transaction((tx) =>
    createKey(platform, { tx, now, merchantId }, 'bench', 'for the benchmark'),
  );
  return made.secret;
}

async function prepare(world: World, programs: AsyncDisposableStack): Promise<Setup> {
  const [reader, creator] = [
    await seedMerchant(world.platform),
    await seedMerchant(world.platform),
  ];
  const keys = { read: await keyOf(world, reader), create: await keyOf(world, creator) };
  const [port = 0, lawfulPort = 0, barePort = 0] = await freePorts(3);
  const service = programs.use(
    startProgram('server/src/main.ts', ['serve'], {
      MODE: 'sandbox',
      DATABASE_URL: world.url,
      DATA_DIR: world.platform.config.dataDir,
      PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '1000000',
      OPERATOR_PORT: '0',
      SANDBOX_BANK_PORT: '0',
      SANDBOX_BANK_PAGES_PORT: '0',
      SANDBOX_ISSUER_PORT: '0',
    }),
  );
  const lawful = programs.use(
    startProgram('bench/stand/lawful-api.ts', [
      String(lawfulPort),
      world.url,
      world.platform.config.dataDir,
    ]),
  );
  const bare = programs.use(
    startProgram('bench/stand/bare-api.ts', [String(barePort), world.url, creator, reader]),
  );
  const contenders: Contender[] = [
    { name: 'recollect', address: `http://127.0.0.1:${port}`, program: service },
    { name: 'lawful', address: `http://127.0.0.1:${lawfulPort}`, program: lawful },
    { name: 'bare', address: `http://127.0.0.1:${barePort}`, program: bare },
  ];
  for (const { address } of contenders) await awaitAnswer(`${address}/healthz`);
  const known = await fill(`http://127.0.0.1:${port}`, keys.read);
  await world.settle(); // the state of a database that has run for some minutes
  return { world, contenders, keys, known, sent: STORED };
}

/** Creates the schedules that are read later; returns the id of one of them. */
async function fill(address: string, key: string): Promise<string> {
  let known = '';
  for (let n = 0; n < STORED; n++) {
    const body = BODY.replaceAll('{number}', String(n).padStart(9, '0'));
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await request(`${address}/api/v1/schedules`, { method: 'POST', headers, body });
    if (answer.statusCode !== 200) throw new Error(await answer.body.text());
    known = ((await answer.body.json()) as { id: string }).id;
  }
  return known;
}

async function measure(
  stand: Setup,
  contender: Contender,
  operation: Operation,
  connections: number,
): Promise<Measured> {
  const isCreate = operation.method === 'POST';
  const key = isCreate ? stand.keys.create : stand.keys.read;
  const load: Load = {
    url: `${contender.address}${operation.path(stand)}`,
    method: operation.method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(isCreate ? { 'content-type': 'application/json' } : {}),
      ...(operation.keyed === true ? { 'idempotency-key': 'order-{number}' } : {}),
    },
    ...(isCreate ? { body: BODY } : {}),
    connections,
    seconds: SECONDS,
    from: stand.sent,
  };
  const before = await cpuSeconds(stand, contender);
  const loaded = await sendLoad(load);
  stand.sent += loaded.answered + connections + 1;
  const cpu = (await cpuSeconds(stand, contender)) - before;
  return { ...loaded, cpuMs: (cpu * 1000) / loaded.answered };
}

async function cpuSeconds({ world }: Setup, { program }: Contender): Promise<number> {
  return (await world.usage()).postgresCpu + cpuSecondsOf(program.pid);
}

/** Measures round after round, alternating the contenders, so that both run under the same conditions. */
async function compare(
  stand: Setup,
  operation: Operation,
  connections: number,
  { rounds, say }: FigureOptions,
): Promise<Row> {
  const all = new Map<string, Measured[]>(stand.contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const contender of stand.contenders) {
      const measured = await measure(stand, contender, operation, connections);
      if (round > 0) all.get(contender.name)?.push(measured); // the first round is a warm-up
    }
  const ofAll = (name: Contender['name'], of: (one: Measured) => number): number =>
    median((all.get(name) ?? []).map(of));
  const shareOf = (one: Contender['name'], of: Contender['name']): number =>
    median(
      (all.get(one) ?? []).map((m, round) => m.perSecond / (all.get(of)?.[round]?.perSecond ?? 1)),
    );
  const row: Row = {
    operation: operation.name,
    connections,
    per_second: significant(ofAll('recollect', (m) => m.perSecond)),
    lawful_per_second: significant(ofAll('lawful', (m) => m.perSecond)),
    share: significant(shareOf('recollect', 'lawful')),
    bare_per_second: significant(ofAll('bare', (m) => m.perSecond)),
    lawful_share: significant(shareOf('lawful', 'bare')),
    p50_ms: significant(ofAll('recollect', (m) => m.p50Ms)),
    p99_ms: significant(ofAll('recollect', (m) => m.p99Ms)),
    lawful_p50_ms: significant(ofAll('lawful', (m) => m.p50Ms)),
    lawful_p99_ms: significant(ofAll('lawful', (m) => m.p99Ms)),
    cpu_ms: significant(ofAll('recollect', (m) => m.cpuMs)),
    lawful_cpu_ms: significant(ofAll('lawful', (m) => m.cpuMs)),
    bare_cpu_ms: significant(ofAll('bare', (m) => m.cpuMs)),
  };
  say(JSON.stringify(row));
  return row;
}
