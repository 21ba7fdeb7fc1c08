import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from './program.ts';
import type { Wire, WireState } from './wire.ts';
import { allWires, type World } from './world.ts';

/** Counts what was done to the world. */
export class TroubleCounts {
  readonly counts = new Map<string, number>();
  kills = 0;
  /** Turns so far: each has its own random choices. */
  turns = 0;

  note(what: string, kills = 0): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
    this.kills += kills;
  }
}

/** One kind of trouble: causes it, waits, and ends it. */
type Trouble = (world: World, deeds: TroubleCounts, n: number) => Promise<void>;

const MINUTE_MS = 60_000;

/** Returns how long something stays away, in milliseconds. */
const away = (world: World, n: number, most: number): number =>
  world.chance.whole(100, most, 'away', n);

const oneOf = (world: World, n: number): 0 | 1 => world.chance.pick([0, 1], 'which', n);

const killOne: Trouble = async (world, deeds, n) => {
  const service = world.services[oneOf(world, n)];
  deeds.note('kill -9 of one service', 1);
  await service.kill();
  await sleep(away(world, n, 2_500));
  service.start();
};

const killBoth: Trouble = async (world, deeds, n) => {
  deeds.note('kill -9 of both services at once', 2);
  await Promise.all(world.services.map((service) => service.kill()));
  await sleep(away(world, n, 2_000));
  for (const service of world.services) service.start();
};

/** Starts PostgreSQL if it is not running, and reconnects the services. */
export async function reviveDatabase(world: World): Promise<void> {
  await world.cluster.start();
  for (const wire of world.wires.database) wire.leadTo(world.cluster.port);
}

const killPostmaster: Trouble = async (world, deeds, n) => {
  deeds.note('kill -9 of PostgreSQL', 1);
  world.cluster.kill();
  await sleep(away(world, n, 1_500));
  await reviveDatabase(world);
};

const killBackend: Trouble = async (world, deeds, n) => {
  const isKilled = await world.cluster
    .killBackend((pids) => pids[world.chance.whole(0, Math.max(0, pids.length - 1), 'backend', n)])
    .catch(() => false);
  if (isKilled) deeds.note('kill -9 of one backend of PostgreSQL', 1);
  await sleep(300);
  await reviveDatabase(world);
};

const killAll: Trouble = async (world, deeds, n) => {
  deeds.note('kill -9 of both services and PostgreSQL', 3);
  world.cluster.kill();
  await Promise.all(world.services.map((service) => service.kill()));
  await sleep(away(world, n, 1_500));
  for (const service of world.services) service.start();
  await sleep(away(world, n + 0.5, 1_500));
  await reviveDatabase(world);
};

function someWire(world: World, n: number): [string, Wire] {
  const { database, bank, issuer, creditor, front, receiver } = world.wires;
  return world.chance.pick(
    [
      ['service 1 and PostgreSQL', database[0]],
      ['service 2 and PostgreSQL', database[1]],
      ['the services and the bank', bank],
      ['the services and the issuer', issuer],
      ['the bank and the issuer', creditor],
      ['everybody and the services', front],
      ['the services and the receiver', receiver],
    ],
    'wire',
    n,
  );
}

const cutOnce: Trouble = async (world, deeds, n) => {
  const [name, wire] = someWire(world, n);
  deeds.note(`connections cut between ${name}`);
  wire.cut();
};

type BrokenWireState = Exclude<WireState, 'whole' | 'slow'>;

const WORDS: Readonly<Record<BrokenWireState, string>> = {
  refusing: 'refused',
  silent: 'silent',
  'mid-answer': 'cut in the middle of answers',
};

const spoil: Trouble = async (world, deeds, n) => {
  const [name, wire] = someWire(world, n);
  const state = world.chance.pick<BrokenWireState>(
    ['refusing', 'silent', 'mid-answer'],
    'wire',
    n,
    'state',
  );
  deeds.note(`connections ${WORDS[state]} for seconds between ${name}`);
  wire.set(state);
  await sleep(away(world, n, 4_000));
  wire.set('whole');
  if (state === 'silent') wire.cut();
};

const fillDisk: Trouble = async (world, deeds, n) => {
  if (world.disk.unlimited !== null) return killOne(world, deeds, n);
  deeds.note("PostgreSQL's disk full for seconds");
  world.disk.fill();
  await sleep(1_000 + away(world, n, 3_000));
  world.disk.free();
  await reviveDatabase(world);
};

