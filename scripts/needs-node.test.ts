import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('./needs-node.cjs', import.meta.url));
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
    assert.match(scripts[name], /^node scripts\/needs-node\.cjs/, name);
  assert.doesNotMatch(readFileSync(FILE, 'utf8'), /^import |\?\.|\?\?|await /m);
});
