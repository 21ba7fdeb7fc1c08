import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { until } from '../../test-support/until.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { type Log, makeLog } from '../platform/log/log.ts';
import { startSandboxPartners } from './partners.ts';

let dataDir: string;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partners-'));
});
after(() => rm(dataDir, { recursive: true, force: true }));

function configOf(ports: Record<string, string> = {}): Config {
  return readConfig({
    DATA_DIR: dataDir,
    PORT: '4000',
    SANDBOX_BANK_PORT: '0',
    SANDBOX_BANK_PAGES_PORT: '0',
    SANDBOX_ISSUER_PORT: '0',
    ...ports,
  });
}

/** Returns a log, and the process ids found in it. */
function listeningLog(): { log: Log; pids: number[] } {
  const pids: number[] = [];
  const log = makeLog('info', {
    write: (line) => {
      const { pid } = JSON.parse(line) as { pid?: number };
      if (pid !== undefined) pids.push(pid);
    },
  });
  return { log, pids };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('The partners answer, one that crashes is restarted, and none outlives its close', async () => {
  const { log, pids } = listeningLog();
  const partners = await startSandboxPartners(configOf(), log);
  assert.deepEqual(
    partners.banks.map(({ bankId, vrpType }) => [bankId, vrpType]),
    [
      'northbank',
      'millrace',
      'harbour',
      'saltmarsh',
      'pennyfield',
      'tollgate',
      'fogdale',
      'hollowell',
      'larkfield',
      'greystone',
      'whitecliff',
      'ravenhall',
    ].map((bank) => [bank, 'UK.OBIE.VRPType.CVRP1']),
  );
  const accounts = await partners.control.accounts();
  assert.ok(accounts.some(({ login, summary }) => login === 'cleo' && /closed/.test(summary)));
  process.kill(pids[0] ?? 0, 'SIGKILL');
  await until('it is started again', () => pids.length === 3);
  await until('it answers again', () =>
    partners.control.setClock(Temporal.Now.instant(), true).then(
      () => true,
      () => false,
    ),
  );
  await partners.close();
  assert.deepEqual(pids.filter(isAlive), []);
});

test('What is kept is only for our own user, and is kept', async () => {
  const dir = join(dataDir, 'sandbox');
  assert.equal((await stat(dir)).mode & 0o777, 0o700);
  for (const file of (await readdir(dir)).filter((name) => name.endsWith('.json')))
    assert.equal((await stat(join(dir, file))).mode & 0o777, 0o600, file);
  const before = await readFile(join(dir, 'secrets.json'), 'utf8');
  const partners = await startSandboxPartners(configOf(), makeLog('silent'));
  await partners.close();
  assert.equal(await readFile(join(dir, 'secrets.json'), 'utf8'), before);
});

test('A port in use is one clear sentence that names its setting, and nothing stays behind', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { log, pids } = listeningLog();
  for (const name of ['SANDBOX_BANK_PORT', 'SANDBOX_BANK_PAGES_PORT', 'SANDBOX_ISSUER_PORT'])
    await assert.rejects(startSandboxPartners(configOf({ [name]: String(port) }), log), {
      name: 'ConfigError',
      message: `port ${port} is in use: stop what runs there, or set ${name}`,
    });
  assert.deepEqual(pids.filter(isAlive), []);
});

test('The partners end with a service that is killed', async () => {
  const script = `
    import { startSandboxPartners } from ${JSON.stringify(import.meta.resolve('./partners.ts'))};
    import { readConfig } from ${JSON.stringify(import.meta.resolve('../platform/config/config.ts'))};
    import { makeLog } from ${JSON.stringify(import.meta.resolve('../platform/log/log.ts'))};
    await startSandboxPartners(readConfig(${JSON.stringify({
      DATA_DIR: dataDir,
      SANDBOX_BANK_PORT: '0',
      SANDBOX_BANK_PAGES_PORT: '0',
      SANDBOX_ISSUER_PORT: '0',
    })}), makeLog('info'));
    console.log('ready');`;
  const service = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const pids: number[] = [];
  for await (const line of createInterface(service.stdout)) {
    if (line === 'ready') break;
    const { pid } = JSON.parse(line) as { pid?: number };
    if (pid !== undefined) pids.push(pid);
  }
  assert.equal(pids.length, 2);
  service.kill('SIGKILL');
  await until('all have ended', () => !pids.some(isAlive));
});
