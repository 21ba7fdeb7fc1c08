import type { Log } from './log.ts';
import type { LogEventCode } from './log-events.ts';

/** For how long repeats are counted instead of logged. */
const WINDOW_MS = 60_000;
/** Names that are remembered: an attacker may choose some. */
const MAX_NAMES = 1_000;

/** Logs an event, or counts it. `name` tells what is counted apart from each other. */
export type SampledReport = (
  code: LogEventCode,
  name: string,
  fields: Record<string, string>,
) => void;

/**
 * Logs the first event of a name and counts the others for a minute; the next line says how many were left out. What strangers
 * can cause at will neither fills the disk nor hides the other lines. `nowMs` is a clock that only goes forward.
 */
export function makeSampledReport(
  log: Pick<Log, 'report'>,
  nowMs: () => number = () => performance.now(),
): SampledReport {
  const windows = new Map<string, { endsMs: number; leftOut: number }>();
  return (code, name, fields) => {
    const key = `${code} ${name}`;
    const window = windows.get(key);
    const now = nowMs();
    if (window !== undefined && now < window.endsMs) {
      window.leftOut += 1;
      return;
    }
    if (windows.size >= MAX_NAMES) windows.clear();
    windows.set(key, { endsMs: now + WINDOW_MS, leftOut: 0 });
    log.report(code, { ...fields, left_out: window?.leftOut ?? 0 });
  };
}
