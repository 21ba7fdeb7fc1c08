import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { machineClock } from '../platform/time/clock-skew.ts';
import type { BankCall, BankOperation } from './condition.ts';
import { addCalls, type CallsOfOperation, type Change } from './condition-store.ts';

/** News waits no longer than a moment: whoever reads the condition is at most so much behind. */
const WRITE_DELAY_MS = 1_000;
/** That a bank goes on answering is written less often. */
const AS_BEFORE_MS = 20_000;
/** More calls of a moment than a state remembers tell nothing new. */
const MAX_KEPT = 50;

/** Adds the calls of this process to the condition of each bank. */
export interface ConditionRecorder {
  /** Notes a call that went to a bank. */
  note(bankId: string, operation: BankOperation, answered: boolean): void;
  /** Stores what was noted. Never throws: what could not be stored is stored the next time. */
  store(): Promise<void>;
  /** Stores a last time. */
  close(): Promise<void>;
}

interface RecordedCalls {
  calls: BankCall[];
  /** Whether the last calls that were stored were all answered. */
  isWell: boolean;
}

/** Takes up what waited for a bank that answers again: some of its calls, or all (`isWell`). */
export type AnswersAgain = (
  work: { tx: Tx; now: Temporal.Instant },
  bankId: string,
  isWell: boolean,
) => Promise<void>;

/** Makes what stores how the banks answered this process: every process that calls them has one. */
export function recordConditions(
  { db, clock, log }: Pick<Platform, 'db' | 'clock'> & { log: Pick<Platform['log'], 'report'> },
  answersAgain: AnswersAgain,
): ConditionRecorder {
  const banks = new Map<string, Map<BankOperation, RecordedCalls>>();
  let timer: { at: number; stop: NodeJS.Timeout } | null = null;
  let storing = Promise.resolve();
  let isFailing = false;

  const keptOf = (bankId: string, operation: BankOperation): RecordedCalls => {
    const bank = banks.get(bankId) ?? new Map<BankOperation, RecordedCalls>();
    banks.set(bankId, bank);
    const kept = bank.get(operation) ?? { calls: [], isWell: false };
    bank.set(operation, kept);
    return kept;
  };
  const take = (): CallsOfOperation[] =>
    [...banks].flatMap(([bankId, operations]) =>
      [...operations].flatMap(([operation, { calls }]) =>
        calls.length === 0 ? [] : [{ bankId, operation, calls: calls.splice(0) }],
      ),
    );
  const storeWithin = (ms: number): void => {
    const at = performance.now() + ms;
    if (timer !== null && timer.at <= at) return;
    if (timer !== null) clearTimeout(timer.stop);
    timer = { at, stop: setTimeout(() => void store(), ms).unref() };
  };
  const storeNow = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer.stop);
    timer = null;
    const made = take();
    if (made.length === 0) return;
    try {
      const { states, changes } = await db.transaction(async (tx) => {
        const added = await addCalls(tx, made);
        for (const { bankId, isWell } of added.changes.flatMap(recoveryOf))
          await answersAgain({ tx, now: clock.now() }, bankId, isWell);
        return added;
      });
      reportOutages(log, changes);
      for (const { bankId, operation, state } of states)
        keptOf(bankId, operation).isWell =
          state.condition === 'operational' && state.failingSince === null;
      isFailing = false;
    } catch (error) {
      for (const { bankId, operation, calls } of made)
        keptOf(bankId, operation).calls.unshift(...calls);
      if (!isFailing) log.report('bank.condition_not_stored', { err: error });
      isFailing = true;
      storeWithin(AS_BEFORE_MS);
    }
  };
  const store = (): Promise<void> => {
    storing = storing.then(storeNow);
    return storing;
  };
  return {
    note(bankId, operation, answered) {
      // A bank lets nobody in whose clock is wrong: that is no trouble of the bank.
      if (!answered && machineClock.isTooFar()) return;
      const kept = keptOf(bankId, operation);
      kept.calls.push({ at: clock.now(), answered });
      if (kept.calls.length > MAX_KEPT) kept.calls.shift();
      storeWithin(answered && kept.isWell ? AS_BEFORE_MS : WRITE_DELAY_MS);
    },
    store,
    async close() {
      await store();
      if (timer !== null) clearTimeout(timer.stop);
    },
  };
}

/** Returns that a bank answers again after an outage, or is well again after any trouble; nothing for other changes. */
function recoveryOf({ bankId, before, after }: Change): { bankId: string; isWell: boolean }[] {
  const isWell = after.condition === 'operational';
  const wasDown = before?.condition === 'down';
  const wasIll = wasDown || before?.condition === 'degraded';
  return (wasDown && after.condition !== 'down') || (wasIll && isWell) ? [{ bankId, isWell }] : [];
}

/** Reports the beginning and the end of an outage, each by the one process whose calls made it. */
function reportOutages(log: Pick<Platform['log'], 'report'>, changes: readonly Change[]): void {
  for (const { bankId, before, after } of changes) {
    const wasDown = before?.condition === 'down';
    if (after.condition === 'down' && !wasDown)
      log.report('bank.down', { bank_id: bankId, since: formatInstant(after.since) });
    if (wasDown && after.condition !== 'down')
      log.report('bank.answers_again', { bank_id: bankId, since: formatInstant(before.since) });
  }
}
