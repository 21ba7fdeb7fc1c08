// Writes the code's log events into their page of the reference.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LOG_EVENTS_PAGE, withLogEvents } from './checks/log-events.ts';

const file = fileURLToPath(new URL(`../${LOG_EVENTS_PAGE}`, import.meta.url));
const page = withLogEvents(await readFile(file, 'utf8'));
if (page === null) throw new Error(`${LOG_EVENTS_PAGE} has no place for the events of the log`);
await writeFile(file, page);
console.log(`Wrote ${LOG_EVENTS_PAGE}`);
