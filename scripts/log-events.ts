// Writes the code's log events into the operators' guide.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { GUIDE, withLogEvents } from './checks/log-events.ts';

const file = fileURLToPath(new URL(`../${GUIDE}`, import.meta.url));
const guide = withLogEvents(await readFile(file, 'utf8'));
if (guide === null) throw new Error(`${GUIDE} has no place for the events of the log`);
await writeFile(file, guide);
console.log(`Wrote ${GUIDE}`);
