// Slow: starts whole programs as every deployment does.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Cluster } from '../../chaos/cluster.ts';
import { SECRET_SETTINGS } from '../../server/src/platform/config/secrets.ts';
import { type MailServer, startMailServer } from '../../server/test-support/mail-server.ts';
import { composed, type Deployed, podsOf, unitsOf } from './deployed.ts';
import { liveSettings, secret } from './live-settings.ts';
import { recollect } from './recollect.ts';

let folder: string;
let cluster: Cluster;
let mail: MailServer;
/** What an operator fills in. */
let settings: Record<string, string>;

const loginAs = (login: string): string => {
  const url = new URL(cluster.url('superuser'));
  [url.username, url.password, url.pathname] = [login, `${login}-s`, '/pay'];
  return url.href;
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-deployed-'));
  cluster = new Cluster(join(folder, 'postgres'));
  await cluster.make([]);
  await cluster.start();
  await cluster.ask(async (db) => {
    for (const sql of await roleStatements()) await db.read((tx) => tx.run(sql));
  });
  mail = await startMailServer();
  const { env } = await liveSettings(folder, loginAs('recollect_service'));
  settings = {
    ...env,
    MIGRATE_DATABASE_URL: loginAs('recollect_owner'),
    SIGNING_KEYS: `s1:${secret()}`,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Fern <notices@fernpayments.co.uk>',
    SMS_URL: 'https://sms.fernpayments.co.uk',
    SMS_TOKEN: secret(),
  };
});
after(async () => {
  await mail.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the statements of `roles.sql`, with a password for each login. */
async function roleStatements(): Promise<string[]> {
  const text = await readFile(new URL('../../deploy/postgres/roles.sql', import.meta.url), 'utf8');
  return text
    .replaceAll(/^--.*$/gm, '')
    .replace('CREATE DATABASE recollect', 'CREATE DATABASE pay') // the embedded cluster has one of that name
    .replaceAll(/:'(owner|service)'/g, `'recollect_$1-s'`)
    .split(';')
    .map((sql) => sql.trim())
    .filter((sql) => sql !== '');
}

const FOR_ALL = new Set(['SIGNING_KEYS', 'SMTP_URL', 'MAIL_FROM', 'SMS_URL', 'SMS_TOKEN']);

/** Fills the blanks of a part, and its folder of secrets; returns its environment on this machine. */
async function filled({ name, env, secrets }: Deployed, all: boolean) {
  const dir = await mkdtemp(join(folder, `${name}-`));
  await mkdir(join(dir, 'secrets'));
  for (const setting of SECRET_SETTINGS) {
    const file = setting.toLowerCase();
    const value = settings[setting];
    if (value === undefined || (!all && FOR_ALL.has(setting))) continue;
    const isThere = secrets.includes('*') ? !file.startsWith('migrate') : secrets.includes(file);
    if (isThere) await writeFile(join(dir, 'secrets', file), value);
  }
  const owner = join(dir, 'owner');
  await writeFile(owner, loginAs('recollect_owner'));
  const blanks = Object.entries(env).map(([setting, value]) => {
    const isBlank = value === '' && (all || !FOR_ALL.has(setting));
    return [setting, isBlank ? (settings[setting] ?? '') : value];
  });
  return {
    ...(Object.fromEntries(blanks) as Record<string, string>),
    SECRETS_DIR: join(dir, 'secrets'),
    BANKS_FILE: settings.BANKS_FILE ?? '',
    DATA_DIR: join(dir, 'data'),
    ...(env.MIGRATE_DATABASE_URL_FILE === undefined ? {} : { MIGRATE_DATABASE_URL_FILE: owner }),
  };
}

const KINDS = { compose: composed, Kubernetes: podsOf, systemd: unitsOf };

test('every deployment needs two logins, which the statements that ship make', async () => {
  const [migrate] = podsOf(false).filter(({ name }) => name === 'migrate');
  assert.ok(migrate);
  const { code, err } = await recollect(await filled(migrate, false), 'migrate');
  assert.equal(code, 0, err);
});

for (const [kind, parts] of Object.entries(KINDS))
  for (const all of [false, true])
    test(`${kind}: check-config finds nothing wrong in any part with ${all ? 'all settings' : 'its blanks'} filled`, async () => {
      const found = parts(all);
      assert.ok(found.length >= 3);
      for (const part of found) {
        assert.equal(part.env.MODE, 'live');
        const { code, out } = await recollect(await filled(part, all), 'check-config');
        assert.equal(code, 0, `${part.name}: ${out}`);
        assert.doesNotMatch(
          out,
          /^warning +(\w*DATABASE_URL|SECRETS_DIR|TRUST_PROXY) /m,
          part.name,
        );
        if (all) assert.match(out, /^good +SIGNING_KEYS is set by SECRETS_DIR$/m, part.name);
      }
    });

test('Kubernetes: each role has only its own secrets, and the owner’s login is the migration’s', () => {
  const having = (file: string): string[] =>
    podsOf(false).flatMap(({ name, secrets }) => (secrets.includes(file) ? [name] : []));
  assert.deepEqual(having('migrate_database_url'), ['migrate']);
  assert.deepEqual(having('issuer_notification_secret'), ['api']);
  assert.deepEqual(having('operator_sso_client_secret'), ['api']);
  assert.deepEqual(having('redis_url'), ['api', 'portal']);
});
