import type { Tx } from '../../platform/db/db.ts';

/** More rows than fit into the memory that they are given: PostgreSQL puts them into a temporary file. */
const ROWS = 5_000;

/**
 * Writes to the database, as any change does, and takes new space on its disk. The row alone would not: its old page has room for
 * it on a disk that is full. The temporary file leaves nothing behind.
 */
export async function writeCheck(tx: Tx): Promise<void> {
  await tx.run("SELECT set_config('work_mem', '64kB', true)");
  await tx.run(`SELECT count(*) FROM generate_series(1, ${ROWS})`);
  await tx.run(
    `INSERT INTO write_check (written_at) VALUES (clock_timestamp())
     ON CONFLICT (only_row) DO UPDATE SET written_at = excluded.written_at`,
  );
}
