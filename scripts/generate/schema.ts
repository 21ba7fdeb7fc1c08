import { productDatabase } from '../../server/test-support/database.ts';
import { schemaText } from '../../server/test-support/schema.ts';

/** Where the schema stands, for reading and for a test to compare. */
export const SCHEMA = 'server/schema.sql';

/** Returns the schema that the migrations create, in a database of its own. */
export async function migratedSchema(): Promise<string> {
  const database = await productDatabase();
  try {
    return await schemaText(database.url);
  } finally {
    await database.drop();
  }
}
