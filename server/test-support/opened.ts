import { after, afterEach, before, beforeEach } from 'node:test';
import { assertLaws } from './books.ts';
import { type Harness, openHarness } from './harness.ts';

/** A harness that the hooks of a test file open and close. */
export interface Opened {
  h: Harness;
  /** Lives through so much time. */
  runFor(time: Temporal.DurationLike): Promise<void>;
}

/** Stands for the harness that is open at the moment. */
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
 * One harness for all tests of a file, and what is prepared for all of them: after each test an hour passes with a bank
 * that behaves, and the laws hold.
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

/** A harness of its own for each test of a file. */
export function oneForEach(start = '2026-01-05T09:30:00Z'): Opened {
  let open: Harness | undefined;
  beforeEach(async () => {
    open = await openHarness(start);
  });
  afterEach(() => open?.close());
  return standIn(() => open);
}
