import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OwnPlatform, ownPlatform } from '../../../test-support/slices/platform.ts';
import type { Work } from '../../platform/platform.ts';
import { isNewcomer } from '../../platform/two-people/pair.ts';
import { onHost, personOf } from './acting.ts';
import { createOperator, isBeginning, makeKeyAtBeginning } from './service.ts';

let platform: OwnPlatform;
before(async () => {
  platform = await ownPlatform();
});
after(() => platform.drop());

const SSO = {
  issuer: 'https://id.example',
  clientId: 'console',
  clientSecret: 'secret',
  consoleUrl: 'https://console.example',
};

const work = <T>(body: (work: Work) => Promise<T>): Promise<T> =>
  platform.db.transaction((tx) => body({ platform, tx, now: platform.clock.now() }));

const told = () =>
  platform.db.read((tx) => tx.rows('SELECT FROM operator_notices')).then((rows) => rows.length);

test('a key that the shell shows for an operator who is there makes them a newcomer, and security hears of it', async () => {
  const { operator } = await work((w) => createOperator(w, 'Ann Ash', 'root'));
  const person = () => work((w) => personOf(w.tx, { id: operator.operatorId, name: 'Ann Ash' }));
  assert.equal(isNewcomer(await person(), platform.clock.now()), false);
  const before = await told();
  await work((w) => makeKeyAtBeginning(w, onHost('mallory'), operator.operatorId, 'again'));
  const now = await person();
  assert.equal(isNewcomer(now, platform.clock.now()), true);
  assert.ok(now.letInBy.has('shell:mallory'));
  assert.ok((await told()) > before);
});

test('an address is a way in only where there is an identity provider', async () => {
  await work((w) => createOperator(w, 'Bob Elm', 'root', { email: 'bob@fern.example' }));
  await work((w) => createOperator(w, 'Cid Oak', 'root', { email: 'cid@fern.example' }));
  assert.equal(await work(isBeginning), false);
  // Not just now: the clock of this process has whole milliseconds, and may lie before the database's.
  await platform.db.transaction((tx) =>
    tx.run("UPDATE operator_keys SET expires_at = now() - interval '1 second'"),
  );
  assert.equal(await work(isBeginning), true, 'nobody can come in');
  const { consoleSignIn } = platform.config;
  Object.assign(platform.config, { consoleSignIn: { ...consoleSignIn, sso: SSO } });
  assert.equal(await work(isBeginning), false);
  Object.assign(platform.config, { consoleSignIn });
});
