import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropForeignEnvironment } from './foreign-environment.ts';

test('what the machine has for other programs is dropped, and our settings are not', () => {
  const ours = {
    DATABASE_URL: 'postgres://x',
    PORT: '1',
    NODE_EXTRA_CA_CERTS: '/ca',
    NODE_OPTIONS: '',
  };
  const env: Record<string, string | undefined> = {
    ...ours,
    PGSSLMODE: 'require',
    PGOPTIONS: '-c x=y',
    PGHOST: 'elsewhere',
    HTTPS_PROXY: 'http://proxy',
    http_proxy: 'http://proxy',
    NO_PROXY: '*',
    NODE_USE_ENV_PROXY: '1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  dropForeignEnvironment(env);
  assert.deepEqual(env, ours);
});
