// Writes the Grafana dashboard.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DASHBOARD, dashboardText } from './grafana/dashboard.ts';

await writeFile(fileURLToPath(new URL(`../${DASHBOARD}`, import.meta.url)), dashboardText());
console.log(`Wrote ${DASHBOARD}`);
