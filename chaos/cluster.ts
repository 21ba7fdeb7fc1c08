import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Db, openDb } from '../server/src/platform/db/db.ts';
import { ensureCluster, SERVICE, SUPERUSER } from '../server/src/platform/postgres/cluster.ts';
import { loginUrl, readSecret } from '../server/src/platform/postgres/folder.ts';
import { type Embedded, openEmbedded } from '../server/src/platform/postgres/programs.ts';
import { runningServer, startServer, stopServer } from '../server/src/platform/postgres/server.ts';

/** A PostgreSQL of the chaos run, of the kind that the service embeds. */
export class Cluster {
  readonly folder: Embedded;

  constructor(path: string) {
    this.folder = openEmbedded(path);
  }

  /** Creates an empty cluster with these settings. */
  async make(settings: readonly string[]): Promise<void> {
    await ensureCluster(this.folder);
    this.configure(settings);
    appendFileSync(
      join(this.folder.cluster, 'pg_hba.conf'),
      `host replication ${SUPERUSER} 127.0.0.1/32 scram-sha-256\n`,
    );
  }

  /** Replaces the settings that are read at the next start. */
  configure(settings: readonly string[]): void {
    writeFileSync(join(this.folder.cluster, 'postgresql.conf'), `${settings.join('\n')}\n`);
  }

  get isRunning(): boolean {
    return runningServer(this.folder.cluster) !== undefined;
  }

  get pid(): number | null {
    return runningServer(this.folder.cluster)?.pid ?? null;
  }

  /** Starts it, or finds it started, and resolves when it takes queries: after a crash only once it has recovered. */
  async start(): Promise<void> {
    await startServer(this.folder, {}, () => this.ask((db) => db.read((tx) => tx.run('SELECT 1'))));
  }

  get port(): number {
    const port = runningServer(this.folder.cluster)?.port ?? 0;
    if (port === 0) throw new Error(`PostgreSQL in ${this.folder.path} does not run`);
    return port;
  }

  /** Returns the login URL on this or another port. */
  url(role: 'service' | 'superuser' = 'service', port = this.port): string {
    const name = role === 'service' ? SERVICE : SUPERUSER;
    return loginUrl(name, SERVICE, port, readSecret(this.folder));
  }

  /** Runs work on a connection of the superuser. */
  async ask<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const db = openDb(this.url('superuser'), 1);
    try {
      await db.read((tx) => tx.run('SET ROLE NONE')); // a new connection takes on the service's role
      return await work(db);
    } finally {
      await db.close();
    }
  }

  /** Kills the server process; its children exit on their own when they notice. */
  kill(): void {
    const { pid } = this;
    if (pid !== null) process.kill(pid, 'SIGKILL');
  }

  /** Kills one process that serves the service: PostgreSQL then ends all of them and recovers. */
  async killBackend(choose: (pids: number[]) => number | undefined): Promise<boolean> {
    const pids = await this.ask((db) =>
      db.read((tx) =>
        tx.rows<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'recollect%' ORDER BY pid`,
        ),
      ),
    );
    const pid = choose(pids.map((row) => row.pid));
    if (pid === undefined) return false;
    process.kill(pid, 'SIGKILL');
    return true;
  }

  async stop(): Promise<void> {
    if (this.isRunning) await stopServer(this.folder);
  }
}
