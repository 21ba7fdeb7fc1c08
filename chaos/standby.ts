import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SUPERUSER } from '../server/src/platform/postgres/cluster.ts';
import { passwordOf, readSecret } from '../server/src/platform/postgres/folder.ts';
import { Cluster } from './cluster.ts';
import { SMALL } from './world.ts';

const run = promisify(execFile);
const IN_STEP_WITHIN_MS = 60_000;
const POLL_MS = 100;
/** Files of the primary that a copy must not contain. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts'];
const KEEP_WAL = 'wal_keep_size = 256MB';

/**
 * Makes a standby of a running primary at `path` and resolves when every commit waits for it. The copy is taken while the primary
 * works, with PostgreSQL's own low-level backup: no further program is needed.
 */
export async function makeStandby(primary: Cluster, path: string, name: string): Promise<Cluster> {
  primary.configure([...SMALL, KEEP_WAL]);
  await reload(primary);
  const standby = new Cluster(path);
  await copyBase(primary, standby);
  const login = `user=${SUPERUSER} password=${passwordOf(SUPERUSER, readSecret(primary.folder))}`;
  standby.configure([
    ...SMALL,
    KEEP_WAL,
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} ${login} application_name=${name}'`,
  ]);
  writeFileSync(join(standby.folder.cluster, 'standby.signal'), '');
  await standby.start();
  primary.configure([...SMALL, KEEP_WAL, `synchronous_standby_names = '${name}'`]);
  await reload(primary);
  await inStep(primary, name);
  return standby;
}

async function reload(cluster: Cluster): Promise<void> {
  await cluster.ask((db) => db.read((tx) => tx.rows('SELECT pg_reload_conf()')));
}

/** Copies a running primary into the folder of another cluster, which must not exist yet: a base backup. */
export async function copyBase(primary: Cluster, standby: Cluster): Promise<void> {
  const from = primary.folder.cluster;
  const to = standby.folder.cluster;
  await primary.ask((db) =>
    db.read(async (tx) => {
      await tx.rows(`SELECT pg_backup_start('chaos', true)`);
      // A file that is removed during the copy is recreated from the log.
      await run('cp', ['-a', from, to]).catch(() => undefined);
      const [end] = await tx.rows<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(true)',
      );
      writeFileSync(join(to, 'backup_label'), end?.labelfile ?? '');
    }),
  );
  for (const name of NOT_COPIED) rmSync(join(to, name), { force: true });
  const log = join(to, 'pg_wal');
  for (const name of readdirSync(log))
    if (statSync(join(log, name)).isFile()) rmSync(join(log, name));
  mkdirSync(join(log, 'archive_status'), { recursive: true });
}

/** Waits until commits on the primary wait for the standby. */
async function inStep(primary: Cluster, name: string): Promise<void> {
  const deadline = performance.now() + IN_STEP_WITHIN_MS;
  while (performance.now() < deadline) {
    const [row] = await primary.ask((db) =>
      db.read((tx) =>
        tx.rows<{ syncState: string }>(
          'SELECT sync_state FROM pg_stat_replication WHERE application_name = $1',
          [name],
        ),
      ),
    );
    if (row?.syncState === 'sync') return;
    await sleep(POLL_MS);
  }
  throw new Error(`${name} does not get into step with its primary`);
}

/** Cuts the standby off from its primary, which no longer waits for it. */
export async function stopFollowing(primary: Cluster, standby: Cluster): Promise<void> {
  primary.configure([...SMALL, KEEP_WAL]);
  await reload(primary);
  standby.configure([...SMALL, KEEP_WAL, `primary_conninfo = ''`]);
  await reload(standby);
}

/** Ends a primary as if its machine had failed: the server and all its child processes, at once. */
export function lose(primary: Cluster): void {
  const { pid } = primary;
  if (pid === null) return;
  const all = [pid, ...childrenOf(pid)];
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const after = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /, '');
      return Number(after.split(' ')[1]) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Promotes the standby to primary; it waits for no other server until it has a standby of its own. */
export async function promote(standby: Cluster): Promise<void> {
  await standby.ask((db) => db.read((tx) => tx.rows('SELECT pg_promote(true, 60)')));
}
