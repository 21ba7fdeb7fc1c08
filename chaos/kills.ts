import { compareBooks, findUnanswered } from './books.ts';
import { drain, passUntil } from './calm.ts';
import { Load } from './load.ts';
import { countMessages, endings, type Outcome } from './report.ts';
import { bringTrouble, calmDown, TroubleCounts } from './troubles.ts';
import { allWires, type World } from './world.ts';

/** A Tuesday, some minutes before settlements are paid out: on the second day that happens under fire. */
export const START = Temporal.Instant.from('2027-03-02T05:56:00Z');
const CUSTOMERS = 12;
const DAY = { hours: 24 };
/** Until every retry and settlement is over. */
const RECOVERY_TIME = { hours: 96 };

/** Collects for two days while processes are killed; then, in peace, compares all books. */
export async function killsScenario(
  world: World,
  kills: number,
  told: (line: string) => void,
): Promise<Outcome> {
  const load = new Load(world);
  const deeds = new TroubleCounts();
  told('the first customers agree');
  await load.prepare(CUSTOMERS);
  const wrong: string[] = [];
  for (const until of [Math.ceil(kills / 2), kills]) {
    world.receiver.isCalm = false;
    load.start();
    await bringTrouble(world, deeds, until, told);
    await calmDown(world);
    await load.stop();
    told('quiet');
    if (until === kills) break;
    wrong.push(...(await drain(world)));
    world.clock.step(START.add(DAY).since(world.clock.now()));
  }
  const lastDay = await finish(world, load, wrong, told);
  const verdict = await compareBooks(world, [...load.acknowledged.values()], lastDay);
  const [one, two] = world.services;
  return {
    name: `chaos: ${deeds.kills} kills`,
    tables: [
      ['What was done', [['processes killed with -9', deeds.kills], ...deeds.counts]],
      [
        'What followed',
        [
          ['connections cut', cutsOf(world)],
          ['schedules asked for too late, as nobody answered', load.tooLate],
          ['starts of the services', one.starts + two.starts],
          ['of them given up, the database being away', one.startsGivenUp + two.startsGivenUp],
          ...[...world.receiver.refused].map(([why, n]): [string, number] => [
            `webhooks refused: ${why}`,
            n,
          ]),
        ],
      ],
      ['What the services said', countMessages(world)],
      ['What the books say', verdict.figures],
    ],
    wrong: [...wrong, ...load.problems, ...endings(world), ...verdict.wrong],
    left: world.disk.unlimited === null ? [] : [`a full disk: ${world.disk.unlimited}`],
  };
}

/** Waits for what is still due on the last day; then the merchant ends everything, and days pass. */
export async function finish(
  world: World,
  load: Load,
  wrong: string[],
  told: (line: string) => void,
): Promise<Temporal.Instant> {
  const secondDay = START.add({ hours: 12 });
  const isSecondDay = Temporal.Instant.compare(world.clock.now(), secondDay) > 0;
  const dues = [...load.acknowledged.values()].flatMap(({ firstDue }) => {
    if (firstDue === null) return [];
    const due = Temporal.Instant.from(firstDue);
    const isAgain = isSecondDay && Temporal.Instant.compare(due, secondDay) < 0;
    // A customer who agreed too late for the last day is due the day after, which is not part of the run.
    const isOver = Temporal.Instant.compare(due, isSecondDay ? secondDay.add(DAY) : secondDay) > 0;
    return isOver ? [] : [(isAgain ? due.add(DAY) : due).epochMilliseconds];
  });
  const latest = Temporal.Instant.fromEpochMilliseconds(Math.max(...dues));
  await passUntil(world, latest.add({ minutes: 1 }));
  wrong.push(...(await drain(world, findUnanswered)));
  const lastDay = world.clock.now();
  told('the merchant cancels everything');
  await load.cancelAll();
  wrong.push(...(await drain(world)));
  told('days pass');
  await passUntil(world, lastDay.add(RECOVERY_TIME));
  wrong.push(...(await drain(world)));
  return lastDay;
}

const cutsOf = (world: World): number =>
  allWires(world).reduce((cuts, wire) => cuts + wire.cuts, 0);
