import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTestFiles, isSlow, testFiles } from './files.ts';
import { longestFirst, secondsOf } from './seconds.ts';

test('the longest file is started first; one that never ran counts as most of its folder do', () => {
  const seconds = { 'test/races/a.test.ts': 4, 'server/src/b.test.ts': 90 };
  assert.deepEqual(
    longestFirst(
      [
        'sdk/src/c.test.ts',
        'test/races/a.test.ts',
        'test/browser/d.test.ts',
        'server/src/b.test.ts',
      ],
      seconds,
    ),
    ['server/src/b.test.ts', 'test/browser/d.test.ts', 'test/races/a.test.ts', 'sdk/src/c.test.ts'],
  );
  assert.ok(secondsOf({}, 'test/browser/d.test.ts') > secondsOf({}, 'test/races/a.test.ts'));
  assert.equal(secondsOf({ 'sdk/src/c.test.ts': 0 }, 'sdk/src/c.test.ts'), 0);
});

test('every file is of one suite, and a marked one of the slow suite', () => {
  const all = allTestFiles();
  const [quick, slow] = [testFiles([], 'quick'), testFiles([], 'slow')];
  assert.ok(slow.length > 0 && slow.every(isSlow));
  assert.ok(!quick.some(isSlow));
  const cluster = all.filter((file) => file.startsWith('test/cluster/'));
  assert.deepEqual([...quick, ...slow, ...cluster].sort(), all);
  assert.deepEqual(testFiles(['suite/seconds'], 'quick'), ['scripts/suite/seconds.test.ts']);
});
