import { Logger, type Runner, run, runMigrations } from 'graphile-worker';
import { openSchema } from '../rights.ts';
import type { Due, EventToSend, Peer } from './peer.ts';

const DUE = 'collect';
const DELIVERY_QUEUE = 'deliver';

/** The settings of its own page on performance. */
const PRESET = {
  worker: {
    concurrentJobs: 24,
    maxPoolSize: 25,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
};

const ADD = `
  SELECT count(*)::int AS added FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW($1, payload, NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
    FROM unnest($2::json[]) AS payload))`;

/**
 * graphile-worker: one job per collection, handed out from a local queue; the next job is written in the transaction of the
 * postings.
 */
export const graphileWorker: Peer = {
  name: 'graphile-worker',
  async load(stand, jobs, due) {
    const { url, db } = stand.world;
    const options = {
      preset: PRESET,
      connectionString: url,
      logger: new Logger(() => () => undefined),
      noHandleSignals: true,
    };
    await runMigrations(options);
    await openSchema(url, 'graphile_worker');
    const add = (name: string, payloads: readonly object[]): Promise<unknown> =>
      db.transaction((tx) => tx.rows(ADD, [name, payloads.map((one) => JSON.stringify(one))]));
    await db.transaction((tx) => tx.run('DELETE FROM graphile_worker._private_jobs'));
    await add(DUE, due);
    let runner: Runner | null = null;
    return {
      async work() {
        runner = await run({
          ...options,
          taskList: {
            [DUE]: async (payload) => {
              await jobs.collect(stand, [payload as Due], async (tx, tells) => {
                await tx.rows(ADD, [DELIVERY_QUEUE, tells.map((tell) => JSON.stringify(tell))]);
              });
            },
            [DELIVERY_QUEUE]: (payload) => jobs.deliver(stand, [payload as EventToSend]),
          },
        });
      },
      async stop() {
        await runner?.stop();
      },
      pids: [],
    };
  },
};
