import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { Agent, setGlobalDispatcher } from 'undici';
import { Recollect } from '../sdk/src/index.ts';
import { readConfig } from '../server/src/platform/config/config.ts';
import type { Env } from '../server/src/platform/config/readers.ts';
import { issueCertificates } from '../server/src/sandbox/certificate-authority.ts';
import { openSandboxFolder } from '../server/src/sandbox/folder.ts';
import { EVENT_KINDS } from '../server/src/webhooks/endpoint.ts';
import { freePorts } from '../server/test-support/free-ports.ts';
import { openMerchant } from '../server/test-support/open-merchant.ts';
import { type Chance, makeChance } from '../simulation/chance.ts';
import { Cluster } from './cluster.ts';
import { Disk } from './disk.ts';
import { type Partners, startPartners } from './partners.ts';
import type { Program } from './program.ts';
import { Receiver } from './receiver.ts';
import { Sentences } from './sentences.ts';
import { makeService, runCommand, type ServiceSettings } from './services.ts';
import { Wire } from './wire.ts';
import { WorldClock } from './world-clock.ts';

/** The lines between the parts. */
export interface Wires {
  /** From each service to PostgreSQL. */
  database: readonly [Wire, Wire];
  bank: Wire;
  issuer: Wire;
  /** From the bank to the issuer. */
  creditor: Wire;
  /** From merchants, banks and the issuer to the services, in rotation. */
  front: Wire;
  /** The same with TLS, for customers. */
  portal: Wire;
  receiver: Wire;
}

/** Everything that runs, and every line between its parts. */
export interface World {
  dir: string;
  chance: Chance;
  clock: WorldClock;
  disk: Disk;
  /** The PostgreSQL that the service currently uses. */
  cluster: Cluster;
  /** Its standby, if there is one. */
  spare: Cluster | null;
  services: readonly [Program, Program];
  /** The ports of the services, for everybody else. */
  ports: readonly number[];
  /** The operators' addresses of the services. */
  operatorUrls: readonly string[];
  wires: Wires;
  partners: Partners;
  receiver: Receiver;
  /** A certificate of an authority that everybody trusts; both have expired. */
  expired: TlsOptions;
  /** The merchant's API client, through the load balancer. */
  client: Recollect;
  /** The origins of the portal's and the banks' pages. */
  origins: readonly string[];
  sentences: Sentences;
  /** Runs the `recollect` command on the service's database; returns its output and exit code. */
  command(...args: string[]): Promise<{ code: number; output: string }>;
  /** Ends everything; with `keep`, PostgreSQL's data is kept beside the logs. */
  close(keep: boolean): Promise<void>;
}

/** PostgreSQL's own files stay small, so that it is the ballast that fills the disk. */
export const SMALL = ['max_wal_size = 128MB', 'min_wal_size = 32MB'];
/** Settings that all processes of the service share; no secrets. */
const COMMON = {
  MODE: 'live',
  TRUST_PROXY: 'none',
  DATABASE_CONNECTIONS: '12',
  RATE_LIMIT_PER_MINUTE: '1000000',
  LOG_LEVEL: 'warn',
};

/** Builds the world in `dir` and resolves when both services are ready; the world's time begins at `start`. */
export async function makeWorld(
  dir: string,
  seed: string,
  start: Temporal.Instant,
): Promise<World> {
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const chance = makeChance(seed);
  const clock = new WorldClock(dir, start);
  const disk = new Disk(join(dir, 'postgres'));
  const cluster = new Cluster(disk.path);
  await cluster.make(SMALL);
  await cluster.start();
  const folder = await openSandboxFolder(dir);
  const { ca, serverCert, serverKey } = folder.certificates;
  const tls = { cert: readFileSync(serverCert), key: readFileSync(serverKey) };
  const expired = await issueExpired(ca);
  trustEverywhere(readFileSync(ca));
  const receiver = await Receiver.open(tls, clock, chance);
  const [one = 0, two = 0, ...operatorPorts] = await freePorts(4);
  const ports = [one, two];
  const ours = await ownWires(ports, receiver.port, cluster.port, tls);
  // Not localhost: a bank redirects the customers of a live service only to a host name.
  const baseUrl = `https://pay.invalid:${ours.portal.port}`;
  const noticesUrl = `http://127.0.0.1:${ours.front.port}`;
  const partners = await startPartners(dir, folder, clock, { baseUrl, noticesUrl });
  const sentences = new Sentences();
  const env = {
    ...COMMON,
    ...partners.env,
    BASE_URL: baseUrl,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    BLIND_INDEX_KEY: randomBytes(32).toString('base64'),
    NODE_EXTRA_CA_CERTS: ca,
    CHAOS_RECEIVER_PORT: String(ours.receiver.port),
  };
  const settings: ServiceSettings = { dir, clock, sentences, env };
  const serviceOf = (n: 0 | 1): Program => {
    const databaseUrl = cluster.url('service', ours.database[n].port);
    return makeService(settings, {
      name: `service-${n + 1}`,
      port: ports[n] ?? 0,
      operatorPort: operatorPorts[n] ?? 0,
      databaseUrl,
    });
  };
  const world: World = {
    ...{ dir, chance, clock, disk, cluster, partners, receiver, sentences, expired },
    spare: null,
    services: [serviceOf(0), serviceOf(1)],
    ports,
    operatorUrls: operatorPorts.map((port) => `http://127.0.0.1:${port}`),
    wires: { ...ours, ...partners.wires },
    command: (...args) => runCommand(settings, world.cluster.url('service'), args),
    close: (keep) => closeWorld(world, keep),
    client: new Recollect({ apiKey: 'not known yet', baseUrl: noticesUrl }),
    origins: [baseUrl, ...['https', 'http'].map((s) => `${s}://localhost:${partners.pages.port}`)],
  };
  leaveNothingBehind(world);
  await openShop(world, env, noticesUrl);
  return world;
}