/** Sets a clock wrong by up to eight minutes, ahead or behind. If it was ahead, the others may then appear to be behind. */
const wrongClock: Trouble = async (world, deeds, n) => {
  const { name } = world.services[oneOf(world, n)];
  const ms = Math.round(world.chance.whole(1, 16, 'clock', n) * 0.5 * MINUTE_MS);
  const isAhead = world.chance.happens(0.6, 'clock ahead', n);
  deeds.note(`the clock of one service ${isAhead ? 'ahead' : 'behind'} by minutes`);
  world.clock.setWrong(name, isAhead ? ms : -ms);
  await sleep(2_000 + away(world, n, 5_000));
  world.clock.setWrong(name, 0);
  if (isAhead) world.clock.step(Temporal.Duration.from({ milliseconds: ms }));
};

/**
 * Sets a clock wrong by hours or a day, as where a machine was asleep, and back: a clock that was ahead jumps backwards. Such a
 * process says that it is not ready, so that the load balancer leaves it out; it claims nothing.
 */
const jumpClock: Trouble = async (world, deeds, n) => {
  const which = oneOf(world, n);
  const { name } = world.services[which];
  const hours = world.chance.pick([-25, -1, 1, 25], 'clock', n);
  const { front, portal } = world.wires;
  const both = world.ports;
  deeds.note(`the clock of one service ${hours > 0 ? 'ahead' : 'behind'} by hours, and back`);
  for (const wire of [front, portal]) {
    wire.leadTo(...both.filter((_, at) => at !== which));
    wire.cut();
  }
  world.clock.setWrong(name, hours * 60 * MINUTE_MS);
  await sleep(2_000 + away(world, n, 5_000));
  world.clock.setWrong(name, 0);
  await sleep(1_000);
  for (const wire of [front, portal]) wire.leadTo(...both);
};

/**
 * Freezes one process in the middle of its work: its leases expire for the other, and then it continues as if nothing had
 * happened.
 */
const freeze: Trouble = async (world, deeds, n) => {
  const which = oneOf(world, n);
  const [frozen, other]: [Program, Program] =
    which === 0 ? [world.services[0], world.services[1]] : [world.services[1], world.services[0]];
  deeds.note('one service frozen, its leases taken over, and thawed');
  const ms = world.chance.whole(4, 8, 'freeze', n) * MINUTE_MS;
  frozen.signal('SIGSTOP');
  world.clock.setWrong(other.name, ms);
  await sleep(1_500 + away(world, n, 4_000));
  frozen.signal('SIGCONT');
  await sleep(500);
  world.clock.setWrong(other.name, 0);
  world.clock.step(Temporal.Duration.from({ milliseconds: ms }));
};

/** The kinds of trouble, each as often as it is listed. */
const TROUBLES: readonly [Trouble, ...Trouble[]] = [
  killOne,
  ...[killOne, killOne, killOne],
  ...[killBoth, killBoth, killPostmaster, killPostmaster, killBackend, killBackend, killAll],
  ...[cutOnce, cutOnce, spoil, spoil, spoil, fillDisk, wrongClock, jumpClock, freeze],
];

const TWO_PROBABILITY = 0.25;

/** Causes trouble until `kills` processes were killed, then ends it. */
export async function bringTrouble(
  world: World,
  deeds: TroubleCounts,
  kills: number,
  told: (line: string) => void,
): Promise<void> {
  const { chance } = world;
  while (deeds.kills < kills) {
    const n = deeds.turns++;
    const isTwo = chance.happens(TWO_PROBABILITY, 'two', n);
    const several = isTwo ? [n, n + 0.25] : [n];
    await Promise.all(several.map((m) => chance.pick(TROUBLES, 'trouble', m)(world, deeds, m)));
    await reviveDatabase(world);
    told(`${deeds.kills} kills`);
    await sleep(chance.whole(300, 2_500, 'calm', n));
    // Let work finish between two kills, or they would only hit processes that are starting.
    if (chance.happens(0.7, 'wait', n))
      await Promise.all(world.services.map((service) => service.ready()));
  }
}

/** Ends all trouble and waits until both services are ready. */
export async function calmDown(world: World): Promise<void> {
  for (const wire of allWires(world)) wire.set('whole');
  world.receiver.isCalm = true;
  if (world.disk.unlimited === null) world.disk.free();
  for (const service of world.services) world.clock.setWrong(service.name, 0);
  await reviveDatabase(world);
  for (const service of world.services) service.start();
  await Promise.all(world.services.map((service) => service.ready()));
}
