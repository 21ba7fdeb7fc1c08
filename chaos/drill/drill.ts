import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Schedule } from '../../sdk/src/index.ts';
import { HAS_PROMETHEUS, startPrometheus } from '../../server/test-support/prometheus.ts';
import { readDirectly } from '../books.ts';
import { Load } from '../load.ts';
import type { Outcome } from '../report.ts';
import type { World } from '../world.ts';
import { FAULTS, type Fault } from './faults.ts';
import { makeReaders, offerSchedule, READERS, type Reader, type ReaderName } from './readers.ts';

const RULES = fileURLToPath(new URL('../../deploy/monitoring/alerts.yaml', import.meta.url));
const CUSTOMERS = 8;
const DUE_AFTER_S = 8;
const POLL_MS = 200;
/** Until every process has compared its clock again. */
const CLOCK_CHECK_MS = 3_000;
const ROUND_S = 8;
const MAX_ROUNDS = 12;
/** How long a reader may say nothing. */
const MAX_SILENCE_MS = 90_000;
/** How long the last payment may take once all is whole again. */
const PAID_WITHIN_S = 120;

/** What a fault was like: what each reader said of it, after how many seconds, and how long the payments took. */
interface Drilled {
  fault: Fault;
  said: Map<ReaderName, { after: number; what: string }>;
  payments: number;
  /** From the end of the fault to the last payment, in seconds; zero: it was made before. Null: it was not made. */
  paidAfter: number | null;
  wrong: string[];
}

/**
 * Breaks one thing after the other while payments fall due; notes who says so, and when the last of them is paid. `patience`: how
 * many times slower than it should a busy machine may be.
 */
export async function drillScenario(
  world: World,
  told: (line: string) => void,
  patience = 1,
): Promise<Outcome> {
  const load = new Load(world, [['alex', 'northbank']]); // pays at once, at a bank that always works
  await load.prepare(CUSTOMERS);
  const made = await world.command('operator', 'create', 'Robin Fern');
  const { secret: operatorKey } = JSON.parse(made.output) as { secret: string };
  const offered = await offerSchedule(world);
  const tried = FAULTS.filter((fault) => fault.canBe?.(world) ?? true);
  const drilled: Drilled[] = [];
  for (const fault of tried) {
    told(fault.name);
    const one = await drill({ world, load, operatorKey, offered, patience }, fault);
    for (const [what, after] of rowsOf(one)) told(`  ${after}  ${what}`);
    drilled.push(one);
  }
  return {
    name: 'drill',
    tables: drilled.map((one) => [one.fault.name, rowsOf(one)]),
    wrong: [...drilled.flatMap(({ wrong }) => wrong), ...load.problems],
    left: [
      ...FAULTS.filter((fault) => !tried.includes(fault)).map(({ name }) => name),
      ...(HAS_PROMETHEUS ? [] : ['what Prometheus says: it is not installed']),
    ],
  };
}

interface Scene {
  world: World;
  load: Load;
  operatorKey: string;
  offered: Schedule;
  patience: number;
}

async function drill({ world, load, patience, ...known }: Scene, fault: Fault): Promise<Drilled> {
  // One that has seen nothing yet: its alerts look ten minutes back.
  const prometheus = HAS_PROMETHEUS ? await startPrometheus(world.operatorUrls, RULES) : null;
  try {
    const readers = makeReaders({ ...known, world, prometheus });
    if (!(await calmDown(load, readers))) throw new Error(`nothing is well before ${fault.name}`);
    fault.prepare?.(world);
    await sleep(CLOCK_CHECK_MS);
    const before = new Set(load.acknowledged.keys());
    await load.fallDue(CUSTOMERS, DUE_AFTER_S);
    const schedules = [...load.acknowledged.keys()].filter((id) => !before.has(id));
    const due = latestDue(load, schedules);
    await sleep(
      Math.max(0, due.since(world.clock.now()).total('milliseconds') + fault.beginsAt * 1000),
    );
    const began = performance.now();
    const undo = await fault.begin(world);
    const said = await listen(readers, fault, began);
    await undo();
    const ended = performance.now();
    const paidAfter = await paid(world, schedules, ended, PAID_WITHIN_S * patience);
    await Promise.all(world.services.map((service) => service.ready()));
    const wrong = [...silences(fault, readers, said), ...(await early(world))];
    const most = (fault.healsWithin ?? PAID_WITHIN_S) * patience;
    if (paidAfter === null || paidAfter > most)
      wrong.push(`${fault.name}: the last payment was made ${paidAfter ?? 'never'} s after it`);
    return { fault, said, payments: schedules.length, paidAfter, wrong };
  } finally {
    await prometheus?.close();
  }
}

