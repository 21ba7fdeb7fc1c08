import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { runInPool } from './pool.ts';
import { describeFile, type FileResult, isGood, summarize } from './report.ts';

/** Runs files with these texts in one worker. */
async function runTexts(t: TestContext, texts: readonly string[], signal?: AbortSignal) {
  const folder = mkdtempSync(join(tmpdir(), 'pool-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = texts.map((text, n) => {
    const file = join(folder, `${n}.test.mjs`);
    writeFileSync(file, `import { after, before, test } from 'node:test';\n${text}`);
    return file;
  });
  const results: FileResult[] = [];
  const strays: string[] = [];
  await runInPool(files, {
    processes: 1,
    env: process.env,
    signal: signal ?? new AbortController().signal,
    onFile: (result) => results.push(result),
    onStray: (error) => strays.push(error),
  });
  const said = stripVTControlCharacters(summarize(results, strays, 0));
  const count = (name: string): number => Number(new RegExp(`ℹ ${name} (\\d+)`).exec(said)?.[1]);
  return { results, strays, said, counts: ['tests', 'pass', 'fail', 'cancelled'].map(count) };
}

test('files share a process and its modules, but not their hooks', async (t) => {
  const { results, counts } = await runTexts(t, [
    `globalThis.runs = 0; before(() => { globalThis.runs++; }); after(() => { globalThis.ended = true; });
     test('first', () => {});`,
    `test('second', () => { if (globalThis.runs !== 1 || !globalThis.ended) throw new Error('no'); });`,
  ]);
  assert.deepEqual(results.map(isGood), [true, true]);
  assert.deepEqual(counts, [2, 2, 0, 0]);
});

test('a failure is shown with its file, its place and its error, and does not stop the others', async (t) => {
  const { results, said, counts } = await runTexts(t, [
    `test('outer', async (t) => { await t.test('inner', () => { throw new Error('it broke'); }); });`,
    `test('fine', () => {});`,
  ]);
  assert.deepEqual(results.map(isGood), [false, true]);
  assert.match(
    said,
    /✖ \S*0[.]test[.]mjs .*✖ inner \(\S*0[.]test[.]mjs:2:\d+\)\n +Error: it broke/s,
  );
  assert.doesNotMatch(said, /✖ outer/);
  assert.deepEqual(counts, [3, 1, 2, 0]);
});

test('a file that cannot be loaded, or whose hook fails, is a failure', async (t) => {
  const { results, counts, said } = await runTexts(t, [
    `throw new Error('not loaded');`,
    `before(() => { throw new Error('no ground'); }); test('never', () => {});`,
  ]);
  assert.deepEqual(results.map(isGood), [false, false]);
  assert.match(said, /not loaded.*no ground/s);
  assert.deepEqual(counts, [1, 0, 1, 1]);
});

test('a process that ends is reported, and the next file has a new one', async (t) => {
  const { results, counts } = await runTexts(t, [
    `test('fatal', () => { process.stderr.write('last words'); process.exit(7); });`,
    `test('fine', () => {});`,
  ]);
  assert.deepEqual(results.map(isGood), [false, true]);
  const [first] = results.map((result) => stripVTControlCharacters(describeFile(result, false)));
  assert.match(first ?? '', /last words\n.*Its process ended with exit code 7/);
  assert.deepEqual(counts, [1, 1, 1, 0]);
});

test('an error that no test catches ends its file at once, and the run fails', async (t) => {
  const { results, strays } = await runTexts(t, [
    `test('waits', () => new Promise(() => { setInterval(() => { throw new Error('uncaught'); }, 20); }));`,
    `test('never', async () => {
       Promise.reject(new Error('unseen'));
       await new Promise(() => { setInterval(() => {}, 1000); });
     });`,
    `test('outer', async () => { await null; await test('inner', () => {}); });`,
    `test('fine', () => {});`,
  ]);
  assert.deepEqual(results.map(isGood), [false, false, false, true]);
  const said = strays.map((stray) => /\d\.test\.mjs: Error: .*/.exec(stray)?.[0]);
  assert.deepEqual(said, [
    '0.test.mjs: Error: uncaught',
    '1.test.mjs: Error: unseen',
    '2.test.mjs: Error: "inner" begins when its file has been loaded; in a test, use t.test',
  ]);
});

test('what fails when its file is over fails the run, and no other file', async (t) => {
  const { results, strays } = await runTexts(t, [
    `test('early', () => { setTimeout(() => { throw new Error('late'); }, 50); });`,
    `test('later', () => new Promise((done) => setTimeout(done, 500)));`,
  ]);
  assert.deepEqual(results.map(isGood), [true, true]);
  assert.match(strays.join(), /^\S*0\.test\.mjs: Error: late\n/);
});

test('an interrupted run names the file that it was at, and begins no other', async (t) => {
  const interrupted = new AbortController();
  setTimeout(() => interrupted.abort(), 1_500);
  const { results } = await runTexts(
    t,
    [`test('endless', () => new Promise(() => { setInterval(() => {}, 1000); }));`, ''],
    interrupted.signal,
  );
  assert.deepEqual(
    results.map(({ broken }) => broken),
    ['Interrupted'],
  );
});
