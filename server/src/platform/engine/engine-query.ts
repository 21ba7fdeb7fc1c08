import type { Db } from '../db/db.ts';
import { databaseClock } from '../time/clock.ts';
import { type ClockSkew, readClocks } from '../time/clock-skew.ts';
import { stagesDue } from './due.ts';
import type { Stage } from './stage.ts';

export type Due = Map<Stage, Temporal.Instant>;

const LONG_AGO = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * Returns when each stage has work until a moment (null: ever), in its rows or handed to it; the others may be left out. The
 * answer compares the clocks, too.
 */
export async function queryStages(
  db: Db,
  stages: readonly Stage[],
  until: Temporal.Instant | null,
  skew: ClockSkew,
): Promise<Due> {
  const { due, before, at, after } = await db.transaction(
    async (tx) => {
      const begun = readClocks();
      const found = await stagesDue(tx, stages, until);
      return { ...found, before: begun, after: readClocks() };
    },
    { isQueuePeek: true },
  );
  skew.note(before, databaseClock.timeOf(at).epochMilliseconds, after);
  const all: Due = new Map();
  for (const stage of stages) {
    const moment = stage.handed?.isEmpty === false ? LONG_AGO : due.get(stage);
    if (moment !== undefined) all.set(stage, moment);
  }
  return all;
}
