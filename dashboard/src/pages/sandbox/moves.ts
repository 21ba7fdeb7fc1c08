import type { SandboxMove } from '@recollect/sdk';

/** Buttons that move the clock by a calendar span in the merchant's time zone. */
export const CLOCK_STEPS: readonly { label: string; by: string; days: number }[] = [
  { label: 'A day', by: 'P1D', days: 1 },
  { label: 'A week', by: 'P1W', days: 7 },
  { label: 'A month', by: 'P1M', days: 30.4 },
];

const DAY_MS = 86_400_000;

/** Returns the approximate target of a move, for a progress bar. `now` is the clock before it. */
export function targetOf(move: SandboxMove, now: string): number {
  if ('to' in move) return Date.parse(move.to);
  const days = CLOCK_STEPS.find((one) => one.by === move.by)?.days ?? 1;
  return Date.parse(now) + days * DAY_MS;
}

/** A move of the clock: sandbox time from and to, and when it started in real time; in milliseconds since 1970. */
export interface ClockMove {
  from: number;
  to: number;
  startedAt: number;
}

/** Returns the progress of a move, 0 to 1. */
export function progressOf({ from, to }: ClockMove, now: number): number {
  if (to <= from) return 1;
  return Math.min(1, Math.max(0, (now - from) / (to - from)));
}

/** So early, a guess would be far out. */
const FIRST_GUESS_AFTER_MS = 3_000;

/** Tells how long a move will still take, judged by how long it has taken so far; empty while nobody can know. */
export function timeLeft(progress: number, takenMs: number): string {
  if (progress <= 0 || takenMs < FIRST_GUESS_AFTER_MS) return '';
  const seconds = Math.ceil((takenMs / progress - takenMs) / 1000);
  if (seconds <= 5) return 'Almost there.';
  if (seconds < 90) return `About ${Math.ceil(seconds / 5) * 5} seconds left.`;
  return `About ${Math.round(seconds / 60)} minutes left.`;
}
