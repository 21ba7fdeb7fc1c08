import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ISSUER } from '../../server/test-support/settings/issuer.ts';

const COMMAND = fileURLToPath(new URL('../../deploy/systemd/recollect', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Stands in for systemd-run: it sets the environment and hands out the credentials, as systemd does, and runs the command. */
const SYSTEMD_RUN = `#!/bin/sh
while [ "\${1#--}" != "$1" ]; do
  case "$1" in
    --property=LoadCredential=*)
      pair="\${1#--property=LoadCredential=}"
      cp "\${pair#*:}" "$CREDENTIALS_DIRECTORY/\${pair%%:*}" ;;
    --property=EnvironmentFile=*) while IFS= read -r line; do export "$line"; done < "\${1#--property=EnvironmentFile=}" ;;
    --property=WorkingDirectory=*) cd "\${1#--property=WorkingDirectory=}" ;;
    --setenv=*) export "\${1#--setenv=}" ;;
  esac
  shift
done
exec "$@"
`;

test('an operator’s key goes to the command as a credential, and not in its arguments', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-systemd-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['etc/secrets', 'bin', 'credentials', 'root/bin'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'etc/recollect.env'), '');
  await writeFile(join(folder, 'key'), 'ro_live_1\n');
  const shown = `const { env, argv } = process;
    const file = env.RECOLLECT_OPERATOR_KEY_FILE;
    console.log(file, require('node:fs').readFileSync(file, 'utf8').trim(), argv[2]);`;
  await writeFile(join(folder, 'root/bin/recollect'), `#!${process.execPath}\n${shown}\n`);
  await chmod(join(folder, 'root/bin/recollect'), 0o755);
  await writeFile(join(folder, 'bin/systemd-run'), SYSTEMD_RUN);
  await chmod(join(folder, 'bin/systemd-run'), 0o755);
  const credentials = join(folder, 'credentials');
  const { stdout, stderr } = spawnSync(COMMAND, ['operator'], {
    encoding: 'utf8',
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      RECOLLECT_ROOT: join(folder, 'root'),
      RECOLLECT_ETC: join(folder, 'etc'),
      CREDENTIALS_DIRECTORY: credentials,
      RECOLLECT_OPERATOR_KEY_FILE: join(folder, 'key'),
    },
  });
  assert.equal(stdout, `${credentials}/operator_key ro_live_1 operator\n`, stderr);
});

test('recollect can be typed where systemd runs the service, with its settings and secrets and whatever is typed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-systemd-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const name of ['etc', 'etc/secrets', 'bin', 'credentials']) await mkdir(join(folder, name));
  const { ISSUER_SECRET, ...others } = ISSUER;
  const lines = Object.entries({ ...others, FIRM_NAME: 'Fern & Sons Ltd' });
  await writeFile(
    join(folder, 'etc/recollect.env'),
    lines.map(([name, value]) => `${name}=${value}\n`).join(''),
  );
  await writeFile(join(folder, 'etc/secrets/issuer_secret'), `${ISSUER_SECRET}\n`);
  await writeFile(join(folder, 'bin/systemd-run'), SYSTEMD_RUN);
  await chmod(join(folder, 'bin/systemd-run'), 0o755);
  const run = (...args: string[]) =>
    spawnSync(COMMAND, args, {
      encoding: 'utf8',
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        RECOLLECT_ROOT: ROOT,
        RECOLLECT_ETC: join(folder, 'etc'),
        CREDENTIALS_DIRECTORY: join(folder, 'credentials'),
      },
    });
  const { stdout } = run('check-config');
  assert.match(
    stdout,
    /^PROBLEM +BANKS_FILE \/var\/lib\/recollect\/banks\/banks\.json cannot be read/m,
  );
  assert.match(stdout, /^good +ISSUER_SECRET is set by SECRETS_DIR$/m);
  assert.match(stdout, /^good +FIRM_NAME is Fern & Sons Ltd$/m);
  const refused = run('hold', 'everything', '--reason', 'asked "them" & theirs');
  assert.notEqual(refused.status, 0);
  assert.doesNotMatch(refused.stderr, /too many arguments|not found/);
});
