// Writes everything that is made from the code: `npm run generate`, or `npm run generate -- schema metrics` for some of it. The
// table is in scripts/checks/generated.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GENERATED } from './checks/generated.ts';
import { SDK_TYPES } from './checks/layout.ts';
import { clientFiles } from './generate/clients/clients.ts';
import { EXAMPLES, exampleFile, unwalked, withoutStep } from './generate/examples/examples.ts';
import { completeLock } from './generate/lock.ts';
import { migratedSchema, SCHEMA } from './generate/schema.ts';
import { apiDocument, sdkTypes } from './generate/sdk-types.ts';

const LOCK = 'package-lock.json';
const NAMES = [...GENERATED.map(({ name }) => name), 'schema', 'sdk-types', 'clients', 'examples'];

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string): string =>
  existsSync(fileOf(path)) ? readFileSync(fileOf(path), 'utf8') : '';

function write(path: string, text: string | null): void {
  if (text === null) throw new Error(`${path} has no place for what is generated`);
  if (text === read(path)) return;
  writeFileSync(fileOf(path), text);
  console.log(`Wrote ${path}`);
}

async function generate(name: string): Promise<void> {
  if (name === 'schema') return write(SCHEMA, await migratedSchema());
  if (name === 'sdk-types') return write(SDK_TYPES, sdkTypes(await apiDocument()));
  if (name === 'clients') {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const [path, text] of await clientFiles(await apiDocument(), version)) write(path, text);
    return;
  }
  if (name === 'examples') {
    const document = await apiDocument();
    const missing = unwalked(document);
    if (missing.length > 0) throw new Error(withoutStep(missing));
    return write(EXAMPLES, await exampleFile(document));
  }
  if (name === 'packages') write(LOCK, completeLock(read(LOCK)));
  const generated = GENERATED.find((one) => one.name === name);
  for (const [path, text] of generated?.render(read) ?? []) write(path, text);
}

const wanted = process.argv.slice(2);
if (wanted.every((name) => NAMES.includes(name))) {
  for (const name of wanted.length === 0 ? NAMES : wanted) await generate(name);
} else {
  console.error(`Generated: ${NAMES.join(', ')}`);
  process.exitCode = 1;
}
