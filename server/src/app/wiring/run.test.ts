// Slow: starts and kills whole programs.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { type TestDatabase, testDatabase } from '../../../test-support/database.ts';
import { readConfig } from '../../platform/config/config.ts';
import { makeLog } from '../../platform/log/log.ts';
import type { Running } from './assemble.ts';
import { startService } from './run.ts';

const LOOK_EVERY_MS = 2;
const FREE_PORTS = {
  PORT: '0',
  OPERATOR_PORT: '0',
  SANDBOX_BANK_PORT: '0',
  SANDBOX_BANK_PAGES_PORT: '0',
  SANDBOX_ISSUER_PORT: '0',
};

/** The keys of the database that all machines of these tests share. */
const KEYS = {
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  BLIND_INDEX_KEY: randomBytes(32).toString('base64'),
};

let database: TestDatabase;

before(async () => {
  // Loaded in advance: while it loads, no port could be taken in time.
  await import('./assemble.ts');
  database = await testDatabase();
});
after(() => database.drop());

/** The configuration of the sandbox bank: it shows which ports were chosen before anything listens on them. */
interface BankFile {
  pages: { port: number };
  tpp: { redirect_uris: [string] };
}
const portOfService = ({ tpp }: BankFile): number => Number(new URL(tpp.redirect_uris[0]).port);
const portOfPages = ({ pages }: BankFile): number => pages.port;

/** Opens a machine on which the service starts while ports are being taken. Everything ends when it is disposed. */
async function openMachine() {
  const ending = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'recollect-run-'));
  ending.defer(() => rm(folder, { recursive: true, force: true }));
  let tries = 0;
  const log = makeLog('info', {
    write: (line) => {
      const { program, pid } = JSON.parse(line) as { program?: string; pid?: number };
      if (program === 'issuer' && pid !== undefined) tries += 1;
    },
  });

  /** Listens on a port, as any other program would. */
  async function take(wanted: number): Promise<number> {
    const server = createServer().listen(wanted, '127.0.0.1');
    ending.defer(async () => void server.close());
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  }

  /** Takes the first `most` ports that the service chooses, each as soon as it is chosen; returns the list, which fills up. */
  function takeChosen(portOf: (bank: BankFile) => number, most: number): number[] {
    const taken: number[] = [];
    let isOver = false;
    const taking = (async () => {
      while (!isOver && taken.length < most) {
        const file = await readFile(join(folder, 'sandbox', 'bank.json'), 'utf8').catch(() => null);
        const port = file === null ? null : portOf(JSON.parse(file) as BankFile);
        if (port !== null && !taken.includes(port)) taken.push(await take(port));
        await sleep(LOOK_EVERY_MS);
      }
    })();
    ending.defer(() => {
      isOver = true;
      return taking;
    });
    return taken;
  }

  function start(ports: Record<string, string>): Promise<Running> {
    const config = readConfig({
      ...KEYS,
      MODE: 'sandbox',
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      ...ports,
    });
    const starting = startService(config, log);
    ending.defer(() =>
      starting.then(
        (running) => running.close(),
        () => undefined,
      ),
    );
    return starting;
  }

  return {
    take,
    takeChosen,
    start,
    /** Returns how often the service has been started. */
    tries: () => tries,
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

for (const [whose, portOf] of [
  ['of the service', portOfService],
  ["of the bank's pages", portOfPages],
] as const)
  test(`a port ${whose} that was chosen and then taken by somebody else is chosen again`, async () => {
    await using machine = await openMachine();
    const taken = machine.takeChosen(portOf, 1);
    const { config, sandbox } = await machine.start(FREE_PORTS);
    assert.equal(taken.length, 1);
    assert.equal(machine.tries(), 2);
    for (const url of [`${config.baseUrl}/readyz`, `${sandbox?.partners.bankUrl}/northbank/app`]) {
      assert.notEqual(new URL(url).port, String(taken[0]));
      const { statusCode, body } = await request(url);
      await body.dump();
      assert.ok(statusCode < 400, `${url} answers ${statusCode}`);
    }
  });

test('where every port that is chosen is taken by somebody else, the third try says so', async () => {
  await using machine = await openMachine();
  const taken = machine.takeChosen(portOfService, Number.POSITIVE_INFINITY);
  await assert.rejects(machine.start(FREE_PORTS), {
    name: 'ConfigError',
    message: /^port \d+ is in use/,
  });
  assert.equal(taken.length, 3);
  assert.equal(machine.tries(), 3);
});

for (const setting of ['PORT', 'SANDBOX_BANK_PAGES_PORT'])
  test(`a port that the operator asked for by ${setting} is said to be in use before anything is started`, async () => {
    await using machine = await openMachine();
    const port = await machine.take(0);
    await assert.rejects(machine.start({ ...FREE_PORTS, [setting]: String(port) }), {
      name: 'ConfigError',
      message: `port ${port} is in use: stop what runs there, or set ${setting}`,
    });
    assert.equal(machine.tries(), 0);
  });

test('ports that are taken are named all at once, before anything is started', async () => {
  await using machine = await openMachine();
  const [service, issuer] = [await machine.take(0), await machine.take(0)];
  const env = { PORT: String(service), SANDBOX_ISSUER_PORT: String(issuer) };
  await assert.rejects(machine.start({ ...FREE_PORTS, ...env }), {
    name: 'ConfigError',
    message:
      `ports ${service} (PORT), ${issuer} (SANDBOX_ISSUER_PORT) are in use: stop what runs there, ` +
      'or set these settings to other ports, or to 0 for any free one',
  });
  assert.equal(machine.tries(), 0);
});
