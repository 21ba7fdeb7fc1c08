import { createHash, randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { MIGRATIONS, migrate, readMigrations } from '../src/platform/db/migrate.ts';
import { clusterDatabase, nodesOf } from './cluster.ts';
import { type Use, useSharedServer } from './shared-server.ts';
import { ADD_TEST_KEYS, DROP_TEST_KEYS } from './test-keys.ts';

/** A database for one test. `url` logs in as its owner; `drop` disconnects all clients. */
export type TestDatabase = {
  readonly url: string;
  drop(): Promise<void>;
  /** Takes a backup, and returns a function that restores it: everything written in between is lost. Disconnects all clients. */
  backUp(): Promise<() => Promise<void>>;
};

const LOCK = 7_265_636_003;

let server: Promise<Pick<Use, 'url'>> | undefined;
let template: Promise<string> | undefined;
let nodes: ReturnType<typeof nodesOf> | undefined;

/**
 * Creates a new database with all migrations applied, on the test server, in some tens of milliseconds. On a Citus cluster, whose
 * databases cannot be copied, it takes some seconds and has no backup.
 */
export async function testDatabase(): Promise<TestDatabase> {
  nodes ??= serverUrl().then(nodesOf);
  const cluster = await nodes;
  if (cluster !== null) return { ...(await clusterDatabase(cluster)), backUp: noBackUp };
  template ??= serverUrl().then((url) => ensureTemplate(url));
  return create(await template);
}

/** Creates a database with exactly the product's schema: without the keys that tests add to it. */
export async function productDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await withClient(database.url, (client) => runAll(client, DROP_TEST_KEYS));
  return database;
}

/** Creates an empty database, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return create('template1');
}

const noBackUp = () => Promise.reject(new Error('a cluster has no copy of a database'));

async function serverUrl(): Promise<string> {
  const given = process.env.RECOLLECT_TEST_POSTGRES;
  if (given) return given;
  server ??= useSharedServer();
  return (await server).url;
}

async function create(from: string): Promise<TestDatabase> {
  const admin = await serverUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(admin, `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`);
  return {
    url: urlOf(admin, name),
    drop: () => drop(admin, name),
    backUp: () => backUp(admin, name),
  };
}

async function backUp(admin: string, name: string): Promise<() => Promise<void>> {
  const backup = `${name}_backup`;
  await withAdmin(admin, async (client) => {
    // A database with open connections cannot be copied, and the pools of the test reconnect.
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await client.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = $1 AND backend_type = 'client backend'`, // the server's own vacuum makes way for the copy
      [name],
    );
    await client.query(`CREATE DATABASE ${backup} TEMPLATE ${name} STRATEGY FILE_COPY`);
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  });
  return async () => {
    await drop(admin, name);
    await execute(admin, `ALTER DATABASE ${backup} RENAME TO ${name}`);
  };
}

const BUSY_TRIES = 300;
const NOT_OURS_TO_END = '42501';

/** Drops a database. The server's own vacuum may be working in it and cannot be disconnected; it is soon done. */
async function drop(admin: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await execute(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } catch (error) {
      const isBusy = error instanceof pg.DatabaseError && error.code === NOT_OURS_TO_END;
      if (!isBusy || tries >= BUSY_TRIES) throw error;
      await sleep(100);
    }
  }
}

/**
 * Returns the name of the database on `admin`'s server with all migrations applied, and the keys that only tests have. The first
 * caller creates it, under a lock. It gets its name only when it is complete.
 */
export async function ensureTemplate(admin: string, folder: string = MIGRATIONS): Promise<string> {
  const name = `template_${await hashOf(folder)}`;
  await withClient(admin, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    const draft = name.replace('template', 'building');
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    await migrate(urlOf(admin, draft), folder);
    await withClient(urlOf(admin, draft), (made) => runAll(made, ADD_TEST_KEYS));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    // A template with open connections cannot be copied.
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  });
  return name;
}

/** Removes the template of migrations other than ours, which is no longer needed. */
export async function dropTemplate(admin: string, folder: string): Promise<void> {
  const name = `template_${await hashOf(folder)}`;
  await execute(admin, `DROP DATABASE IF EXISTS ${name}`);
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, sha256 } of await readMigrations(folder)) hash.update(`${name} ${sha256}\n`);
  hash.update(ADD_TEST_KEYS.join('\n'));
  return hash.digest('hex').slice(0, 16);
}

function urlOf(admin: string, database: string): string {
  const url = new URL(admin);
  url.pathname = `/${database}`;
  return url.href;
}

const execute = (url: string, sql: string): Promise<void> =>
  withAdmin(url, (client) => client.query(sql));

/** A session of this process as the owner of all databases. */
interface Admin {
  client: pg.Client;
  socket: Socket;
  working: number;
  /** Settles when all that was asked of the session so far is done. */
  idle: Promise<unknown>;
}

const admins = new Map<string, Promise<Admin>>();

/**
 * Runs `work` in the one session that this process keeps for all its databases: a login takes longer than most of what is done
 * in it. One after the other: a client must not be asked again before it has answered. Only while it works, the session keeps the
 * process alive.
 */
async function withAdmin(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const opening = admins.get(url) ?? openAdmin(url);
  admins.set(url, opening);
  const admin = await opening;
  admin.working++;
  admin.socket.ref();
  const done = admin.idle.then(() => work(admin.client));
  admin.idle = done.catch(() => {});
  try {
    await done;
  } finally {
    admin.working--;
    if (admin.working === 0) admin.socket.unref();
  }
}

async function openAdmin(url: string): Promise<Admin> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: url, stream: () => socket });
  client.on('error', () => {});
  client.once('end', () => admins.delete(url));
  await client.connect();
  return { client, socket, working: 0, idle: Promise.resolve() };
}

async function runAll(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await client.query(sql);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
