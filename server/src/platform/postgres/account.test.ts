import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidateAccounts, commandAs, unprivilegedUser } from './account.ts';
import { PostgresStartError } from './folder.ts';

const nobody = { uid: 65534, gid: 65534 };

test('an ordinary user runs PostgreSQL as itself', () => {
  const situation = { uid: 1000, named: true, owner: undefined, unprivileged: nobody };
  assert.deepEqual(candidateAccounts(situation), [{ kind: 'self' }]);
  const later = { ...situation, owner: { uid: 1000, gid: 1000 } };
  assert.deepEqual(candidateAccounts(later), [{ kind: 'self' }]);
});

test('a user without a name is given one in a user namespace, as initdb asks for it', () => {
  const situation = { uid: 54321, named: false, owner: undefined, unprivileged: nobody };
  assert.deepEqual(candidateAccounts(situation), [
    { kind: 'namespace', uid: 65534 },
    { kind: 'self' },
  ]);
});

test('root runs PostgreSQL in a user namespace, or else as a user without privileges', () => {
  const situation = { uid: 0, named: true, owner: undefined, unprivileged: nobody };
  const expected = [
    { kind: 'namespace', uid: 65534 },
    { kind: 'user', ...nobody },
  ];
  assert.deepEqual(candidateAccounts(situation), expected);
  assert.deepEqual(candidateAccounts({ ...situation, owner: { uid: 0, gid: 0 } }), expected);
});

test('root runs data that belong to a user as that user', () => {
  const owner = { uid: 1000, gid: 100 };
  assert.deepEqual(candidateAccounts({ uid: 0, named: true, owner, unprivileged: nobody }), [
    { kind: 'user', uid: 1000, gid: 100 },
  ]);
});

test('an ordinary user is told when the data are another user’s', () => {
  const situation = { uid: 1000, named: true, owner: { uid: 0, gid: 0 }, unprivileged: nobody };
  assert.throws(() => candidateAccounts(situation), PostgresStartError);
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
