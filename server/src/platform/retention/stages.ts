import type { Stage } from '../engine/stage.ts';
import type { Platform } from '../platform.ts';
import { realNow } from '../time/clock.ts';
import { RETENTION, type TimedTable } from './rules.ts';
import { earliestForgotten, forget } from './store.ts';

const BATCH = 1000;

/** Deletes the rows of a table whose time is over, batch by batch: docs/rules/retention.md. */
export function forgetStage({ db }: Pick<Platform, 'db'>, table: TimedTable): Stage {
  const { stage: name, clock, for: kept } = RETENTION[table];
  return {
    name,
    batch: BATCH,
    ...earliestForgotten(table),
    run(now, limit) {
      const upTo = (clock === 'real' ? realNow() : now).subtract(kept);
      return db.transaction((tx) => forget(tx, table, upTo, limit));
    },
  };
}

/** The stages of every table whose rows are kept for a time. */
export function forgetStages(platform: Pick<Platform, 'db'>): Stage[] {
  const tables = Object.entries(RETENTION).flatMap(([table, { kept }]) =>
    kept === 'for a time' ? [table as TimedTable] : [],
  );
  return tables.map((table) => forgetStage(platform, table));
}
