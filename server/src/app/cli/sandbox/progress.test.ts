import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxClock } from '@recollect/sdk';
import { showProgress } from './progress.ts';

const clock = (at: string, waiting_for: string[] = []): SandboxClock => ({
  now: `2026-02-${at}T09:00:00.000Z`,
  advancing: true,
  advancing_to: '2026-03-01T09:00:00.000Z',
  waiting_for,
  last_error: null,
});
const SLOW = 'https://slow.example/hooks';

/** Shows a move on a screen; returns what was written. */
function shown(isTTY: boolean): string[] {
  const written: string[] = [];
  const show = showProgress({ isTTY, write: (text) => written.push(String(text)) > 0 });
  for (const one of [clock('01'), clock('02', [SLOW]), clock('03', [SLOW]), clock('04')]) show(one);
  show({ ...clock('28'), advancing: false, advancing_to: null });
  return written;
}

test('on a terminal one line says how far the clock is and for whom it waits, and is gone at the end', () => {
  const lines = shown(true).map((text) => text.replace('\r\u001b[2K', ''));
  assert.deepEqual(lines, [
    '2026-02-01 09:00 of 2026-03-01 09:00',
    `2026-02-02 09:00 of 2026-03-01 09:00, waiting for ${SLOW}`,
    `2026-02-03 09:00 of 2026-03-01 09:00, waiting for ${SLOW}`,
    '2026-02-04 09:00 of 2026-03-01 09:00',
    '',
  ]);
});

test('elsewhere it says for whom the clock waits, once', () => {
  assert.deepEqual(shown(false), [
    `2026-02-02 09:00 of 2026-03-01 09:00, waiting for ${SLOW}\n`,
    '2026-02-04 09:00 of 2026-03-01 09:00\n',
  ]);
});
