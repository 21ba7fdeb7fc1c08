import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODULR } from '../../../test-support/settings/issuer.ts';
import { LIVE, problemsOf } from '../../../test-support/settings/live.ts';
import { readConfig } from './config.ts';
import { enginesFor, enginesOf, operatorPortOf } from './roles.ts';

const GIB = 2 ** 30;

test('auto is one engine for each core but one, as many as memory has room for, and four at most', () => {
  const counts = [1, 2, 3, 4, 5, 64].map((cores) => enginesFor({ cores, memoryBytes: 64 * GIB }));
  assert.deepEqual(counts, [1, 1, 2, 3, 4, 4]);
  const inMemory = [0.25, 0.5, 1, 1.9, 2].map((gib) =>
    enginesFor({ cores: 64, memoryBytes: gib * GIB }),
  );
  assert.deepEqual(inMemory, [1, 1, 2, 3, 4]);
});

test('several engines are of a live service with the role engine, and of nobody else', () => {
  const machine = { cores: 64, memoryBytes: 64 * GIB };
  const v = { MODE: 'live', ROLES: ['engine'], ENGINES: 'auto', OPERATOR_PORT: 4004 } as const;
  assert.deepEqual(enginesOf(v, machine), { count: 4, number: 1 });
  assert.equal(enginesOf({ ...v, ENGINES: 7 }, machine).count, 7);
  assert.equal(enginesOf({ ...v, ENGINES: 7, ROLES: ['api', 'portal'] }, machine).count, 1);
  assert.equal(enginesOf({ ...v, MODE: 'sandbox' }, machine).count, 1);
});

test('the sandbox refuses a second engine, because whoever moves its clock makes the collections', () => {
  assert.equal(readConfig({ ENGINES: '1' }).engines.count, 1);
  assert.match(problemsOf({ ENGINES: '2' }).join(), /^ENGINES must be auto or 1 in the sandbox/);
});

test('each further engine has the next operators’ port, or any free one', () => {
  assert.deepEqual(
    [1, 2, 3].map((number) => operatorPortOf(4006, number)),
    [4006, 4007, 4008],
  );
  assert.equal(operatorPortOf(0, 3), 0);
  const last = { ...LIVE, OPERATOR_PORT: '65533' };
  assert.deepEqual(problemsOf({ ...last, ENGINES: '3' }), []);
  assert.deepEqual(problemsOf({ ...last, ENGINES: '4' }), [
    'OPERATOR_PORT must be at most 65532 with 4 engines, each of which has the next port',
  ]);
});

test('the engines of a process share the requests that Modulr allows it', () => {
  const env = { ...LIVE, ...MODULR, ISSUER_SECRET: LIVE.ISSUER_SECRET, ENGINES: '4' };
  assert.equal(readConfig(env).issuer?.modulr?.requests, 2000);
  assert.equal(readConfig({ ...env, ROLES: 'api' }).issuer?.modulr?.requests, 8000);
});
