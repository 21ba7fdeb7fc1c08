import { type Clock, realNow } from './clock.ts';

/** A moment of this machine: of its clock, which may jump, and of the one that only goes forward. */
interface Reading {
  wallMs: number;
  steadyMs: number;
}

/** Returns the moment now. */
export const readClocks = (): Reading => ({
  wallMs: realNow().epochMilliseconds,
  steadyMs: performance.now(),
});

/** From this difference on a person hears of it. */
export const NOTABLE_SKEW_MS = 2_000;
/** From this difference on a process claims nothing: it would open tomorrow's collections today, or put off today's. */
const MAX_SKEW_MS = 30_000;

/** How far this machine's clock is from the database's, which all processes share. */
export class ClockSkew {
  #database: Reading | null = null;

  /** Notes the database's time, which was read between two moments of this machine. */
  note(before: Reading, databaseMs: number, after: Reading): void {
    // The answer was under way for some part of the time that it took.
    const onTheWay = after.steadyMs - before.steadyMs;
    const ahead = after.wallMs - databaseMs;
    const surelyAhead = Math.min(ahead, Math.max(0, ahead - onTheWay));
    this.#database = { wallMs: after.wallMs - surelyAhead, steadyMs: after.steadyMs };
  }

  /**
   * Returns by how many milliseconds this machine's clock is ahead of the database's (below zero: behind), now, so that a jump
   * since the last reading counts; null: nothing was read yet.
   */
  aheadMs({ wallMs, steadyMs } = readClocks()): number | null {
    if (this.#database === null) return null;
    return wallMs - (this.#database.wallMs + (steadyMs - this.#database.steadyMs));
  }

  /** Whether this machine's clock is so far off that nothing may be claimed by it. */
  isTooFar(): boolean {
    return Math.abs(this.aheadMs() ?? 0) > MAX_SKEW_MS;
  }
}

/** What this process knows of its machine's clock, whoever of its parts has asked the database last. */
export const machineClock = new ClockSkew();

/** Returns business time; by the database's clock where this machine's is too far off. */
export function knownNow(clock: Clock): Temporal.Instant {
  const aheadMs = machineClock.isTooFar() ? (machineClock.aheadMs() ?? 0) : 0;
  return clock.now().subtract({ milliseconds: Math.round(aheadMs) });
}
