// Writes how long each table keeps its rows into the page of rules.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RETENTION_PAGE, withRetention } from './checks/retention.ts';

const file = fileURLToPath(new URL(`../${RETENTION_PAGE}`, import.meta.url));
const page = withRetention(await readFile(file, 'utf8'));
if (page === null) throw new Error(`${RETENTION_PAGE} has no place for the table`);
await writeFile(file, page);
console.log(`Wrote ${RETENTION_PAGE}`);
