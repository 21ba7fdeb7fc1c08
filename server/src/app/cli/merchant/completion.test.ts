import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { program } from '../program.ts';
import { completionScript, placesOf, SHELLS } from './completion.ts';

const root = program({});

/** Returns what bash offers behind these words, the last of which is being typed. */
function offeredByBash(t: TestContext, ...words: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-completion-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = join(folder, 'recollect.bash');
  writeFileSync(script, completionScript('bash', root));
  const line = ['recollect', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `source ${script}; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _recollect; echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).trim().split(' ').filter(Boolean);
}

test('bash completes commands, their verbs, options and what these can be', (t) => {
  assert.deepEqual(offeredByBash(t, 'sched'), ['schedules']);
  assert.deepEqual(offeredByBash(t, 'payments', ''), ['list', 'show', '--help']);
  assert.deepEqual(offeredByBash(t, 'payments', 'list', '--st'), ['--status']);
  assert.deepEqual(offeredByBash(t, 'payments', 'list', '--status', 'p'), [
    'pending',
    'processing',
  ]);
  assert.deepEqual(offeredByBash(t, 'payments', 'list', '--json', '--lim'), ['--limit']);
  assert.deepEqual(offeredByBash(t, 'completion', 'z'), ['zsh']);
  assert.deepEqual(offeredByBash(t, 'trigger', 'settlement.'), [
    'settlement.success',
    'settlement.failed',
  ]);
});

test('every command has its place in the scripts of all shells', () => {
  const { commands } = placesOf(root);
  assert.ok(commands.length > 30);
  for (const shell of SHELLS)
    for (const { at } of commands)
      assert.ok(completionScript(shell, root).includes(at), `${shell}: ${at}`);
});
