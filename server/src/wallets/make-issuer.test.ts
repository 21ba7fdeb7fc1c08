import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ISSUER, MODULR } from '../../test-support/settings/issuer.ts';
import { readConfig } from '../platform/config/config.ts';
import { HttpIssuer } from './issuer-http.ts';
import { makeIssuer } from './make-issuer.ts';
import { ModulrIssuer } from './modulr/issuer.ts';

test('makes the connector that the settings name, with the limits of its protocol', async () => {
  for (const [env, connector, hours] of [
    [ISSUER, HttpIssuer, 24],
    [MODULR, ModulrIssuer, 48],
  ] as const) {
    const { issuer: config } = readConfig(env);
    assert.ok(config);
    const issuer = makeIssuer(config);
    assert.ok(issuer instanceof connector);
    assert.equal(issuer.limits.keyLifetime?.total('hours'), hours);
    await issuer.close();
  }
});
