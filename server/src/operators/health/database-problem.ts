/** What a process knows of its database. */
export interface DatabaseState {
  /** How long it took to answer; null: it did not answer in time. */
  milliseconds: number | null;
  /** Why it cannot be written: an SQLSTATE, or `LATE`; null: it can. */
  refusal: string | null;
}

/** A write that did not end in time: it waits for a lock or a standby. */
export const LATE = 'late';

const DISK_FULL = '53100';

/** What the database lacks, by SQLSTATE, and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  [DISK_FULL]: 'its disk is full. Make the disk larger, or free space on it',
  '53200': 'it has no memory left. Give its machine more, or end what uses it',
  '53300':
    'it has no connection left. Raise its max_connections, or lower DATABASE_CONNECTIONS of the processes',
  '25006': 'it is read-only. Connect to the primary, or end the read-only mode',
  [LATE]:
    'a change does not end within two seconds. Look for a lock, or a synchronous standby that is away',
};

/** Says what is wrong with the database, and what to do; null: nothing is. */
export function databaseProblem({ milliseconds, refusal }: DatabaseState): string | null {
  if (milliseconds === null)
    return 'The database does not answer. Start it, or mend the way to it.';
  if (refusal === null) return null;
  const why = REFUSALS[refusal] ?? `it refuses changes (SQLSTATE ${refusal}). Its log says why`;
  return `The database answers and cannot be written: ${why}.`;
}
