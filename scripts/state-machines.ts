// Writes docs/state-machines.md: the code's state machines, for people.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PAGE, stateMachinesPage } from './checks/state-machines.ts';

await writeFile(fileURLToPath(new URL(`../${PAGE}`, import.meta.url)), stateMachinesPage());
console.log(`Wrote ${PAGE}`);
