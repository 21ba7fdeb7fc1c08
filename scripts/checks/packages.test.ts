import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Lock, licencesPage, packageProblems } from './packages.ts';

const SOUND = {
  version: '1.0.0',
  resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz',
  integrity: 'sha512-AA==',
  license: 'MIT',
};

const lockOf = (fields: object): Lock => ({
  packages: {
    '': { version: '0.1.0' },
    server: { version: '0.1.0' },
    'node_modules/@recollect/server': { version: '', link: true },
    'node_modules/a': { ...SOUND, ...fields },
  },
});
const problems = (fields: object): string[] => packageProblems(lockOf(fields));

test('packages: a package of the registry with integrity and a permitted licence passes', () => {
  assert.deepEqual(problems({}), []);
  assert.deepEqual(problems({ license: '(GPL-3.0 OR MIT)' }), []);
  assert.deepEqual(problems({ license: 'MPL-2.0', dev: true }), []);
});

test('packages: one without integrity, from elsewhere or under another licence is found', () => {
  const found = (fields: object, says: RegExp): void => {
    const [first = '', ...others] = problems(fields);
    assert.match(first, says);
    assert.deepEqual(others, []);
  };
  found({ integrity: undefined }, /node_modules\/a has no integrity/);
  found({ integrity: 'sha1-AA==' }, /has no integrity/);
  found({ resolved: 'git+ssh://git@github.com/a/a.git' }, /not from the registry/);
  found({ license: undefined }, /licence none/);
  found({ license: 'MPL-2.0' }, /licence MPL-2\.0/);
  const builds = { packages: { 'node_modules/lightningcss': { ...SOUND, license: 'MPL-2.0' } } };
  assert.deepEqual(packageProblems(builds), []);
  found({ license: '(MIT AND GPL-3.0)' }, /not permitted/);
});

test('packages: the page lists what is shipped, by licence', () => {
  assert.match(licencesPage(lockOf({})), /\n## MIT\n\n- a 1\.0\.0\n/);
  assert.doesNotMatch(licencesPage(lockOf({ dev: true })), /a 1\.0\.0/);
});
