import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { freePort } from '../../../server/test-support/free-ports.ts';
import type { Due, EventToSend, Jobs, Peer } from './peer.ts';

const DUE = 'collect';
const DELIVERY_QUEUE = 'deliver';
const CONCURRENCY = 50;
const AT_ONCE = 5_000;
const STARTS_WITHIN_MS = 10_000;
const POLL_MS = 20;

interface Redis {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a Redis as BullMQ's page on production recommends: appended every second, nothing evicted. Safe as ours is only one that
 * writes before it answers. Null: none is installed.
 */
async function startRedis({ how }: Jobs): Promise<Redis | null> {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'recollect-redis-'))];
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    appendfsync: how === 'as safe as ours' ? 'always' : 'everysec',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!isThere || child.pid === undefined) {
    await rm(folder, { recursive: true, force: true });
    return null;
  }
  await awaitPort(port);
  return {
    port,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until something listens on the port. Throws if nothing does in time. */
async function awaitPort(port: number): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(POLL_MS);
    } finally {
      socket.destroy();
    }
  }
}

/**
 * BullMQ: jobs in Redis, one per collection; the next job is added after the postings are committed. If the process crashes in
 * between, it is lost, unless the job that is run again finds the event and adds it.
 */
export const bullmq: Peer = {
  name: 'BullMQ',
  async load(stand, jobs, due, say) {
    const redis = await startRedis(jobs);
    if (redis === null) {
      say(
        'BullMQ is left out: no redis-server is installed (Debian: apt-get install redis-server)',
      );
      return null;
    }
    const connection = { host: '127.0.0.1', port: redis.port, maxRetriesPerRequest: null };
    const defaultJobOptions = { removeOnComplete: true, attempts: 3 };
    const dueQueue = new Queue<Due>(DUE, { connection, defaultJobOptions });
    const deliveryQueue = new Queue<EventToSend>(DELIVERY_QUEUE, { connection, defaultJobOptions });
    await dueQueue.waitUntilReady();
    for (let n = 0; n < due.length; n += AT_ONCE)
      await dueQueue.addBulk(due.slice(n, n + AT_ONCE).map((data) => ({ name: DUE, data })));
    const options = { connection, concurrency: CONCURRENCY, autorun: false };
    const workers = [
      new Worker<Due>(
        DUE,
        async ({ data }) => {
          const tells = await jobs.collect(stand, [data], async () => undefined);
          await deliveryQueue.addBulk(
            tells.map((tell) => ({
              name: DELIVERY_QUEUE,
              data: tell,
              opts: { jobId: tell.eventId },
            })),
          );
        },
        options,
      ),
      new Worker<EventToSend>(
        DELIVERY_QUEUE,
        async ({ data }) => jobs.deliver(stand, [data]),
        options,
      ),
    ];
    return {
      async work() {
        for (const worker of workers) void worker.run();
      },
      async stop() {
        await Promise.all(workers.map((worker) => worker.close()));
        await Promise.all([dueQueue.close(), deliveryQueue.close()]);
        await redis.stop();
      },
      pids: [redis.pid],
    };
  },
};
