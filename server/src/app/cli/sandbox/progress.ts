import type { SandboxClock } from '@recollect/sdk';

/** Where progress is shown: standard error, so that the result alone goes into a pipe. */
type Screen = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

const CLEAR_LINE = '\r\u001b[2K';
/** Of an instant's text: the day, and the minute. */
const MINUTE_LENGTH = '2026-01-31T09:00'.length;

/** Returns how far the clock is, in one line: `2026-01-31 09:00 of 2026-02-28 09:00, waiting for https://…`. */
function lineOf({ now, advancing_to: to, waiting_for: waiting }: SandboxClock): string {
  const minute = (at: string): string => at.slice(0, MINUTE_LENGTH).replace('T', ' ');
  const way = to === null ? minute(now) : `${minute(now)} of ${minute(to)}`;
  return waiting.length === 0 ? way : `${way}, waiting for ${waiting.join(', ')}`;
}

/**
 * Returns what shows the clock while it is moved: one line that is written again and again on a terminal; elsewhere a line
 * whenever it waits for other endpoints.
 */
export function showProgress(screen: Screen): (clock: SandboxClock) => void {
  let waited = '';
  return (clock) => {
    if (screen.isTTY) {
      screen.write(clock.advancing ? CLEAR_LINE + lineOf(clock) : CLEAR_LINE);
      return;
    }
    const waiting = clock.waiting_for.join();
    if (clock.advancing && waiting !== waited) screen.write(`${lineOf(clock)}\n`);
    waited = waiting;
  };
}
