// Slow: starts whole programs.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Cluster } from '../../chaos/cluster.ts';
import { liveSettings } from './live-settings.ts';
import { type Env, recollect } from './recollect.ts';

let folder: string;
let cluster: Cluster;
let env: Env;

/** Runs statements as the administrator, one after the other: a database is not made in a transaction. */
async function administer(...statements: string[]): Promise<void> {
  await cluster.ask(async (db) => {
    for (const sql of statements) await db.read((tx) => tx.run(sql));
  });
}

const loginAs = (login: string): string => {
  const url = new URL(cluster.url('superuser'));
  [url.username, url.password, url.pathname] = [login, 'in-tests-alone', '/pay'];
  return url.href;
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-logins-'));
  cluster = new Cluster(join(folder, 'postgres'));
  await cluster.make([]);
  await cluster.start();
  await administer(
    `CREATE ROLE pay_owner LOGIN PASSWORD 'in-tests-alone'`,
    `CREATE ROLE pay_service LOGIN PASSWORD 'in-tests-alone'`,
    'CREATE DATABASE pay OWNER pay_owner',
  );
  env = {
    ...(await liveSettings(folder, loginAs('pay_service'))).env,
    MIGRATE_DATABASE_URL: loginAs('pay_owner'),
  };
});
after(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the statements that a line tells an administrator to run. */
function statementsIn(text: string): string[] {
  const [, list = ''] = /let an administrator of the database run: (.*;)$/m.exec(text) ?? [];
  return list.split(/(?<=;) /).filter((one) => one !== '');
}

test('migrate and check-config say the statements that are missing, and with these the service has two logins', async () => {
  const refused = await recollect(env, 'migrate');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^recollect: MIGRATE_DATABASE_URL logs in as pay_owner, [^\n]*\n$/);
  const statements = statementsIn(refused.err.trimEnd());
  assert.deepEqual(statements, [
    'CREATE ROLE recollect_api NOLOGIN;',
    'CREATE ROLE recollect_engine NOLOGIN;',
    'GRANT recollect_api, recollect_engine TO pay_owner;',
  ]);
  const before = await recollect(env, 'check-config');
  assert.equal(before.code, 1);
  assert.match(
    before.out,
    /^PROBLEM +MIGRATE_DATABASE_URL logs in as pay_owner, who cannot migrate/m,
  );
  assert.deepEqual(statementsIn(before.out), statements);

  await administer(...statements);
  const migrated = await recollect(env, 'migrate');
  assert.equal(migrated.code, 0, migrated.err);
  const serving = await recollect(env, 'check-config');
  assert.match(serving.out, /^PROBLEM +DATABASE_URL logs in as pay_service, who cannot serve/m);
  const grants = statementsIn(serving.out);
  assert.deepEqual(grants, ['GRANT recollect_api, recollect_engine TO pay_service;']);

  await administer(...grants);
  const { code, out } = await recollect(env, 'check-config');
  assert.equal(code, 0, out);
  assert.doesNotMatch(out, /warning +(MIGRATE_)?DATABASE_URL/);
});

test('a live service does not serve as a superuser, and is warned of the owner’s login', async () => {
  const url = new URL(cluster.url('superuser'));
  url.pathname = '/pay';
  const asSuperuser = { ...env, DATABASE_URL: url.href };
  const started = await recollect(asSuperuser, 'serve');
  assert.equal(started.code, 1);
  assert.match(
    started.err,
    /^recollect: DATABASE_URL must not log in as postgres, a superuser, [^\n]*\n$/,
  );
  const checked = await recollect(asSuperuser, 'check-config');
  assert.match(checked.out, /^PROBLEM +DATABASE_URL must not log in as postgres/m);

  const { code, out } = await recollect(
    { ...env, DATABASE_URL: loginAs('pay_owner'), MIGRATE_DATABASE_URL: '' },
    'check-config',
  );
  assert.equal(code, 0, out);
  assert.match(out, /^warning +DATABASE_URL logs in as pay_owner, who owns the tables/m);
});

test('an owner that may not make tables is told whose the database has to be', async () => {
  await administer('CREATE DATABASE other');
  const url = new URL(loginAs('pay_owner'));
  url.pathname = '/other';
  const { code, err } = await recollect({ ...env, MIGRATE_DATABASE_URL: url.href }, 'migrate');
  assert.equal(code, 1);
  assert.deepEqual(statementsIn(err.trimEnd()), ['ALTER DATABASE other OWNER TO pay_owner;']);
});
