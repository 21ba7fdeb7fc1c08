import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../config/roles.ts';
import { shareOut } from './pools.ts';

const share = (roles: readonly Role[], databaseConnections: number, mode: 'live' | 'sandbox') =>
  shareOut({ roles, databaseConnections, mode });

test('requests and collections each have half of the connections of a process that does both', () => {
  assert.deepEqual(share(['api', 'portal', 'engine'], 20, 'live'), { api: 10, engine: 10 });
  assert.deepEqual(share(['api', 'portal'], 20, 'sandbox'), { api: 10, engine: 10 });
});

test('a process with one task gives it most connections', () => {
  assert.deepEqual(share(['engine'], 20, 'live'), { api: 5, engine: 15 });
  assert.deepEqual(share(['api', 'portal'], 20, 'live'), { api: 15, engine: 5 });
});

test('neither pool has less than two connections, and together they have no more than the setting says', () => {
  for (const roles of [['engine'], ['api'], ['api', 'engine']] as const)
    for (let all = 4; all <= 50; all++) {
      const { api, engine } = share(roles, all, 'live');
      assert.ok(api >= 2 && engine >= 2 && api + engine === all, `${roles} ${all}`);
    }
});
