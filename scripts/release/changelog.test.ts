import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutChangelog, notesOf } from './changelog.ts';

const INTRODUCTION = '# Changelog\n\nAll notable changes.\n';
const withChanges = (changes: string, before = ''): string =>
  `${INTRODUCTION}\n## [Unreleased]\n\n${changes}\n${before}`;

test('what was unreleased becomes the release, and an empty heading stands above it', () => {
  const cut = cutChangelog(withChanges('### Added\n\n- A thing.'), '0.2.0', '2026-12-01');
  assert.equal(
    cut,
    `${INTRODUCTION}\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A thing.\n`,
  );
});

test('the releases before stay as they are, and the notes of each are found', () => {
  const before = '\n## [0.1.0] - 2026-01-01\n\n- The first.\n';
  const cut = cutChangelog(withChanges('- The second.', before), '0.2.0', '2026-12-01');
  assert.ok(cut.endsWith(before));
  assert.equal(notesOf(cut, '0.2.0'), '- The second.');
  assert.equal(notesOf(cut, '0.1.0'), '- The first.');
  assert.equal(notesOf(cut, '0.3.0'), null);
});

test('with the first release the introduction no longer says that there is none', () => {
  const text = withChanges('- A thing.').replace(
    'changes.\n',
    'changes. There is no release yet: below is what 0.1.0, the first one, holds.\n',
  );
  const cut = cutChangelog(text, '0.2.0', '2026-12-01');
  assert.ok(cut.startsWith(INTRODUCTION), cut);
});

test('whatever the changes are, a cut loses none of their lines, and can be cut again', () => {
  const line = fc
    .stringMatching(/^[-#a-z][a-z #-]{0,30}[a-z]$/)
    .filter((one) => !/^##? /.test(one));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), line, (lines, next) => {
      const changes = lines.join('\n');
      const first = cutChangelog(withChanges(changes), '0.2.0', '2026-12-01');
      assert.equal(notesOf(first, '0.2.0'), changes);
      const more = first.replace('## [Unreleased]\n', `## [Unreleased]\n\n${next}\n`);
      const second = cutChangelog(more, '0.3.0', '2027-01-01');
      assert.equal(notesOf(second, '0.3.0'), next);
      assert.equal(notesOf(second, '0.2.0'), changes);
    }),
  );
});

test('nothing to release, a version that was released, and a missing heading are refused by name', () => {
  const cut = (text: string) => () => cutChangelog(text, '0.2.0', '2026-12-01');
  assert.throws(cut(withChanges('')), /nothing under "\[Unreleased\]"/);
  assert.throws(
    cut(withChanges('- One.', '\n## [0.2.0] - 2026-01-01\n')),
    /release 0\.2\.0 already/,
  );
  assert.throws(cut(INTRODUCTION), /no heading "## \[Unreleased\]"/);
});
