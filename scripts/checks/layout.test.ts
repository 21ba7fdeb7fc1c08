import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FOLDER_ORDER, SLICES } from './layout.ts';

const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
const picture = /^```\nserver\/src\n[\s\S]*?^```$/m.exec(page)?.[0] ?? '';

test('the picture of ARCHITECTURE.md shows the slices in their order', () => {
  const shown = [...picture.matchAll(/^[├└]── ([\w-]+)/gm)].map(([, name]) => name);
  assert.deepEqual(shown, SLICES);
});

test('the picture of ARCHITECTURE.md shows the folders that have an order in it', () => {
  for (const [parent, folders] of Object.entries(FOLDER_ORDER)) {
    const name = parent.slice(parent.lastIndexOf('/') + 1);
    const from = picture.slice(picture.search(new RegExp(`\\b${name}\\b`)));
    const row = `\\b${folders.map((folder) => `${folder.replaceAll('.', '[.]')}\\b[^→]*`).join('→ ')}`;
    assert.match(from, new RegExp(row), `${parent}: ${folders.join(' → ')}`);
  }
});
