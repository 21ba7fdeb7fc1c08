import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../server/needs-node.cjs', import.meta.url));
const ENTRY = fileURLToPath(new URL('../recollect.cjs', import.meta.url));
const { wrongNode } = createRequire(import.meta.url)(FILE) as {
  wrongNode(version: string, platform: string): string | null;
};

test('an old Node is told in one sentence what is missing, and this one is not', () => {
  for (const version of ['20.20.0', '22.1.0', '25.9.9'])
    assert.match(
      wrongNode(version, 'linux-x64') ?? '',
      new RegExp(`^recollect: this is Node ${version}, and Node 26 is needed: run npm ci [^\n]+$`),
    );
  assert.equal(wrongNode('26.0.0', 'linux-x64'), null);
  assert.equal(wrongNode('100.0.0', 'linux-x64'), null);
  assert.equal(execFileSync(process.execPath, [FILE], { encoding: 'utf8' }), '');
});

test('it is asked before whatever people start with npm, and reads in an old Node', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  for (const name of ['prepare', 'prestart', 'prerecollect', 'predemo', 'pretest'])
    assert.match(scripts[name], /^node server\/needs-node\.cjs/, name);
  for (const file of [FILE, ENTRY])
    assert.doesNotMatch(readFileSync(file, 'utf8'), /^import |\?\.|\?\?|await /m);
});

test('the entry runs the command, and without its packages it says in one sentence what to do', (t) => {
  assert.match(
    execFileSync(process.execPath, [ENTRY, '--version'], { encoding: 'utf8' }),
    /^\d+\.\d+\.\d+\n$/,
  );
  const folder = mkdtempSync(join(tmpdir(), 'recollect-entry-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'server'));
  copyFileSync(ENTRY, join(folder, 'recollect.cjs'));
  copyFileSync(FILE, join(folder, 'server', 'needs-node.cjs'));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'recollect.cjs'), 'start'], {
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.equal(stderr, `recollect: its packages are not installed: run npm ci in ${folder}\n`);
});
