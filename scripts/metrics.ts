// Writes the code's metrics into their page of the reference.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { METRICS_PAGE, withMetrics } from './checks/metrics.ts';

const file = fileURLToPath(new URL(`../${METRICS_PAGE}`, import.meta.url));
const page = withMetrics(await readFile(file, 'utf8'));
if (page === null) throw new Error(`${METRICS_PAGE} has no place for the metrics`);
await writeFile(file, page);
console.log(`Wrote ${METRICS_PAGE}`);
