import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidateAccounts, commandAs, unprivilegedUser } from './account.ts';
import { PostgresStartError } from './folder.ts';

const nobody = { uid: 65534, gid: 65534 };

const self = { kind: 'self' };
const otherwise = [
  { kind: 'namespace', ...nobody },
  { kind: 'user', ...nobody },
];

test('an ordinary user runs PostgreSQL as itself', () => {
  assert.deepEqual(candidateAccounts(1000, undefined, nobody)[0], self);
  assert.deepEqual(candidateAccounts(1000, { uid: 1000, gid: 1000 }, nobody)[0], self);
  assert.deepEqual(candidateAccounts(undefined, { uid: 0, gid: 0 }, undefined), [self]);
});

test('who cannot is another user in a user namespace, and root may otherwise run it as a user without privileges', () => {
  assert.deepEqual(candidateAccounts(0, undefined, nobody), [self, ...otherwise]);
  assert.deepEqual(candidateAccounts(0, { uid: 0, gid: 0 }, nobody), [self, ...otherwise]);
});

test('root runs data that belong to a user as that user', () => {
  const owner = { uid: 1000, gid: 100 };
  assert.deepEqual(candidateAccounts(0, owner, nobody), [{ kind: 'user', ...owner }]);
});

test('an ordinary user is told when the data are another user’s', () => {
  assert.throws(() => candidateAccounts(1000, { uid: 0, gid: 0 }, nobody), PostgresStartError);
});

test('the user without privileges is postgres where there is one, else nobody', () => {
  const passwd = [
    'root:x:0:0:root:/root:/bin/bash',
    'daemon:x:1:1::/:',
    'nobody:x:65534:65534::/:',
  ];
  assert.deepEqual(unprivilegedUser(passwd.join('\n')), nobody);
  passwd.push('postgres:x:101:104::/:');
  assert.deepEqual(unprivilegedUser(passwd.join('\n')), { uid: 101, gid: 104 });
  assert.equal(unprivilegedUser('root:x:0:0:root:/root:/bin/bash\n'), undefined);
});

test('settings of the caller’s environment do not reach PostgreSQL', () => {
  process.env.PGPORT = '5432';
  try {
    assert.equal(commandAs({ kind: 'self' }, 'postgres', []).options.env.PGPORT, undefined);
  } finally {
    delete process.env.PGPORT;
  }
});
