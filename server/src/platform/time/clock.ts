import type { Tx } from '../connection/transaction.ts';

/** Business time. Protocol time (TLS, JWT, webhook timestamps) is `realNow`. */
export interface Clock {
  now(): Temporal.Instant;
  /**
   * The same by the database's clock, read at this point of the transaction, so that two processes whose clocks differ cannot
   * date successive actions in the wrong order. Absent: `now` is the same for all processes.
   */
  within?(tx: Tx): Promise<Temporal.Instant>;
}

/**
 * Returns business time by the database's clock. Where the order of two events matters, call it after the rows are locked.
 */
export async function momentIn(clock: Clock, tx: Tx): Promise<Temporal.Instant> {
  return clock.within === undefined ? clock.now() : clock.within(tx);
}

let latest = Temporal.Instant.fromEpochMilliseconds(0);

/** Returns the machine's time in milliseconds, the precision of the wire format: one instant for each of them. */
export function realNow(): Temporal.Instant {
  const ms = Date.now();
  if (ms !== latest.epochMilliseconds) latest = Temporal.Instant.fromEpochMilliseconds(ms);
  return latest;
}

/** What a time read from the database's clock means: itself, except in a world whose clocks are shifted (chaos/preload.ts). */
export const databaseClock = { timeOf: (read: Temporal.Instant): Temporal.Instant => read };

/** The clock of a live service. */
export const realClock: Clock = {
  now: realNow,
  async within(tx) {
    const row = await tx.row<{ now: Temporal.Instant }>(
      "SELECT date_trunc('milliseconds', clock_timestamp()) AS now",
    );
    return row?.now ?? realNow();
  },
};
