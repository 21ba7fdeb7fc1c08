import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { type Partners, startPartners } from '../../chaos/partners.ts';
import { Program } from '../../chaos/program.ts';
import { Receiver } from '../../chaos/receiver.ts';
import { Wire } from '../../chaos/wire.ts';
import { WorldClock } from '../../chaos/world-clock.ts';
import { Recollect, type Schedule } from '../../sdk/src/index.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { openSandboxFolder, type SandboxFolder } from '../../server/src/sandbox/folder.ts';
import { playCustomer } from '../../server/src/sandbox/player.ts';
import { testDatabase } from '../../server/test-support/database.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import { openMerchant } from '../../server/test-support/open-merchant.ts';
import { until } from '../../server/test-support/until.ts';
import { makeChance } from '../../simulation/chance.ts';

/** This version. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = 'server/src/main.ts';
/** It replaces the clock of a process by the world's. */
const PRELOAD = 'chaos/preload.ts';
const ALEX = { login: 'alex', accountNumber: '10000011', bankId: 'northbank' };
const NO_TIME = new Temporal.Duration();
const SPACE_BEFORE_DUE = Temporal.Duration.from({ minutes: 10 });

let customers = 1000; // each schedule has its own

/** A live service over one database, as processes; its partners are the sandbox's bank and issuer, run as programs. */
export interface LiveWorld {
  databaseUrl: string;
  clock: WorldClock;
  partners: Partners;
  receiver: Receiver;
  dir: string;
  /** What certificates and secrets the partners have. */
  folder: SandboxFolder;
  /** Settings of the processes and commands that are started from now on. */
  settings: Record<string, string>;
  /** The port of each process. */
  ports: readonly number[];
  /** The merchant's client; known once `openShop` has run. */
  client: Recollect;
  /** Makes a process of the service; it is stopped with the world. `root`: of which version. */
  process(name: string, roles: string, port: number, root?: string): Program;
  /** Runs the `recollect` command; returns its output. */
  command(...args: string[]): Promise<string>;
  /** Creates the merchant, and the endpoint of its webhooks once `ready` has resolved. */
  openShop(ready: () => Promise<unknown>): Promise<void>;
  /**
   * Creates daily schedules to which their customers agree, and moves the clock to their first collection. `apart`: how far each
   * falls due after the one before.
   */
  collectDaily(count: number, apart?: Temporal.Duration): Promise<Schedule[]>;
  close(): Promise<void>;
}

/** The database of a world. */
export interface WorldDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Opens a world without a process. `front`, `portal`: to which of the processes requests and customers go. */
export async function openLiveWorld(
  processes: number,
  { front, portal }: { front: readonly number[]; portal: readonly number[] },
  makeDatabase: () => Promise<WorldDatabase> = testDatabase,
): Promise<LiveWorld> {
  const machine = getGlobalDispatcher();
  const [dir, database] = await Promise.all([
    mkdtemp(join(tmpdir(), 'recollect-')),
    makeDatabase(),
  ]);
  const clock = new WorldClock(dir, Temporal.Now.instant());
  const folder = await openSandboxFolder(dir);
  const { ca, serverCert, serverKey } = folder.certificates;
  const tls = { cert: await readFile(serverCert), key: await readFile(serverKey) };
  trust(await readFile(ca));
  const ports = await freePorts(processes);
  const portsOf = (which: readonly number[]) => which.map((n) => ports[n] ?? 0);
  const wires = [await Wire.open(portsOf(front)), await Wire.open(portsOf(portal), tls)];
  const [noticesUrl, baseUrl] = [
    `http://127.0.0.1:${wires[0]?.port}`,
    `https://pay.invalid:${wires[1]?.port}`,
  ];
  const receiver = await Receiver.open(tls, clock, makeChance('live world'));
  receiver.isCalm = true;
  const partners = await startPartners(dir, folder, clock, { baseUrl, noticesUrl });
  const env = {
    ...partners.env,
    MODE: 'live',
    TRUST_PROXY: 'none',
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: '8',
    ENGINES: '1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    BLIND_INDEX_KEY: randomBytes(32).toString('base64'),
    NODE_EXTRA_CA_CERTS: ca,
    CHAOS_RECEIVER_PORT: String(receiver.port),
  };
  const running: Program[] = [];
  const settings: Record<string, string> = {};
  const commandClock = clock.fileOf('operator');
  const command = (...args: string[]) =>
    run({ ...env, DATA_DIR: join(dir, 'operator'), CHAOS_CLOCK: commandClock, ...settings }, args);
  const world: LiveWorld = {
    ...{ databaseUrl: database.url, clock, partners, receiver, ports, command },
    ...{ dir, folder, settings },
    client: new Recollect({ apiKey: 'not known yet', baseUrl: noticesUrl }),
    process(name, roles, port, root = ROOT) {
      const one = new Program({
        name,
        args: [join(root, MAIN), 'serve', '--roles', roles],
        preload: join(root, PRELOAD),
        env: {
          ...env,
          PORT: String(port),
          OPERATOR_PORT: '0',
          DATA_DIR: join(dir, name),
          CHAOS_CLOCK: clock.fileOf(name),
          ...settings,
        },
        logFile: join(dir, `${name}.log`),
        isReady: async () => (await statusOf(port, '/readyz')) === 200,
      });
      running.push(one);
      return one;
    },
    async openShop(ready) {
      const ours = { ...env, DATA_DIR: join(dir, 'operator'), ...settings };
      const apiKey = await openMerchant(readConfig(ours), clock.now());
      await ready();
      world.client = new Recollect({ apiKey, baseUrl: noticesUrl });
      const hooks = { url: 'https://shop.invalid/hooks' };
      receiver.secret = (await world.client.webhookEndpoints.create(hooks)).secret;
    },
    collectDaily: (count, apart = NO_TIME) => collectDaily(world, baseUrl, { count, apart }),
    async close() {
      await Promise.all(running.map((one) => one.stop()));
      await partners.control.close();
      await Promise.all([partners.bank.stop(), partners.issuer.stop()]);
      for (const wire of [...wires, partners.pages, ...Object.values(partners.wires)]) wire.close();
      receiver.close();
      setGlobalDispatcher(machine);
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
  return world;
}

async function collectDaily(
  { client, clock, partners }: LiveWorld,
  baseUrl: string,
  { count, apart }: { count: number; apart: Temporal.Duration },
): Promise<Schedule[]> {
  const due = clock.now().add(SPACE_BEFORE_DUE);
  const made = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      client.schedules.create({
        amount: { value: 1000 + n, currency: 'GBP' },
        frequency: 'daily',
        customer: { type: 'phone', value: `+44770090${String(customers++)}` },
        description: `Schedule ${n}`,
        start_date: due
          .add({ milliseconds: n * apart.total('milliseconds') })
          .toString({ fractionalSecondDigits: 3 }),
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
  clock.step(due.since(clock.now()));
  return made;
}

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

function run(env: Record<string, string>, args: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const all = { ...env, PATH: process.env.PATH ?? '' };
  const program = ['--import', join(ROOT, PRELOAD), join(ROOT, MAIN)];
  execFile(process.execPath, [...program, ...args], { env: all }, (error, out, err) =>
    error === null ? resolve(out) : reject(new Error(`${out}${err}`)),
  );
  return promise;
}

/** Returns the status with which a process answers. */
export async function statusOf(port: number, path: string): Promise<number> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
  await body.dump();
  return statusCode;
}