/** Collects until nobody says anything any more: calls that a bank answers end its trouble. Alerts look back on what is over. */
async function calmDown(load: Load, readers: ReadonlyMap<ReaderName, Reader>): Promise<boolean> {
  const speakers = [...readers].filter(([name]) => name !== 'alert');
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const said = await Promise.all(speakers.map(([, read]) => read()));
    if (said.every((what) => what === '')) return true;
    await load.fallDue(CUSTOMERS, ROUND_S / 2);
    await sleep(ROUND_S * 1000);
  }
  return false;
}

/** Every reader looks on their own until each has said what it has to, and the fault has lasted long enough. */
async function listen(
  readers: ReadonlyMap<ReaderName, Reader>,
  { says, lasts }: Fault,
  began: number,
): Promise<Drilled['said']> {
  const said: Drilled['said'] = new Map();
  const elapsed = (): number => performance.now() - began;
  const isAwaited = (name: ReaderName): boolean => says[name] !== undefined && !said.has(name);
  const goesOn = (): boolean =>
    elapsed() < lasts * 1000 || (elapsed() < MAX_SILENCE_MS && [...readers.keys()].some(isAwaited));
  await Promise.all(
    [...readers].map(async ([name, read]) => {
      while (goesOn() && !said.has(name)) {
        const what = await read();
        const isIt = says[name]?.test(what) ?? what !== '';
        if (isIt) said.set(name, { after: elapsed() / 1000, what });
        await sleep(POLL_MS);
      }
    }),
  );
  while (goesOn()) await sleep(POLL_MS);
  return said;
}

/** Returns how many seconds after `ended` the last payment of these schedules was made; null: not in time. */
async function paid(
  world: World,
  schedules: string[],
  ended: number,
  mostSeconds: number,
): Promise<number | null> {
  while (performance.now() - ended < mostSeconds * 1000) {
    const open = await readDirectly(world, (tx) =>
      tx.rows(
        `SELECT schedule_id FROM unnest($1::text[]) AS one (schedule_id) WHERE NOT EXISTS
           (SELECT 1 FROM payments p WHERE p.schedule_id = one.schedule_id AND p.status = 'success')`,
        [schedules],
      ),
    );
    if (open.length === 0) return (performance.now() - ended) / 1000;
    await sleep(POLL_MS);
  }
  return null;
}

/** Returns the payments that were opened before they were due. */
async function early(world: World): Promise<string[]> {
  const opened = await readDirectly(world, (tx) =>
    tx.rows<{ paymentId: string }>('SELECT payment_id FROM payments WHERE due_date > $1', [
      world.clock.now(),
    ]),
  );
  return opened.map(({ paymentId: id }) => `${id} was opened before it was due`);
}

function silences(
  { name, says }: Fault,
  readers: ReadonlyMap<ReaderName, Reader>,
  said: Drilled['said'],
): string[] {
  return READERS.filter(
    (reader) => says[reader] !== undefined && readers.has(reader) && !said.has(reader),
  ).map((reader) => `${name}: ${reader} did not say so`);
}

function latestDue(load: Load, schedules: readonly string[]): Temporal.Instant {
  const dues = schedules.flatMap((id) => load.acknowledged.get(id)?.firstDue ?? []);
  return dues
    .map((due) => Temporal.Instant.from(due))
    .reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a));
}

function rowsOf({ said, payments, paidAfter }: Drilled): [string, string][] {
  const last = paidAfter === null ? 'never' : `${paidAfter.toFixed(1)} s`;
  return [
    ...[...said].map(([name, { after, what }]): [string, string] => [
      `${name}: ${what}`,
      `${after.toFixed(1)} s`,
    ]),
    [`the last of ${payments} payments, once all was whole again`, last],
  ];
}
