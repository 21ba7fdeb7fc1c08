import type { Db } from '../../server/src/platform/db.ts';
import { parentOf } from './cpu.ts';

/** Returns the CPU seconds, user and system, that this process has used. */
export function ourCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Returns the process id of the PostgreSQL behind a connection, on this machine: the parent of all its processes. */
export async function postmasterOf(db: Db): Promise<number> {
  const row = await db.read((tx) => tx.row<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
  return parentOf(row?.pid ?? 0);
}

/** Returns how many bytes PostgreSQL has written to its log since the log began. */
export async function walBytes(db: Db): Promise<number> {
  const row = await db.read((tx) =>
    tx.row<{ bytes: string }>(
      "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text AS bytes",
    ),
  );
  return Number(row?.bytes ?? 0);
}
