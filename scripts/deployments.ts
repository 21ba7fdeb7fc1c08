// Writes the settings into the files of deployments, and into the page of settings.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DEPLOYED, withSettings } from './checks/deployments.ts';

for (const path of DEPLOYED.keys()) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const text = withSettings(path, await readFile(file, 'utf8'));
  if (text === null) throw new Error(`${path} has no place for the settings`);
  await writeFile(file, text);
  console.log(`Wrote ${path}`);
}
