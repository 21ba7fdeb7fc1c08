import type { BankCondition, BankConditionNow } from '../../banks/condition.ts';
import type { Unsent } from '../../payments/books/unsent-store.ts';
import type { Orphans } from '../../platform/engine/heartbeat-store.ts';
import type { HolidayChanges } from '../../platform/time/calendar.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import { ageOf } from '../age.ts';
import { type DatabaseState, databaseProblem } from './database-problem.ts';
import { type CallSummary, SILENT_AFTER } from './recent-calls.ts';

/** What the books say of a bank. */
export interface BankFacts {
  standing: BankConditionNow;
  /** What is due there and not sent. */
  unsent: Unsent;
}

/** What a look at a process found. Times are in milliseconds of one clock that only goes forward. */
export interface Facts {
  nowMs: number;
  database: DatabaseState;
  /** Null: not read. */
  orphans: Orphans | null;
  /** Null: this process runs no engine. */
  engine: {
    isRunning: boolean;
    lookedAt: number | null;
    startedAt: number;
  } | null;
  /** By how many milliseconds this machine's clock is ahead of the database's (null: not compared); whether that is too far. */
  clock: { aheadMs: number | null; isWrong: boolean };
  /** Stopping the engine for a moment is part of moving the sandbox's clock. */
  mayPause: boolean;
  /** How long the oldest work of each stage has been due, in seconds; null: not read. */
  lag: ReadonlyMap<string, number> | null;
  /** The moment of the books, in business time. */
  at: Temporal.Instant;
  /** The banks of this process, and what is known of each; null: not read. */
  banks: ReadonlyMap<string, BankFacts | null>;
  /** The banks to which an operator has stopped orders; null: not read. */
  stopped: ReadonlySet<string> | null;
  issuer: CallSummary;
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

/** Null: not read. */
interface BankReport {
  bank: string;
  /** An operator has stopped orders to it. */
  stopped: boolean | null;
  /** docs/rules/payments.md#the-condition-of-a-bank */
  condition: BankCondition | null;
  since_seconds: number | null;
  operations: Record<string, BankCondition> | null;
  /** What is due there and not sent. */
  waiting: { payments: number; merchants: number; pence: number; oldest_seconds: number } | null;
}

/** Something that is wrong. */
interface Problem {
  part: string;
  /** What is wrong, and what to do where one thing helps. */
  says: string;
  /** The section of docs/guides/runbook.md that says what to do. */
  runbook: string;
}

/** The body of `/health`: docs/guides/operators.md#health. */
export interface Report {
  /** `failing`: this process cannot do its work. `degraded`: it works, and something needs a look. */
  status: 'ok' | 'degraded' | 'failing';
  problems: Problem[];
  database: { status: 'answers' | 'cannot_write' | 'no_answer'; milliseconds: number | null };
  engine: {
    /** `paused`: the sandbox's clock is being moved. */
    status: 'running' | 'stuck' | 'paused' | 'stopped' | 'not_here';
    looked_seconds_ago: number | null;
    /** Stages whose oldest work has been due for more than five minutes; null: not read. */
    behind: { stage: string; seconds: number }[] | null;
  };
  /** By how many seconds this machine's clock is ahead of the database's; null: not compared. */
  clock: { ahead_seconds: number | null };
  banks: BankReport[];
  issuer: PartnerReport;
  /** What the settings of this process change about the bank holidays that its version knows. */
  bank_holidays: { extra: string[]; without: string[] };
}

/** The engine looks for due work every second, and after an error. */
const STUCK_AFTER_MS = 15_000;
const BEHIND_AFTER_SECONDS = 300;
/** A call that failed longer ago says nothing of now. */
const RECENT_MS = 15 * 60_000;
const MS_PER_SECOND = 1000;

/** Says how a process is, and names everything that is wrong. */
export function reportOf(facts: Facts): Report {
  const { nowMs, database } = facts;
  const engine = engineOf(facts);
  const { aheadMs } = facts.clock;
  const aheadSeconds = aheadMs === null ? null : Math.round(aheadMs / MS_PER_SECOND);
  const banks = [...facts.banks].map(([bank, known]) => bankOf(bank, known, facts));
  const issuer = partnerOf(facts.issuer, nowMs);
  const failing = [
    ...databaseProblems(database),
    ...engineProblems(engine.status),
    ...clockProblems(facts.clock.isWrong, aheadSeconds),
  ];
  const degraded = [
    ...(engine.behind ?? []).map(({ stage, seconds }) => ({
      part: `stage ${stage}`,
      says: `Its oldest work has been due for ${seconds} seconds.`,
      runbook: 'RecollectStageBehind',
    })),
    ...orphanProblems(facts.orphans),
    ...banks.flatMap(bankProblems),
    ...silence('issuer', issuer),
  ];
  const works = degraded.length > 0 ? 'degraded' : 'ok';
  return {
    status: failing.length > 0 ? 'failing' : works,
    problems: [...failing, ...degraded],
    database: { status: databaseStatus(database), milliseconds: database.milliseconds },
    engine,
    clock: { ahead_seconds: aheadSeconds },
    banks,
    issuer,
    bank_holidays: {
      extra: [...facts.holidays.extra].sort(),
      without: [...facts.holidays.without].sort(),
    },
  };
}

function databaseStatus({ milliseconds, refusal }: DatabaseState): Report['database']['status'] {
  if (milliseconds === null) return 'no_answer';
  return refusal === null ? 'answers' : 'cannot_write';
}

function databaseProblems(state: DatabaseState): Problem[] {
  const says = databaseProblem(state);
  return says === null ? [] : [{ part: 'database', says, runbook: 'RecollectDatabaseUnavailable' }];
}

function engineOf({ engine, lag, nowMs, mayPause }: Facts): Report['engine'] {
  const behind =
    lag === null
      ? null
      : [...lag]
          .filter(([, seconds]) => seconds > BEHIND_AFTER_SECONDS)
          .map(([stage, seconds]) => ({ stage, seconds: Math.round(seconds) }));
  if (engine === null) return { status: 'not_here', looked_seconds_ago: null, behind };
  const { isRunning, lookedAt, startedAt } = engine;
  const isStuck = nowMs - (lookedAt ?? startedAt) > STUCK_AFTER_MS;
  const running = isStuck ? 'stuck' : 'running';
  const stopped = mayPause ? 'paused' : 'stopped';
  return {
    status: isRunning ? running : stopped,
    looked_seconds_ago: secondsSince(lookedAt, nowMs),
    behind,
  };
}

function engineProblems(status: Report['engine']['status']): Problem[] {
  if (status === 'stuck')
    return [
      {
        part: 'engine',
        says: 'It has not looked for due work for more than 15 seconds.',
        runbook: 'RecollectStageBehind',
      },
    ];
  if (status === 'stopped')
    return [{ part: 'engine', says: 'It does not run.', runbook: 'RecollectNoEngine' }];
  return [];
}

/** Only an engine gives claims back: while there are some for so long, none does. */
function orphanProblems(orphans: Orphans | null): Problem[] {
  if (orphans === null || orphans.payments === 0) return [];
  const { payments, silentSeconds } = orphans;
  const some = payments === 1 ? '1 payment is' : `${payments} payments are`;
  const silence = `of which nothing was heard for ${Math.round(silentSeconds)} seconds`;
  const says = `${some} claimed by processes ${silence}, and no engine gives them back. Start one.`;
  return [{ part: 'claims', says, runbook: 'RecollectPaymentsNotSent' }];
}

function clockProblems(isWrong: boolean, seconds: number | null): Problem[] {
  if (!isWrong || seconds === null) return [];
  const where = seconds > 0 ? 'ahead of' : 'behind';
  const says = `This machine's clock is ${Math.abs(seconds)} seconds ${where} the database's: it claims nothing. Set the clock.`;
  return [{ part: 'clock', says, runbook: 'RecollectClockWrong' }];
}

function partnerOf(
  { answeredAt, failedAt, failuresInARow }: CallSummary,
  nowMs: number,
): PartnerReport {
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

function bankOf(bank: string, known: BankFacts | null, { stopped, at }: Facts): BankReport {
  const { standing = null, unsent = null } = known ?? {};
  const { condition = null, since = null, operations = null } = standing ?? {};
  return {
    bank,
    stopped: stopped?.has(bank) ?? null,
    condition,
    since_seconds: since === null ? null : Math.round(ageOf(since, at)),
    operations:
      operations && Object.fromEntries(operations.map((one) => [one.operation, one.condition])),
    waiting: unsent && {
      payments: unsent.payments,
      merchants: unsent.merchants,
      pence: unsent.pence,
      oldest_seconds: Math.round(ageOf(unsent.oldest, at)),
    },
  };
}

/** Says of a bank what is wrong, and what waits because of it. */
function bankProblems(report: BankReport): Problem[] {
  const { bank, stopped, condition, since_seconds: seconds, waiting } = report;
  const waits = waiting !== null && waiting.payments > 0 ? ` ${waitingSentence(waiting)}` : '';
  const problems: Problem[] = [];
  const add = (runbook: string, says: string): unknown =>
    problems.push({ part: `bank ${bank}`, says: `${says}${waits}`, runbook });
  if (stopped) add('RecollectBankStopped', 'An operator has stopped orders to it.');
  if (condition === 'down')
    add('RecollectBankUnavailable', `It has been down for ${seconds} seconds.`);
  if (condition === 'degraded')
    add('RecollectBankUnavailable', `Some of its calls have had no answer for ${seconds} seconds.`);
  if (problems.length === 0 && waiting !== null && waiting.oldest_seconds > BEHIND_AFTER_SECONDS)
    add('RecollectPaymentsNotSent', 'Payments there are due and not sent.');
  return problems;
}

/** Says what waits: "17 payments of 3 merchants wait (£85.00), the oldest for 301 seconds." */
function waitingSentence(waiting: NonNullable<BankReport['waiting']>): string {
  const { payments, merchants, pence, oldest_seconds: oldest } = waiting;
  const some = `${payments} ${payments === 1 ? 'payment' : 'payments'}`;
  const whose = `${merchants} ${merchants === 1 ? 'merchant' : 'merchants'}`;
  const verb = payments === 1 ? 'waits' : 'wait';
  return `${some} of ${whose} ${verb} (${describeAmount(pence)}), the oldest for ${oldest} seconds.`;
}

const secondsSince = (atMs: number | null, nowMs: number): number | null =>
  atMs === null ? null : Math.round((nowMs - atMs) / MS_PER_SECOND);

function silence(part: string, partner: PartnerReport): Problem[] {
  if (partner.status !== 'no_answer') return [];
  const { failures_in_a_row: failures } = partner;
  const says = `The last ${failures} calls of this process had no answer.`;
  return [{ part, says, runbook: 'RecollectIssuerUnavailable' }];
}
