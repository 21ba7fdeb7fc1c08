import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { operatorKey, serviceUrl } from './access.ts';

const folder = mkdtempSync(join(tmpdir(), 'recollect-access-'));
after(() => rmSync(folder, { recursive: true }));

const sandbox = { operator_url: 'http://127.0.0.1:4999', operator_key: 'ro_test_sandbox' };
writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandbox));
const none = { DATA_DIR: join(folder, 'none') };

test('the service is where the setting says, else the sandbox of this folder, else on this machine’s port', () => {
  const url = 'https://ops.example/recollect/';
  assert.equal(serviceUrl({ RECOLLECT_OPERATOR_URL: url }), 'https://ops.example/recollect');
  assert.equal(serviceUrl({ DATA_DIR: folder }), 'http://127.0.0.1:4999');
  assert.equal(serviceUrl({ DATA_DIR: folder, MODE: 'live' }), 'http://127.0.0.1:4004');
  const everywhere = { ...none, OPERATOR_HOST: '0.0.0.0', OPERATOR_PORT: '4010' };
  assert.equal(serviceUrl(everywhere), 'http://127.0.0.1:4010');
  assert.throws(() => serviceUrl({ ...none, OPERATOR_PORT: 'x' }), /^ConfigError: OPERATOR_PORT /);
});

test('no key goes over plain http to another machine', () => {
  for (const url of ['http://ops.example', 'http://192.0.2.7:4004', 'ftp://127.0.0.1', 'nowhere'])
    assert.throws(() => serviceUrl({ RECOLLECT_OPERATOR_URL: url }), /must be https:/, url);
  for (const url of ['http://127.0.0.1:4004', 'http://[::1]:4004', 'http://localhost:1'])
    assert.equal(serviceUrl({ RECOLLECT_OPERATOR_URL: url }), url);
  assert.throws(() => serviceUrl({ ...none, OPERATOR_HOST: '192.0.2.7' }), /must be https:/);
});

test('the key of a file counts before that of the environment, and both before the sandbox’s', () => {
  const file = join(folder, 'key');
  writeFileSync(file, ' ro_test_file\n');
  const env = { DATA_DIR: folder, RECOLLECT_OPERATOR_KEY: 'ro_test_env' };
  assert.equal(operatorKey(env, file), 'ro_test_file');
  assert.equal(operatorKey({ ...env, RECOLLECT_OPERATOR_KEY_FILE: file }), 'ro_test_file');
  assert.equal(operatorKey(env), 'ro_test_env');
  assert.equal(operatorKey({ DATA_DIR: folder }), 'ro_test_sandbox');
  for (const without of [{ DATA_DIR: folder, MODE: 'live' }, none])
    assert.throws(() => operatorKey(without), /^ConfigError: your key says who you are/);
});
