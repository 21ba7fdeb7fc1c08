import { readConditions } from '../../banks/condition-store.ts';
import { findStopped } from '../../banks/stop-store.ts';
import { findUnsent } from '../../payments/books/unsent-store.ts';
import { stagesDue } from '../../platform/engine/due.ts';
import type { Engine } from '../../platform/engine/engine.ts';
import { countOrphans } from '../../platform/engine/heartbeat-store.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import { knownNow, machineClock } from '../../platform/time/clock-skew.ts';
import { cachedFor } from '../../platform/values/cached-for.ts';
import { ageOf } from '../age.ts';
import type { DatabaseState } from './database-problem.ts';
import type { RecentCalls } from './recent-calls.ts';
import { type BankFacts, type Facts, type Report, reportOf } from './report.ts';

/** The issuer's name among the partners; banks go by their ids, which have no colon. */
export const ISSUER_PARTNER = 'issuer:';
/** However many ask, the database is asked once in so long. */
const CACHE_MS = 2_000;
const STATEMENT_MS = 2_000;
/** An engine gives back what a silent process has claimed in half of this. */
const MAX_SILENCE = Temporal.Duration.from({ seconds: 30 });

/** What is looked at. */
export interface HealthDeps {
  platform: Pick<Platform, 'db' | 'clock' | 'config'>;
  engine: Pick<Engine, 'pulse'>;
  stages: readonly Stage[];
  banks: Iterable<string>;
  calls: RecentCalls;
  database: () => Promise<DatabaseState>;
}

/** Tells how this process is. */
export interface Health {
  /** Never throws, and waits for the database six seconds at most. Calls no partner. */
  report(): Promise<Report>;
  /** Resolves when no look is under way. */
  idle(): Promise<void>;
}

/** Makes what answers `/health`. Callers share a look under way, and its report is kept for two seconds. */
export function makeHealth(deps: HealthDeps): Health {
  const startedAt = performance.now();
  let looking: Promise<unknown> = Promise.resolve();
  const report = cachedFor(CACHE_MS, () => {
    const look = reportNow(deps, startedAt);
    looking = look;
    return look;
  });
  return { report, idle: async () => void (await looking) };
}

async function reportNow(deps: HealthDeps, startedAt: number): Promise<Report> {
  const { platform, engine, banks, calls } = deps;
  const { roles, mode, bankHolidays } = platform.config;
  const database = await deps.database();
  const read = database.milliseconds === null ? null : await readBooks(deps);
  return reportOf({
    nowMs: performance.now(),
    database,
    orphans: read?.orphans ?? null,
    engine: roles.includes('engine') ? { ...engine.pulse(), startedAt } : null,
    clock: { aheadMs: machineClock.aheadMs(), isWrong: machineClock.isTooFar() },
    mayPause: mode === 'sandbox',
    lag: read?.lag ?? null,
    stopped: read?.stopped ?? null,
    at: knownNow(platform.clock),
    banks: new Map([...banks].map((bank) => [bank, read?.banks.get(bank) ?? null])),
    issuer: calls.of(ISSUER_PARTNER),
    holidays: bankHolidays,
  });
}

type Books = Pick<Facts, 'lag' | 'stopped' | 'banks' | 'orphans'>;

/** Returns how long the oldest work of each stage has been due, how each bank is, and what nobody works on; null: not read. */
async function readBooks({ platform, stages, banks }: HealthDeps): Promise<Books | null> {
  const { db, clock } = platform;
  const now = knownNow(clock);
  try {
    const [due, stopped, standing, unsent, orphans] = await db.transaction(
      async (tx) =>
        [
          await stagesDue(tx, stages, now),
          await findStopped(tx, [...banks]),
          await readConditions(tx, now),
          await findUnsent(tx, now, banks),
          await countOrphans(tx, now, MAX_SILENCE),
        ] as const,
      { isQueuePeek: true, statementTimeoutMs: STATEMENT_MS },
    );
    const known = [...unsent].map(([bank, some]): [string, BankFacts] => [
      bank,
      { standing: standing(bank), unsent: some },
    ]);
    const lag = new Map([...due.due].map(([{ name }, at]) => [name, ageOf(at, now)]));
    return { lag, stopped, banks: new Map(known), orphans };
  } catch {
    return null; // the report shows that it was not read
  }
}
