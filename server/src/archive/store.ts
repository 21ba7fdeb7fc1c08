import type { Tx } from '../platform/db/db.ts';

/** A month of history in files: docs/rules/retention.md#the-archive. */
export interface ArchiveRow {
  archiveId: string;
  /** The first of the month, as `2025-03-01`. */
  month: string;
  horizon: Temporal.Instant;
  folder: string;
  startedBy: string;
  startedAt: Temporal.Instant;
  subjects: number;
  /** Subjects of the month that keep their history in the database: not over, or changed meanwhile. */
  leftOver: number;
  /** Subjects that are in the files and stayed in the database: something happened to them before they could be deleted. */
  stayed: string[];
  rowCounts: Record<string, number>;
  manifestSha256: string | null;
  workSha256: string | null;
  verifiedAt: Temporal.Instant | null;
  endedAt: Temporal.Instant | null;
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
  a: Pick<ArchiveRow, 'archiveId' | 'month' | 'horizon' | 'folder' | 'startedBy' | 'startedAt'>,
  { runner, lease }: Runner,
): Promise<ArchiveRow | null> {
  return tx.row<ArchiveRow>(
    `INSERT INTO archives (archive_id, month, horizon, folder, started_by, started_at, runner, leased_until)
     VALUES ($1, $2::date, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8))
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [a.archiveId, a.month, a.horizon, a.folder, a.startedBy, a.startedAt, runner, lease],
  );
}

/** Records that the files were written and read back. */
export async function markVerified(
  tx: Tx,
  archiveId: string,
  now: Temporal.Instant,
  found: Pick<ArchiveRow, 'subjects' | 'leftOver' | 'rowCounts' | 'manifestSha256' | 'workSha256'>,
): Promise<void> {
  await tx.run(
    `UPDATE archives SET verified_at = $2, subjects = $3, left_over = $4, row_counts = $5::jsonb, manifest_sha256 = $6,
       work_sha256 = $7 WHERE archive_id = $1`,
    [
      archiveId,
      now,
      found.subjects,
      found.leftOver,
      JSON.stringify(found.rowCounts),
      found.manifestSha256,
      found.workSha256,
    ],
  );
}

/** Ends an archive: all that is in its files was deleted, but for the subjects that stayed. */
export async function endArchive(
  tx: Tx,
  archiveId: string,
  now: Temporal.Instant,
  { leftOver, stayed }: Pick<ArchiveRow, 'leftOver' | 'stayed'>,
): Promise<void> {
  await tx.run(
    'UPDATE archives SET ended_at = $2, left_over = $3, stayed = $4 WHERE archive_id = $1',
    [archiveId, now, leftOver, stayed],
  );
}

/** Removes an archive whose files are not verified. */
export async function dropArchive(tx: Tx, archiveId: string): Promise<void> {
  await tx.run('DELETE FROM archives WHERE archive_id = $1 AND verified_at IS NULL', [archiveId]);
}

/** Returns every merchant. */
export async function listMerchants(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    'SELECT merchant_id FROM merchants ORDER BY merchant_id',
  );
  return rows.map(({ merchantId }) => merchantId);
}

/** Returns the ids of a customer's schedules: their history is found by these. */
export async function schedulesOf(tx: Tx, customerId: string): Promise<string[]> {
  const rows = await tx.rows<{ scheduleId: string }>(
    `SELECT s.schedule_id FROM customers c JOIN schedules s ON s.merchant_id = c.merchant_id AND s.customer_id = c.customer_id
     WHERE c.customer_id = $1`,
    [customerId],
  );
  return rows.map(({ scheduleId }) => scheduleId);
}
