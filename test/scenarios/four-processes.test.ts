import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { type Partners, startPartners } from '../../chaos/partners.ts';
import { freePorts } from '../../chaos/ports.ts';
import { Program } from '../../chaos/program.ts';
import { Receiver } from '../../chaos/receiver.ts';
import { Wire } from '../../chaos/wire.ts';
import { WorldClock } from '../../chaos/world-clock.ts';
import { Recollect } from '../../sdk/src/index.ts';
import { openDb } from '../../server/src/platform/db.ts';
import { openSandboxFolder } from '../../server/src/sandbox/folder.ts';
import { playCustomer } from '../../server/src/sandbox/player.ts';
import { type TestDatabase, testDatabase } from '../../server/test-support/database.ts';
import { FERNHILL_OPTIONS } from '../../server/test-support/merchant.ts';
import { makeChance } from '../../simulation/chance.ts';

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
/** The role of each process: one of each kind, and a second engine. */
const ROLES = ['api', 'portal', 'engine', 'engine'] as const;
const ALEX = { login: 'alex', accountNumber: '10000011', bankId: 'northbank' };
const SCHEDULES = 6;
const PATIENCE_MS = 60_000;
const SPACE_BEFORE_DUE = Temporal.Duration.from({ minutes: 10 });

/** A live service as four processes over one database; its partners are the sandbox's bank and issuer, run as programs. */
describe('four processes', () => {
  const machine = getGlobalDispatcher();
  const wires: Wire[] = [];
  let dir: string;
  let database: TestDatabase;
  let clock: WorldClock;
  let partners: Partners;
  let receiver: Receiver;
  let services: Program[] = [];
  let ports: number[] = [];
  let env: Record<string, string>;
  let client: Recollect;
  let baseUrl: string;

  before(async () => {
    [dir, database] = await Promise.all([mkdtemp(join(tmpdir(), 'recollect-')), testDatabase()]);
    clock = new WorldClock(dir, Temporal.Now.instant()); // the command uses the machine's clock
    const folder = await openSandboxFolder(dir);
    const { ca, serverCert, serverKey } = folder.certificates;
    const tls = { cert: await readFile(serverCert), key: await readFile(serverKey) };
    trust(await readFile(ca));
    ports = await freePorts(ROLES.length);
    const open = async (to: number[], by: typeof tls | null = null): Promise<Wire> => {
      const wire = await Wire.open(to, by);
      wires.push(wire);
      return wire;
    };
    const [front, portal] = [await open(ports.slice(0, 1)), await open(ports.slice(1, 2), tls)];
    receiver = await Receiver.open(tls, clock, makeChance('four processes'));
    receiver.isCalm = true;
    baseUrl = `https://pay.invalid:${portal.port}`;
    const noticesUrl = `http://127.0.0.1:${front.port}`;
    partners = await startPartners(dir, folder, clock, { baseUrl, noticesUrl });
    env = {
      ...partners.env,
      MODE: 'live',
      TRUST_PROXY: 'none',
      BASE_URL: baseUrl,
      DATABASE_URL: database.url,
      DATABASE_CONNECTIONS: '8',
      LOG_LEVEL: 'warn',
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      BLIND_INDEX_KEY: randomBytes(32).toString('base64'),
      NODE_EXTRA_CA_CERTS: ca,
      CHAOS_RECEIVER_PORT: String(receiver.port),
    };
    await command('migrate');
    const { api_key: apiKey } = JSON.parse(
      await command('merchant', 'create', ...FERNHILL_OPTIONS),
    );
    services = ROLES.map((role, n) => service(`${role}-${n}`, role, ports[n] ?? 0));
    for (const one of services) one.start();
    await Promise.all(services.map((one) => one.ready()));
    client = new Recollect({ apiKey, baseUrl: noticesUrl });
    const endpoint = await client.webhookEndpoints.create({ url: 'https://shop.invalid/hooks' });
    receiver.secret = endpoint.secret;
  });

  after(async () => {
    await Promise.all(services.map((one) => one.stop()));
    await partners.control.close();
    await Promise.all([partners.bank.stop(), partners.issuer.stop()]);
    for (const wire of [...wires, partners.pages, ...Object.values(partners.wires)]) wire.close();
    receiver.close();
    setGlobalDispatcher(machine);
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  /** Resolves the live world's host names here, and trusts its certificates. */
  function trust(ca: Buffer): void {
    setGlobalDispatcher(
      new Agent({
        connect: {
          ca,
          checkServerIdentity: () => undefined,
          lookup: (_name, options, answer) =>
            options.all === true
              ? answer(null, [{ address: '127.0.0.1', family: 4 }])
              : answer(null, '127.0.0.1', 4),
        },
      }),
    );
  }

  function service(name: string, role: string, port: number): Program {
    return new Program({
      name,
      args: [MAIN, 'serve', '--roles', role],
      env: {
        ...env,
        PORT: String(port),
        DATA_DIR: join(dir, name),
        CHAOS_CLOCK: clock.fileOf(name),
      },
      logFile: join(dir, `${name}.log`),
      isReady: async () => (await statusOf(port, '/readyz')) === 200,
    });
  }

  async function statusOf(port: number, path: string): Promise<number> {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
    await body.dump();
    return statusCode;
  }

  /** Runs the `recollect` command; returns its output. */
  async function command(...args: string[]): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const all = { ...env, DATA_DIR: join(dir, 'operator'), PATH: process.env.PATH ?? '' };
    execFile(process.execPath, [MAIN, ...args], { env: all }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(`${out}${err}`)),
    );
    return promise;
  }

  async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      if (await isSo()) return;
      await sleep(50);
    }
    assert.fail(`it did not happen: ${what}`);
  }

  test('each process does what its role is, and nothing else', async () => {
    const answers = await Promise.all(
      ports.map(async (port) => [
        await statusOf(port, '/healthz'),
        await statusOf(port, '/api/v1/schedules'),
        await statusOf(port, '/consent/no-such-link'),
      ]),
    );
    assert.deepEqual(answers, [
      [200, 401, 404],
      [200, 404, 404],
      [200, 404, 404],
      [200, 404, 404],
    ]);
  });

  test('together they collect: each payment once, with its webhook', async () => {
    const due = clock.now().add(SPACE_BEFORE_DUE);
    const made = await Promise.all(
      Array.from({ length: SCHEDULES }, (_, n) =>
        client.schedules.create({
          amount: { value: 1000 + n, currency: 'GBP' },
          frequency: 'daily',
          customer: { type: 'phone', value: `+44770090${String(1000 + n)}` },
          description: `Schedule ${n}`,
          start_date: due.toString({ fractionalSecondDigits: 3 }),
        }),
      ),
    );
    const pages = `localhost:${partners.pages.port}`;
    const origins = [`https://${pages}`, `http://${pages}`, baseUrl];
    for (const { consent_url } of made)
      await playCustomer({ ...ALEX, consentUrl: consent_url ?? '', decision: 'grant', origins });
    for (const { id } of made)
      await until(
        `${id} is active`,
        async () => (await client.schedules.get(id)).status === 'active',
      );
    clock.step(SPACE_BEFORE_DUE);
    await until(
      'every collection has its webhook',
      () => receiver.of('collection.success').length === SCHEDULES,
    );
    const paid = receiver.of('collection.success').map(([, { data }]) => data.schedule_id);
    assert.deepEqual(paid.sort(), made.map(({ id }) => id).sort());
    const atBank = (await partners.control.books('bank', 'payments')) as { status: string }[];
    assert.equal(atBank.length, SCHEDULES);
    const db = openDb(database.url, 1);
    const attempts = await db.read((tx) => tx.rows('SELECT FROM attempts'));
    await db.close();
    assert.equal(attempts.length, SCHEDULES, 'one attempt each');
    await command('audit'); // fails if a law of money is broken
  });

  test('an engine that is killed leaves the work to the other one', async () => {
    const [, , first] = services;
    await first?.kill();
    const before = receiver.of('collection.success').length;
    clock.step(Temporal.Duration.from({ hours: 26 })); // a day has 25 hours when the clocks go back
    await until(
      'the next day is collected by the engine that is left',
      () => receiver.of('collection.success').length === before + SCHEDULES,
    );
  });
});
