import { after, afterEach, before, beforeEach } from 'node:test';
import { assertLaws } from './books.ts';
import { type Harness, openHarness } from './harness.ts';

/** A harness that the hooks of a test file open and close. */
export interface Opened {
  h: Harness;
  /** Lets this much time pass. */
  runFor(time: Temporal.DurationLike): Promise<void>;
}

/** Returns a proxy for the harness that is currently open. */
function standIn(current: () => Harness | undefined): Opened {
  const h = new Proxy({} as Harness, {
    get: (_, name) => {
      const opened = current();
      if (opened === undefined) throw new Error('no harness is open');
      return Reflect.get(opened, name);
    },
  });
  return { h, runFor: (time) => h.runUntil(h.clock.at.add(time)) };
}

/**
 * Opens one harness for all tests of a file, after `prepare`. After each test an hour passes with a well-behaved bank, and the
 * laws are checked.
 */
export function oneForAll(
  prepare: () => Promise<void> = async () => undefined,
  start = '2026-01-05T09:30:00Z',
): Opened {
  let open: Harness | undefined;
  const opened = standIn(() => open);
  before(async () => {
    open = await openHarness(start);
    await prepare();
  });
  afterEach(async () => {
    opened.h.bank.cheerUp();
    await opened.runFor({ hours: 1 });
    await assertLaws(opened.h);
  });
  after(() => open?.close());
  return opened;
}

/** Opens a new harness for each test of a file. */
export function oneForEach(start = '2026-01-05T09:30:00Z'): Opened {
  let open: Harness | undefined;
  beforeEach(async () => {
    open = await openHarness(start);
  });
  afterEach(() => open?.close());
  return standIn(() => open);
}
