// Writes the code's metrics into the operators' guide.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { GUIDE } from './checks/log-events.ts';
import { withMetrics } from './checks/metrics.ts';

const file = fileURLToPath(new URL(`../${GUIDE}`, import.meta.url));
const guide = withMetrics(await readFile(file, 'utf8'));
if (guide === null) throw new Error(`${GUIDE} has no place for the metrics`);
await writeFile(file, guide);
console.log(`Wrote ${GUIDE}`);
