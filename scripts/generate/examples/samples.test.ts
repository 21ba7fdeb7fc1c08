import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, type TestOptions, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkTypes } from '../../../sdk/test-support/project.ts';
import { readExamples } from '../../../server/src/platform/http/openapi/examples.ts';
import { JSON_TEXT, PHP, PYTHON, TYPESCRIPT, written } from './literals.ts';

// C# is checked by no compiler: its SDK is as large as everything else together.
const run = promisify(execFile);
const { samples } = readExamples();

/** Where a program is not installed, the test of its language is left out: says why. */
function needs(program: string, ...args: readonly string[]): TestOptions {
  const skip = spawnSync(program, args).status === 0 ? false : `${program} is not installed`;
  return { skip };
}

/** Writes the samples of a language into a folder, and returns it with the names of the files. */
function sampleFiles(t: TestContext, label: string, ending: string): [string, string[]] {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-samples-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const names = Object.entries(samples).map(([operationId, own]) => {
    const { source = '' } = own.find((one) => one.label === label) ?? {};
    assert.notEqual(source, '', `${operationId} in ${label}`);
    const name = `${operationId}${ending}`;
    // A folder may have one class of a name.
    writeFileSync(join(folder, name), source.replace('class Main', `class ${operationId}`));
    return name;
  });
  assert.ok(names.length > 50);
  return [folder, names];
}

test('the samples in TypeScript have the types of the SDK', async (t) => {
  const [folder, files] = sampleFiles(t, 'TypeScript', '.ts');
  mkdirSync(join(folder, 'node_modules/@recollect'), { recursive: true });
  const sdk = fileURLToPath(new URL('../../../sdk', import.meta.url));
  symlinkSync(sdk, join(folder, 'node_modules/@recollect/sdk'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await checkTypes(folder, files);
});

test('the samples in Python compile', needs('python3', '-V'), async (t) => {
  const [cwd, files] = sampleFiles(t, 'Python', '.py');
  await run('python3', ['-m', 'py_compile', ...files], { cwd });
});

test('the samples in PHP parse', needs('php', '-v'), async (t) => {
  const [cwd, files] = sampleFiles(t, 'PHP', '.php');
  // As `php -l` does, of all files in one process.
  const code =
    'foreach (array_slice($argv, 1) as $file) token_get_all(file_get_contents($file), TOKEN_PARSE);';
  await run('php', ['-r', code, ...files], { cwd });
});

test('the samples in Java compile', needs('javac', '-version'), async (t) => {
  const [cwd, files] = sampleFiles(t, 'Java', '.java');
  await run('javac', ['-d', 'classes', ...files], { cwd });
});

test('the samples in Go are as gofmt writes them', needs('gofmt', '-h'), async (t) => {
  const [cwd, files] = sampleFiles(t, 'Go', '.go');
  const { stdout } = await run('gofmt', ['-l', ...files], { cwd });
  assert.equal(stdout, '');
});

test('the samples for curl are shell', needs('bash', '--version'), async (t) => {
  const [cwd, files] = sampleFiles(t, 'curl', '.sh');
  for (const file of files) await run('bash', ['-n', file], { cwd });
});

test('a value is written in each language, on one line where it fits', () => {
  const value = { 'a-b': "it's\n", yes: true, none: null, list: [1] };
  assert.equal(
    written(value, TYPESCRIPT),
    "{ 'a-b': 'it\\'s\\n', yes: true, none: null, list: [1] }",
  );
  assert.equal(
    written(value, PYTHON),
    '{"a-b": "it\'s\\n", "yes": True, "none": None, "list": [1]}',
  );
  assert.equal(
    written(value, PHP),
    "['a-b' => \"it's\\n\", 'yes' => true, 'none' => null, 'list' => [1]]",
  );
  const long = { text: 'x'.repeat(60), more: { text: 'y'.repeat(30) } };
  assert.deepEqual(JSON.parse(written(long, JSON_TEXT)), long);
  assert.match(
    written(long, JSON_TEXT),
    /^\{\n {2}"text": "x+",\n {2}"more": \{ "text": "y+" \}\n\}$/,
  );
});
