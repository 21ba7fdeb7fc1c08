import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeVersions } from './versions.ts';

test('the newest release is the latest, whatever was built last, and nothing but versions is listed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-versions-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['0.9.0', '0.10.1', '1.0.0-rc.2', '0.2.0', 'draft-12']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.html'), name);
  }
  writeVersions(folder);
  writeVersions(folder);
  const listed = JSON.parse(readFileSync(join(folder, 'versions.json'), 'utf8'));
  assert.deepEqual(listed, ['0.10.1', '0.9.0', '0.2.0', '1.0.0-rc.2']);
  assert.equal(readFileSync(join(folder, 'latest/index.html'), 'utf8'), '0.10.1');
});
