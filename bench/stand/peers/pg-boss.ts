import { PgBoss } from 'pg-boss';
import type { SqlValue, Tx } from '../../../server/src/platform/db/db.ts';
import { openSchema } from '../rights.ts';
import type { Due, EventToSend, Jobs, Peer, PeerDeps } from './peer.ts';

const CONNECTIONS = 10;
const AT_ONCE = 5_000;
const DUE = 'collect';
const DELIVERY_QUEUE = 'deliver';

/** Batches as large as ours, fetched without a pause while they are full, woken by NOTIFY (pg-boss 12, "Workers"). */
const WORK = {
  batchSize: 250,
  localConcurrency: 2,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
} as const;

/** Runs its statements in our transaction. */
const within = (tx: Tx) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: await tx.rows<Record<string, unknown>>(text, values as SqlValue[]),
  }),
});

/** pg-boss: jobs in PostgreSQL, in batches; the next job is written in the transaction of the postings. */
export const pgBoss: Peer = {
  name: 'pg-boss',
  async load(stand, jobs, due) {
    const boss = new PgBoss({
      connectionString: stand.world.url,
      max: CONNECTIONS,
      useListenNotify: true,
    });
    boss.on('error', (error) => {
      throw error;
    });
    await boss.start();
    for (const queue of [DUE, DELIVERY_QUEUE]) {
      await boss.createQueue(queue, { notify: true });
      await boss.deleteAllJobs(queue);
    }
    await openSchema(stand.world.url, 'pgboss');
    for (let n = 0; n < due.length; n += AT_ONCE)
      await boss.insert(
        DUE,
        due.slice(n, n + AT_ONCE).map((data) => ({ data })),
      );
    return {
      work: () => work(boss, stand, jobs),
      stop: () => boss.stop({ graceful: true }),
    };
  },
};

async function work(boss: PgBoss, stand: PeerDeps, jobs: Jobs): Promise<void> {
  await boss.work<EventToSend>(DELIVERY_QUEUE, WORK, (batch) =>
    jobs.deliver(
      stand,
      batch.map(({ data }) => data),
    ),
  );
  await boss.work<Due>(DUE, WORK, async (batch) => {
    const due = batch.map(({ data }) => data);
    await jobs.collect(stand, due, async (tx, tells) => {
      const next = tells.map((data) => ({ data }));
      await boss.insert(DELIVERY_QUEUE, next, { db: within(tx) });
    });
  });
}
