import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ConfigError, examineConfig, readConfig } from './config.ts';

const KEY = randomBytes(32).toString('base64');
const BLIND = randomBytes(32).toString('base64');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-secrets-'));
});
after(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const problem = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return 'none';
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
};

test('a secret is read from the file that its setting names, without the line end', async () => {
  const config = readConfig({
    ENCRYPTION_KEYS_FILE: await file('ring', `k1:${KEY}\n`),
    BLIND_INDEX_KEY_FILE: await file('blind', `  ${BLIND}\r\n`),
    BLIND_INDEX_KEY: '',
  });
  assert.equal(config.encryptionKeys?.get('k1')?.toString('base64'), KEY);
  assert.equal(config.blindIndexKey?.toString('base64'), BLIND);
});

test('a secret that is set twice, missing, empty or wrong is refused by the name of its setting', async () => {
  const SMTP = 'smtp://mail.example';
  const set = { MAIL_FROM: 'a@example.org' };
  const path = await file('smtp', SMTP);
  assert.match(
    problem({ ...set, SMTP_URL: SMTP, SMTP_URL_FILE: path }),
    /^SMTP_URL_FILE and SMTP_URL are both set: set one of them$/m,
  );
  const gone = join(folder, 'gone');
  assert.equal(
    problem({ ...set, SMTP_URL_FILE: gone }),
    `SMTP_URL_FILE ${gone} cannot be read (ENOENT)`,
  );
  assert.match(problem({ ...set, SMTP_URL_FILE: folder }), /cannot be read \(EISDIR\)$/);
  const empty = await file('empty', ' \n');
  assert.match(problem({ ...set, SMTP_URL_FILE: empty }), /is empty: write the secret into it$/);
  const wrong = problem({ ...set, SMTP_URL_FILE: await file('wrong', 'hunter2') });
  assert.match(wrong, /^SMTP_URL must be a URL/);
  assert.doesNotMatch(wrong, /hunter2/);
});

test('a setting that is no secret is not read from a file', async () => {
  const config = readConfig({ LOG_LEVEL_FILE: await file('level', 'debug') });
  assert.equal(config.logLevel, 'info');
});

test('secrets are read from one folder, each from the file of its name', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'recollect-folder-'));
  t.after(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, 'encryption_keys'), `k1:${KEY}\n`);
  await writeFile(join(dir, 'blind_index_key'), BLIND);
  await writeFile(join(dir, '..data'), 'what Kubernetes keeps beside them');
  const env = { SECRETS_DIR: dir };
  assert.equal(readConfig(env).blindIndexKey?.toString('base64'), BLIND);
  assert.match(
    problem({ ...env, BLIND_INDEX_KEY: BLIND }),
    /^SECRETS_DIR and BLIND_INDEX_KEY are both set: set one of them$/,
  );
  assert.match(
    problem({ ...env, BLIND_INDEX_KEY_FILE: join(dir, 'blind_index_key') }),
    /^BLIND_INDEX_KEY_FILE and .*blind_index_key of SECRETS_DIR are both there: leave one of them out$/,
  );
  assert.equal(
    problem({ SECRETS_DIR: join(dir, 'gone') }),
    `SECRETS_DIR ${join(dir, 'gone')} cannot be read (ENOENT)`,
  );
  await writeFile(join(dir, 'smpt_url'), 'smtps://mail.example');
  assert.deepEqual(
    examineConfig(env).findings.map(({ level, says }) => [level, says]),
    [['warning', 'has a file smpt_url, which is no secret of ours']],
  );
});