/** Issues a certificate two years ago, and has its authority trusted like the one of the file. */
async function issueExpired(authorities: string): Promise<TlsOptions> {
  const issued = await issueCertificates(Temporal.Now.instant().subtract({ hours: 2 * 365 * 24 }));
  appendFileSync(authorities, `\n${issued.authority}`);
  return { cert: issued.server.certificate, key: issued.server.key };
}

async function ownWires(
  services: number[],
  receiver: number,
  postgres: number,
  tls: TlsOptions,
): Promise<Omit<Wires, keyof Partners['wires']>> {
  return {
    front: await Wire.open(services),
    portal: await Wire.open(services, tls),
    receiver: await Wire.open([receiver]),
    database: [await Wire.open([postgres]), await Wire.open([postgres])],
  };
}

/** Creates a merchant with its key, starts both services, and adds the endpoint of its webhooks. */
async function openShop(world: World, env: Env, baseUrl: string): Promise<void> {
  const migrated = await world.command('migrate');
  if (migrated.code !== 0) throw new Error(`the database was not migrated: ${migrated.output}`);
  const own = { DATA_DIR: join(world.dir, 'operator'), DATABASE_URL: world.cluster.url('service') };
  const apiKey = await openMerchant(readConfig({ ...env, ...own }), world.clock.now());
  world.client = new Recollect({ apiKey, baseUrl, timeoutMs: 15_000 });
  for (const service of world.services) service.start();
  await Promise.all(world.services.map((service) => service.ready()));
  await world.client.merchant.update({ reuse_consent: true });
  const endpoint = await world.client.webhookEndpoints.create({
    url: 'https://shop.invalid/hooks',
    event_kinds: EVENT_KINDS,
  });
  world.receiver.secret = endpoint.secret;
}

/** Replaces the customers' DNS: every name leads to this machine, whose certificate is valid for every name. */
function trustEverywhere(ca: Buffer): void {
  const lookup: LookupFunction = (_name, options, answer) => {
    if (options.all === true) answer(null, [{ address: '127.0.0.1', family: 4 }]);
    else answer(null, '127.0.0.1', 4);
  };
  const connect = { ca, lookup, checkServerIdentity: () => undefined };
  setGlobalDispatcher(new Agent({ connect }));
}

/** Returns every line of the world, each once. */
export function allWires({ wires: { database, ...others } }: World): Wire[] {
  return [...database, ...Object.values(others)];
}

async function closeWorld(world: World, keep: boolean): Promise<void> {
  const { services, partners, cluster, disk } = world;
  await Promise.all(services.map((service) => service.stop()));
  await partners.control.close();
  await Promise.all([partners.bank.stop(), partners.issuer.stop()]);
  await world.spare?.stop();
  await cluster.stop();
  for (const wire of [partners.pages, ...allWires(world)]) wire.close();
  world.receiver.close();
  if (keep) cpSync(disk.path, `${disk.path}-kept`, { recursive: true });
  disk.unmount();
}

/** Kills every program of the chaos run, however the run itself ends. */
function leaveNothingBehind(world: World): void {
  const { bank, issuer } = world.partners;
  process.on('exit', () => {
    for (const one of [...world.services, bank, issuer]) one.abandon();
    world.spare?.kill();
    world.cluster.kill();
    world.disk.unmount();
  });
}

/** Removes what a successful run has left. */
export function removeWorld(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}
