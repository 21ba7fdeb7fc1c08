import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { isCluster } from '../src/platform/cluster/spread.ts';
import { migrate } from '../src/platform/db/migrate.ts';

/** Few shards are spread in a few seconds; two on each of two workers are enough to be apart. */
const SHARDS = 4;

/** A database of its own on every node of a cluster, migrated and spread. */
export interface ClusterDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Runs work in a session of its own, as the owner. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the urls of the coordinator and the workers, the coordinator first; null if `url` is a single PostgreSQL. */
export function nodesOf(url: string): Promise<string[] | null> {
  return withClient(url, async (client) => {
    if (!(await isCluster(client))) return null;
    const { rows } = await client.query<{ host: string; port: number }>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE isactive ORDER BY groupid',
    );
    return rows.map(({ host, port }) => {
      const node = new URL(url);
      node.hostname = host;
      node.port = String(port);
      return node.href;
    });
  });
}

const inDatabase = (url: string, name: string): string => {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
};

/** Creates an empty database on every node, and joins the nodes to a cluster in it. */
async function emptyClusterDatabase(nodes: readonly string[]): Promise<ClusterDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const [coordinator = '', ...workers] = nodes;
  for (const node of nodes) {
    await withClient(node, (client) => client.query(`CREATE DATABASE ${name}`));
    await withClient(inDatabase(node, name), (client) => client.query('CREATE EXTENSION citus'));
  }
  const url = inDatabase(coordinator, name);
  await withClient(url, async (client) => {
    const { hostname, port } = new URL(coordinator);
    await client.query(`ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
    for (const worker of workers.map((one) => new URL(one)))
      await client.query('SELECT citus_add_node($1, $2)', [worker.hostname, Number(worker.port)]);
  });
  return {
    url,
    async drop() {
      // A connection that broke between prepare and commit leaves its transaction open.
      await withClient(url, (client) => client.query('SELECT recover_prepared_transactions()'));
      for (const node of [coordinator, ...workers])
        await withClient(node, (client) =>
          client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
        );
    },
  };
}

const LOCK = 7_265_636_005;

/** The same, migrated and spread. One after the other: roles belong to the whole server, and Citus changes them on every node. */
export async function clusterDatabase(nodes: readonly string[]): Promise<ClusterDatabase> {
  const database = await emptyClusterDatabase(nodes);
  await withClient(nodes[0] ?? '', async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await migrate(database.url);
  });
  return database;
}
