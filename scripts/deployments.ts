// Writes the settings into the files of deployments and into the page of settings, and the Helm chart from the manifests.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartFiles } from './checks/deployments/chart.ts';
import { DEPLOYED, withSettings } from './checks/deployments.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(fileOf(path), 'utf8');

function write(path: string, text: string): void {
  writeFileSync(fileOf(path), text);
  console.log(`Wrote ${path}`);
}

for (const path of DEPLOYED.keys()) {
  const text = withSettings(path, read(path));
  if (text === null) throw new Error(`${path} has no place for the settings`);
  write(path, text);
}
for (const [path, text] of chartFiles(read)) write(path, text);
