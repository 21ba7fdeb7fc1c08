import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../server/src/platform/engine/engine.ts';
import { makeSender, type Sender } from '../../server/src/webhooks/sender.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import type { Figure, FigureOptions, Row } from '../figure.ts';
import {
  type Endpoint,
  giveUpDeliveries,
  moveEndpoints,
  publishToMerchants,
  readWaits,
  seedEndpoints,
  type Waited,
} from '../stand/endpoints.ts';
import { wireInstant } from '../stand/instant-partners.ts';
import { RECEIVER, startProgram } from '../stand/program.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const ENDPOINTS = 100;
const HANGING = 10;
const REFUSING = 10;
const EVENTS_EACH = 100;
const TIMEOUT_MS = 10_000;
/** Events per second at a steady pace: well within what one process sends. */
const STEADY_PER_SECOND = 400;
const STEP_MS = 50;
const POLL_MS = 100;
const LONGEST_MS = 300_000;

/** `at once`: all events are due at the same moment. `steadily`: `STEADY_PER_SECOND` events per second. */
const PACES = ['at once', 'steadily'] as const;
/** `sick`: ten endpoints hang for the whole time-out, ten refuse. `well`: the same endpoints, all of them healthy. */
const STATES = ['well', 'sick'] as const;
type Pace = (typeof PACES)[number];
type State = (typeof STATES)[number];

interface Setup {
  world: World;
  endpoints: readonly Endpoint[];
  /** The endpoints that are healthy in both states. */
  healthy: readonly Endpoint[];
  sender: Sender;
  receiver: string;
  nobody: string;
}

/** Healthy endpoints beside sick ones: figure 6. */
export const webhooks: Figure = {
  name: 'webhooks',
  title: 'Webhooks to 100 endpoints, 10 of which hang and 10 refuse',
  async run(options) {
    await using world = await openWorld();
    const [port = 0, closed = 0] = await freePorts(2);
    await using _receiver = startProgram(RECEIVER, [String(port)]);
    await using beside = new AsyncDisposableStack();
    const sender = makeSender({ mode: 'sandbox', timeoutMs: TIMEOUT_MS });
    beside.defer(() => sender.close());
    const url = `http://127.0.0.1:${port}/`;
    const endpoints = await seedEndpoints(world.platform, ENDPOINTS, url);
    const healthy = endpoints.slice(HANGING + REFUSING);
    const nobody = `http://127.0.0.1:${closed}/`;
    const stand: Setup = { world, endpoints, healthy, sender, receiver: url, nobody };
    await measure(stand, 'at once', 'well'); // the first round of a process is a warm-up
    const rows: Row[] = [];
    for (const pace of PACES) rows.push(...(await compare(stand, pace, options)));
    return rows;
  },
};

async function compare(stand: Setup, pace: Pace, { rounds, say }: FigureOptions): Promise<Row[]> {
  const all = { well: [] as Waited[], sick: [] as Waited[] };
  for (let round = 0; round < rounds; round++)
    for (const state of STATES) all[state].push(await measure(stand, pace, state));
  const growth = all.sick.map(({ p99Ms }, round) => p99Ms / (all.well[round]?.p99Ms ?? 1) - 1);
  return STATES.map((state) => {
    const row: Row = {
      events_due: pace,
      others: state,
      healthy_p50_ms: significant(median(all[state].map((w) => w.p50Ms))),
      healthy_p99_ms: significant(median(all[state].map((w) => w.p99Ms))),
      p99_growth: state === 'well' ? 0 : significant(median(growth)),
    };
    say(JSON.stringify(row));
    return row;
  });
}

async function measure(stand: Setup, pace: Pace, state: State): Promise<Waited> {
  const { platform, db, settle } = stand.world;
  await db.transaction(async (tx) => {
    await giveUpDeliveries(tx);
    await moveEndpoints(tx, stand.endpoints, (n) => urlOf(stand, state, n));
  });
  await settle();
  const { engine } = wireInstant(platform, { sender: stand.sender });
  const since = platform.clock.now();
  engine.start();
  try {
    await publishToAll(stand, pace, engine);
    return await awaitHealthy(stand, since);
  } finally {
    await engine.stop();
  }
}

function urlOf({ receiver, nobody }: Setup, state: State, n: number): string {
  if (state === 'well' || n >= HANGING + REFUSING) return `${receiver}${n}`;
  return n < HANGING ? `${receiver}hang/${n}` : `${nobody}${n}`;
}

/** Appends events for every merchant in turn, and wakes the engine as whoever appends one does. */
async function publishToAll(
  { world, endpoints }: Setup,
  pace: Pace,
  engine: Pick<Engine, 'wake'>,
): Promise<void> {
  const { platform } = world;
  const merchantIds = Array.from({ length: EVENTS_EACH }, () =>
    endpoints.map((e) => e.merchantId),
  ).flat();
  const atOnce = pace === 'at once' ? merchantIds.length : (STEADY_PER_SECOND * STEP_MS) / 1000;
  const started = performance.now();
  for (let sent = 0, step = 1; sent < merchantIds.length; sent += atOnce, step++) {
    await publishToMerchants(platform, merchantIds.slice(sent, sent + atOnce));
    engine.wake();
    await sleep(Math.max(0, started + step * STEP_MS - performance.now()));
  }
}

async function awaitHealthy({ world, healthy }: Setup, since: Temporal.Instant): Promise<Waited> {
  const until = performance.now() + LONGEST_MS;
  while (performance.now() < until) {
    const waited = await world.db.read((tx) => readWaits(tx, healthy, since));
    if (waited.delivered === healthy.length * EVENTS_EACH) return waited;
    await sleep(POLL_MS);
  }
  throw new Error('the events did not arrive');
}
