// Writes server/schema.sql: the schema that the migrations create, for reading and for a test to compare.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { productDatabase } from '../server/test-support/database.ts';
import { schemaText } from '../server/test-support/schema.ts';

const file = fileURLToPath(new URL('../server/schema.sql', import.meta.url));
const database = await productDatabase();
try {
  await writeFile(file, await schemaText(database.url));
  console.log(`Wrote ${file}`);
} finally {
  await database.drop();
}
