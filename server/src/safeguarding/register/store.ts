import type { Tx } from '../../platform/db/db.ts';
import type { Entry } from './entry.ts';

const COLUMNS = 'entry_id, kind, name, identifier, note, added_at, added_by, ended_at, ended_by';

/** Returns the register in the order of its kinds, what was ended too. */
export const listEntries = (tx: Tx): Promise<Entry[]> =>
  tx.rows<Entry>(`SELECT ${COLUMNS} FROM safeguarding_register ORDER BY kind, added_at, entry_id`);

/** Adds an entry. */
export async function insertEntry(tx: Tx, entry: Entry): Promise<void> {
  await tx.run(
    `INSERT INTO safeguarding_register (entry_id, kind, name, identifier, note, added_at, added_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      entry.entryId,
      entry.kind,
      entry.name,
      entry.identifier,
      entry.note,
      entry.addedAt,
      entry.addedBy,
    ],
  );
}

/** Ends an entry, and returns it; null: there is none, or it was ended before. */
export const markEnded = (
  tx: Tx,
  entryId: string,
  now: Temporal.Instant,
  who: string,
): Promise<Entry | null> =>
  tx.row<Entry>(
    `UPDATE safeguarding_register SET ended_at = $2, ended_by = $3 WHERE entry_id = $1 AND ended_at IS NULL
     RETURNING ${COLUMNS}`,
    [entryId, now, who],
  );
