import pg from 'pg';
import { openToEngine } from '../../server/src/platform/db/privileges.ts';

/** Opens the tables that a figure or a library has made in a schema to the service's role, under which our transactions run. */
export async function openSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(schema)} TO recollect_engine`);
    await openToEngine(client, schema);
  } finally {
    await client.end();
  }
}
