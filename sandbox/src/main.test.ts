import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type Bench, startBench } from '../test-support/bank/bench.ts';

let bench: Bench;
let configFile: string;

before(async () => {
  bench = await startBench();
  configFile = join(bench.config.data_dir, 'config.json');
});

after(() => bench.stop());

/** Starts the program with the bench's configuration and `changes`, on its own ports and data. */
function start(changes: object): ChildProcess {
  writeFileSync(configFile, JSON.stringify({ ...bench.config, ...changes }));
  const program = join(import.meta.dirname, 'main.ts');
  return spawn(process.execPath, [program, 'bank', '--config', configFile]);
}

const OWN = () => ({
  data_dir: join(bench.config.data_dir, 'own'),
  back_channel: { port: 0 },
  pages: { port: 0 },
  exit_with_parent: true,
});

async function firstLine(child: ChildProcess): Promise<unknown> {
  assert.ok(child.stdout);
  const [chunk] = await once(child.stdout, 'data');
  return JSON.parse(String(chunk));
}

test('The bank says when it is ready and stops cleanly when told to', async () => {
  const child = start(OWN());
  const line = await firstLine(child);
  assert.equal((line as { ready: boolean }).ready, true);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('The bank goes when its parent does', async () => {
  const child = start(OWN());
  await firstLine(child);
  child.stdin?.end();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('A port in use is one clear line, which port it is stands there for programs too, and exit code 1', async () => {
  const child = start({ ...OWN(), pages: bench.config.pages });
  assert.ok(child.stdout && child.stderr);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  assert.equal(code, 1);
  const { port } = bench.config.pages;
  assert.equal(stderr, `Port ${port} (pages of the sandbox bank) is in use\n`);
  assert.deepEqual(JSON.parse(stdout), { ready: false, port_taken: port });
});
