import type { HolidayChanges } from '../../platform/calendar.ts';
import type { Seen } from './recent-calls.ts';

/** What a look at a process found. Times are in milliseconds of one clock that only goes forward. */
export interface Facts {
  nowMs: number;
  /** Null: it did not answer in time. */
  databaseMs: number | null;
  /** Null: this process runs no engine. */
  engine: {
    isRunning: boolean;
    lookedAt: number | null;
    startedAt: number;
    clockAheadMs: number | null;
    isClockWrong: boolean;
  } | null;
  /** Stopping the engine for a moment is part of moving the sandbox's clock. */
  mayPause: boolean;
  /** How long the oldest work of each stage has been due, in seconds; null: not read. */
  lag: ReadonlyMap<string, number> | null;
  banks: ReadonlyMap<string, Seen>;
  /** The banks to which an operator has stopped orders; null: not read. */
  stopped: ReadonlySet<string> | null;
  issuer: Seen;
  holidays: HolidayChanges;
}

type PartnerStatus = 'answers' | 'no_answer' | 'not_called';

interface PartnerReport {
  status: PartnerStatus;
  /** Null: never, since this process started. */
  answered_seconds_ago: number | null;
  failed_seconds_ago: number | null;
  failures_in_a_row: number;
}

/** The body of `/health`: docs/guides/operators.md#health. */
export interface Report {
  /** `failing`: this process cannot do its work. `degraded`: it works, and something needs a look. */
  status: 'ok' | 'degraded' | 'failing';
  problems: { part: string; says: string }[];
  database: { status: 'answers' | 'no_answer'; milliseconds: number | null };
  engine: {
    status: 'running' | 'stuck' | 'stopped' | 'not_here';
    looked_seconds_ago: number | null;
    /** By how many seconds this machine's clock is ahead of the database's; null: not compared. */
    clock_ahead_seconds: number | null;
    /** Stages whose oldest work has been due for more than five minutes; null: not read. */
    behind: { stage: string; seconds: number }[] | null;
  };
  /** `stopped`: an operator has stopped orders to it; null: not read. */
  banks: ({ bank: string; stopped: boolean | null } & PartnerReport)[];
  issuer: PartnerReport;
  /** What the settings of this process change about the bank holidays that its version knows. */
  bank_holidays: { extra: string[]; without: string[] };
}

/** The engine looks for due work every second, and after an error. */
const STUCK_AFTER_MS = 15_000;
const BEHIND_AFTER_SECONDS = 300;
/** A call that failed longer ago says nothing of now. */
const RECENT_MS = 15 * 60_000;
/** One lost connection is nothing. */
const SILENT_AFTER = 3;
const MS_PER_SECOND = 1000;

/** Says how a process is, and names everything that is wrong. */
export function reportOf(facts: Facts): Report {
  const { nowMs, databaseMs } = facts;
  const engine = engineOf(facts);
  const banks = [...facts.banks].map(([bank, seen]) => ({
    bank,
    stopped: facts.stopped?.has(bank) ?? null,
    ...partnerOf(seen, nowMs),
  }));
  const issuer = partnerOf(facts.issuer, nowMs);
  const failing = [
    ...(databaseMs === null ? [{ part: 'database', says: 'The database does not answer.' }] : []),
    ...engineProblems(engine.status, facts.mayPause),
    ...clockProblems(facts.engine?.isClockWrong ?? false, engine.clock_ahead_seconds),
  ];
  const degraded = [
    ...(engine.behind ?? []).map(({ stage, seconds }) => ({
      part: `stage ${stage}`,
      says: `Its oldest work has been due for ${seconds} seconds.`,
    })),
    ...banks.flatMap(({ bank, stopped, ...partner }) => [
      ...(stopped ? [{ part: `bank ${bank}`, says: 'An operator has stopped orders to it.' }] : []),
      ...silence(`bank ${bank}`, partner),
    ]),
    ...silence('issuer', issuer),
  ];
  const works = degraded.length > 0 ? 'degraded' : 'ok';
  return {
    status: failing.length > 0 ? 'failing' : works,
    problems: [...failing, ...degraded],
    database: { status: databaseMs === null ? 'no_answer' : 'answers', milliseconds: databaseMs },
    engine,
    banks,
    issuer,
    bank_holidays: {
      extra: [...facts.holidays.extra].sort(),
      without: [...facts.holidays.without].sort(),
    },
  };
}

function engineOf({ engine, lag, nowMs }: Facts): Report['engine'] {
  const behind =
    lag === null
      ? null
      : [...lag]
          .filter(([, seconds]) => seconds > BEHIND_AFTER_SECONDS)
          .map(([stage, seconds]) => ({ stage, seconds: Math.round(seconds) }));
  if (engine === null)
    return { status: 'not_here', looked_seconds_ago: null, clock_ahead_seconds: null, behind };
  const { isRunning, lookedAt, startedAt, clockAheadMs } = engine;
  const isStuck = nowMs - (lookedAt ?? startedAt) > STUCK_AFTER_MS;
  const running = isStuck ? 'stuck' : 'running';
  return {
    status: isRunning ? running : 'stopped',
    looked_seconds_ago: secondsSince(lookedAt, nowMs),
    clock_ahead_seconds: clockAheadMs === null ? null : Math.round(clockAheadMs / MS_PER_SECOND),
    behind,
  };
}

function engineProblems(status: Report['engine']['status'], mayPause: boolean): Report['problems'] {
  if (status === 'stuck')
    return [{ part: 'engine', says: 'It has not looked for due work for more than 15 seconds.' }];
  if (status === 'stopped' && !mayPause) return [{ part: 'engine', says: 'It does not run.' }];
  return [];
}

function clockProblems(isWrong: boolean, seconds: number | null): Report['problems'] {
  if (!isWrong || seconds === null) return [];
  const where = seconds > 0 ? 'ahead of' : 'behind';
  const says = `This machine's clock is ${Math.abs(seconds)} seconds ${where} the database's: it claims nothing. Set the clock.`;
  return [{ part: 'clock', says }];
}

function partnerOf({ answeredAt, failedAt, failuresInARow }: Seen, nowMs: number): PartnerReport {
  const latest = Math.max(
    answeredAt ?? Number.NEGATIVE_INFINITY,
    failedAt ?? Number.NEGATIVE_INFINITY,
  );
  const called = failuresInARow >= SILENT_AFTER ? 'no_answer' : 'answers';
  return {
    status: nowMs - latest > RECENT_MS ? 'not_called' : called,
    answered_seconds_ago: secondsSince(answeredAt, nowMs),
    failed_seconds_ago: secondsSince(failedAt, nowMs),
    failures_in_a_row: failuresInARow,
  };
}

const secondsSince = (atMs: number | null, nowMs: number): number | null =>
  atMs === null ? null : Math.round((nowMs - atMs) / MS_PER_SECOND);

function silence(part: string, partner: PartnerReport): Report['problems'] {
  if (partner.status !== 'no_answer') return [];
  const { failures_in_a_row: failures } = partner;
  return [{ part, says: `The last ${failures} calls of this process had no answer.` }];
}
