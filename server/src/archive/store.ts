import type { Tx } from '../platform/db/db.ts';

/** A month of history in files: docs/rules/retention.md#the-archive. */
export interface ArchiveRow {
  archive_id: string;
  /** The first of the month, as `2025-03-01`. */
  month: string;
  horizon: Temporal.Instant;
  folder: string;
  started_by: string;
  started_at: Temporal.Instant;
  subjects: number;
  /** Subjects of the month that keep their history in the database: not over, or changed meanwhile. */
  left_over: number;
  /** Subjects that are in the files and stayed in the database: something happened to them before they could be deleted. */
  stayed: string[];
  row_counts: Record<string, number>;
  manifest_sha256: string | null;
  work_sha256: string | null;
  verified_at: Temporal.Instant | null;
  ended_at: Temporal.Instant | null;
}

const COLUMNS = `archive_id, month::text AS month, horizon, folder, started_by, started_at, subjects, left_over, stayed,
  row_counts, manifest_sha256, work_sha256, verified_at, ended_at`;

/** Returns every archive, oldest month first. */
export function listArchives(tx: Tx): Promise<ArchiveRow[]> {
  return tx.rows<ArchiveRow>(
    `SELECT ${COLUMNS} FROM archives ORDER BY archives.month, started_at, archive_id`,
  );
}

/** A process that works on an archive; another one may take over when its lease has run out. */
export interface Runner {
  runner: string;
  /** In seconds, by the database's clock. */
  lease: number;
}

/** Takes over the archive that is under way; null: there is none. `taken`: another process works on it. */
export async function claimOpen(
  tx: Tx,
  { runner, lease }: Runner,
): Promise<ArchiveRow | 'taken' | null> {
  const row = await tx.row<ArchiveRow>(
    `UPDATE archives SET runner = $1, leased_until = clock_timestamp() + make_interval(secs => $2)
     WHERE ended_at IS NULL AND (runner = $1 OR leased_until < clock_timestamp()) RETURNING ${COLUMNS}`,
    [runner, lease],
  );
  if (row !== null) return row;
  return (await tx.row('SELECT FROM archives WHERE ended_at IS NULL')) === null ? null : 'taken';
}

/** Renews the lease; false: another process has taken over. */
export async function renew(
  tx: Tx,
  archiveId: string,
  { runner, lease }: Runner,
): Promise<boolean> {
  const renewed = await tx.run(
    `UPDATE archives SET leased_until = clock_timestamp() + make_interval(secs => $3)
     WHERE archive_id = $1 AND runner = $2 AND ended_at IS NULL`,
    [archiveId, runner, lease],
  );
  return renewed === 1;
}

/** Begins an archive; null: another one is under way. */
export function insertArchive(
  tx: Tx,
  a: Pick<ArchiveRow, 'archive_id' | 'month' | 'horizon' | 'folder' | 'started_by' | 'started_at'>,
  { runner, lease }: Runner,
): Promise<ArchiveRow | null> {
  return tx.row<ArchiveRow>(
    `INSERT INTO archives (archive_id, month, horizon, folder, started_by, started_at, runner, leased_until)
     VALUES ($1, $2::date, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8))
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [a.archive_id, a.month, a.horizon, a.folder, a.started_by, a.started_at, runner, lease],
  );
}

/** Records that the files were written and read back. */
export async function markVerified(
  tx: Tx,
  archiveId: string,
  now: Temporal.Instant,
  found: Pick<
    ArchiveRow,
    'subjects' | 'left_over' | 'row_counts' | 'manifest_sha256' | 'work_sha256'
  >,
): Promise<void> {
  await tx.run(
    `UPDATE archives SET verified_at = $2, subjects = $3, left_over = $4, row_counts = $5::jsonb, manifest_sha256 = $6,
       work_sha256 = $7 WHERE archive_id = $1`,
    [
      archiveId,
      now,
      found.subjects,
      found.left_over,
      JSON.stringify(found.row_counts),
      found.manifest_sha256,
      found.work_sha256,
    ],
  );
}

/** Ends an archive: all that is in its files was deleted, but for the subjects that stayed. */
export async function endArchive(
  tx: Tx,
  archiveId: string,
  now: Temporal.Instant,
  { left_over, stayed }: Pick<ArchiveRow, 'left_over' | 'stayed'>,
): Promise<void> {
  await tx.run(
    'UPDATE archives SET ended_at = $2, left_over = $3, stayed = $4 WHERE archive_id = $1',
    [archiveId, now, left_over, stayed],
  );
}

/** Removes an archive whose files are not verified. */
export async function dropArchive(tx: Tx, archiveId: string): Promise<void> {
  await tx.run('DELETE FROM archives WHERE archive_id = $1 AND verified_at IS NULL', [archiveId]);
}

/** Returns every merchant. */
export async function listMerchants(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ merchant_id: string }>(
    'SELECT merchant_id FROM merchants ORDER BY merchant_id',
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/** Returns the ids of a customer's schedules: their history is found by these. */
export async function schedulesOf(tx: Tx, customerId: string): Promise<string[]> {
  const rows = await tx.rows<{ schedule_id: string }>(
    `SELECT s.schedule_id FROM customers c JOIN schedules s ON s.merchant_id = c.merchant_id AND s.customer_id = c.customer_id
     WHERE c.customer_id = $1`,
    [customerId],
  );
  return rows.map(({ schedule_id }) => schedule_id);
}
