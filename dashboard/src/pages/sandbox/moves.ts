import type { SandboxMove } from '@recollect/sdk';

/** Buttons that move the clock by a calendar span in the merchant's time zone. */
export const STRETCHES: readonly { label: string; by: string; days: number }[] = [
  { label: 'A day', by: 'P1D', days: 1 },
  { label: 'A week', by: 'P1W', days: 7 },
  { label: 'A month', by: 'P1M', days: 30.4 },
];

const DAY_MS = 86_400_000;

/** Returns the approximate target of a move, for a progress bar. `now` is the clock before it. */
export function targetOf(move: SandboxMove, now: string): number {
  if ('to' in move) return Date.parse(move.to);
  const days = STRETCHES.find((one) => one.by === move.by)?.days ?? 1;
  return Date.parse(now) + days * DAY_MS;
}

/** Returns the progress of a move, 0 to 1. */
export function progressOf(from: number, now: number, to: number): number {
  if (to <= from) return 1;
  return Math.min(1, Math.max(0, (now - from) / (to - from)));
}
