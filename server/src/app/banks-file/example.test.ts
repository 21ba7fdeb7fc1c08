import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import { blocksOf } from '../../../test-support/documents.ts';
import { checkConfig } from '../../banks/open-banking/config.ts';
import { readConfig } from '../../platform/config/config.ts';
import { readBanksFile } from './banks-file.ts';

const GUIDE = new URL('../../../../docs/guides/banks.md', import.meta.url);

let guide: string;

before(async () => {
  guide = await readFile(GUIDE, 'utf8');
});

test('the example of the banks’ file is read as it stands', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-banks-'));
  t.after(() => rm(folder, { recursive: true }));
  const { privateKey } = await generateKeyPair('PS256', { extractable: true });
  await mkdir(join(folder, 'fernbank'));
  const files = { 'ca.pem': 'CA', 'transport.pem': 'CERT', 'transport.key': 'KEY' };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, 'fernbank', name), text);
  const jwk = { ...(await exportJWK(privateKey)), kid: 'our-key' };
  await writeFile(join(folder, 'fernbank', 'signing.jwk.json'), JSON.stringify(jwk));
  const [example = ''] = blocksOf(guide, 'json');
  await writeFile(join(folder, 'banks.json'), example);

  const { direct: banks } = readBanksFile(readConfig({}), join(folder, 'banks.json'));
  assert.equal(banks.length, 1);
  for (const bank of banks) checkConfig(bank);
  assert.deepEqual(banks[0]?.tls, { ca: 'CA', cert: 'CERT', key: 'KEY' });
  assert.equal(banks[0]?.signingJwk.kid, 'our-key');
  assert.equal(banks[0]?.vrpType, 'UK.OBIE.VRPType.CVRP1');
});

test('an error in a banks’ file names path and field', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-banks-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'banks.json');
  const example = JSON.parse(blocksOf(guide, 'json')[0] ?? '') as {
    banks: Record<string, unknown>[];
  };
  const [bank = {}] = example.banks;
  const refused = async (content: string, message: RegExp): Promise<void> => {
    await writeFile(path, content);
    assert.throws(() => readBanksFile(readConfig({}), path), { name: 'ConfigError', message });
  };
  await refused('not json', /BANKS_FILE .* cannot be read/);
  await refused('{"banks":[]}', /\/banks /);
  await refused(
    JSON.stringify({ banks: [{ ...bank, bank_id: 'Fern Bank' }] }),
    /\/banks\/0\/bank_id/,
  );
  const { issuer: _issuer, ...without } = bank;
  await refused(JSON.stringify({ banks: [without] }), /issuer/);
  await refused(JSON.stringify(example), /ca\.pem cannot be read/);
  assert.throws(() => readBanksFile(readConfig({}), join(folder, 'none.json')), /none\.json/);
});

test('every field of the banks’ file has its line', () => {
  const example = JSON.parse(blocksOf(guide, 'json')[0] ?? '') as {
    banks: Record<string, unknown>[];
  };
  const [, table = ''] = guide.split('\n| field | what it is |');
  const [lines = ''] = table.split('\n\n');
  for (const field of Object.keys(example.banks[0] ?? {}))
    assert.ok(lines.includes(`\`${field}\``), field);
});
