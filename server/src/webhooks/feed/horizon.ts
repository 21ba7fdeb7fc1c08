/** What one look at the database shows. */
export interface Look {
  /** Names the run of the database server: ids of transactions are compared within one run alone. */
  server: string;
  /** The last position that was given to an event, committed or not. */
  position: number;
  /** The oldest transaction under way; of none, the next one. */
  oldestTransaction: bigint;
}

/**
 * The positions that no event can take any more: every transaction that took one of them has ended. Positions are taken before
 * the commit, so a slow transaction commits an earlier one after a quick one has committed a later one.
 */
export interface Horizon {
  server: string;
  /** Up to this position everything has been decided. */
  settled: number;
  /** This position is settled once no transaction is under way that is as old as this one. */
  waiting: { position: number; transaction: bigint } | null;
}

/** Returns the horizon after a look. What another run of the server has shown does not count. */
export function advance(known: Horizon | null, look: Look): Horizon {
  const { server, oldestTransaction } = look;
  if (known?.server !== server) return { server, settled: 0, waiting: null };
  const { waiting } = known;
  const hasEnded = waiting !== null && oldestTransaction > waiting.transaction;
  return hasEnded ? { server, settled: waiting.position, waiting: null } : known;
}
