import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk';
import { mapInParallel } from '../../../server/src/platform/network/concurrency-limits.ts';
import { asOwner } from '../../../server/test-support/owner.ts';
import type { Due, Jobs, Peer, PeerDeps } from './peer.ts';

const QUEUE = 'collections';
const WORKFLOW = 'collect';
const CONNECTIONS = 20;
/** A queue is read once in this time; its default, a second, would bound the rate. */
const POLL_MS = 20;
const RETRIES = { retriesAllowed: true, intervalSeconds: 1, maxAttempts: 3 } as const;

/** How many collections are one workflow, and how many workflows run at a time. */
interface Size {
  perWorkflow: number;
  atOnce: number;
}

/**
 * DBOS: durable workflows in PostgreSQL, whose steps are the two jobs. What a step returns is stored before the next begins, so
 * that no job need be enqueued with the postings: a workflow that is run again goes on after its last step.
 */
const dbos = (name: string, { perWorkflow, atOnce }: Size): Peer => ({
  name,
  async load(stand, jobs, due) {
    const { url, db } = stand.world;
    await DBOS.migrate(url);
    await asOwner(db, (tx) => tx.run('TRUNCATE dbos.workflow_status CASCADE'));
    const client = await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabasePoolSize: CONNECTIONS,
    });
    await client.registerQueue(QUEUE, {
      workerConcurrency: atOnce,
      minPollingIntervalMs: POLL_MS,
      onConflict: 'always_update',
    });
    const batches = Array.from({ length: Math.ceil(due.length / perWorkflow) }, (_, n) =>
      due.slice(n * perWorkflow, (n + 1) * perWorkflow),
    );
    await mapInParallel(batches, CONNECTIONS, (batch) =>
      client.enqueue({ queueName: QUEUE, workflowName: WORKFLOW }, batch),
    );
    await client.destroy();
    return {
      work: () => work(stand, jobs),
      stop: () => DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: 60_000 }),
    };
  },
});

async function work(stand: PeerDeps, jobs: Jobs): Promise<void> {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: stand.world.url,
    systemDatabasePoolSize: CONNECTIONS,
    runMigrations: false,
    logLevel: 'error',
  });
  DBOS.registerWorkflow(
    async (due: Due[]) => {
      const collect = () => jobs.collect(stand, due, async () => undefined);
      const tells = await DBOS.runStep(collect, { name: 'collect', ...RETRIES });
      await DBOS.runStep(() => jobs.deliver(stand, tells), { name: 'deliver', ...RETRIES });
    },
    { name: WORKFLOW },
  );
  await DBOS.launch();
}

/** A workflow for each collection, as its guide has it. */
export const dbosEach = dbos('DBOS', { perWorkflow: 1, atOnce: 50 });

/** A workflow for as many as pg-boss takes at once. */
export const dbosBatches = dbos('DBOS, 250 a workflow', { perWorkflow: 250, atOnce: 4 });
