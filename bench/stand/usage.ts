import type { Db } from '../../server/src/platform/db/db.ts';
import { parentOf } from './cpu.ts';

const MEMORY_EVERY_MS = 100;

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

/** Notes the most memory that this process holds until `end` is called, which returns it in MiB. */
export function watchMemory(): { end(): number } {
  let most = 0;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, MEMORY_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      look();
      return most / 2 ** 20;
    },
  };
}
