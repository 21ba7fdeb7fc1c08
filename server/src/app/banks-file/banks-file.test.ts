import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { textOf } from '../../../test-support/documents.ts';
import { makeSigningKey } from '../../sandbox/signing-key.ts';
import { BankEntry, examineBanksFile } from './banks-file.ts';
import { ModulrEntry } from './modulr.ts';

const folder = mkdtempSync(join(tmpdir(), 'recollect-banks-file-'));
after(() => rmSync(folder, { recursive: true }));
const { privateJwk } = await makeSigningKey();
for (const name of ['ca', 'cert', 'key', 'token']) writeFileSync(join(folder, name), `${name}\n`);
writeFileSync(join(folder, 'signing.json'), JSON.stringify(privateJwk));

const ENTRY = {
  bank_id: 'fernbank',
  name: 'Fern Bank',
  issuer: 'https://auth.fernbank.test',
  resource_base: 'https://api.fernbank.test/open-banking/v4.0/pisp',
  client_id: 'ours',
  org_id: 'org',
  software_id: 'software',
  bank_org_id: 'bankorg',
  bank_jwks_uri: 'https://keys.fernbank.test/jwks',
  tls: { ca: 'ca', cert: 'cert', key: 'key' },
  signing_jwk: 'signing.json',
};

function examine(changes: object) {
  const file = join(folder, 'banks.json');
  const { signing_jwk, ...rest } = { ...ENTRY, ...changes };
  const entry = signing_jwk === null ? rest : { ...rest, signing_jwk };
  writeFileSync(file, JSON.stringify({ banks: [entry] }));
  return examineBanksFile({ paymentScheme: 'commercial' }, file);
}

test('A bank has its own VRP type and scheme fields; what is absent is as for every bank', () => {
  const [plain] = examine({}).banks;
  assert.equal(plain?.vrpType, 'UK.OBIE.VRPType.CVRP1');
  assert.equal(plain?.scheme, undefined);
  const scheme = {
    psu_authentication_methods: ['UK.OBIE.SCANotRequired', 'UK.OBIE.SCA'],
    local_instrument: null,
  };
  const { banks, problems } = examine({ vrp_type: 'CVRP2', scheme });
  assert.deepEqual(problems, []);
  assert.equal(banks[0]?.vrpType, 'UK.OBIE.VRPType.CVRP2');
  assert.deepEqual(banks[0]?.scheme, {
    psuAuthenticationMethods: ['UK.OBIE.SCANotRequired', 'UK.OBIE.SCA'],
    psuInteractionTypes: ['OffSession'],
    localInstrument: null,
  });
});

test('A field that a bank, or what stands around it, does not have is refused by its name', () => {
  const misspelt: [object, RegExp][] = [
    [{ token_auht: 'tls_client_auth' }, /\/banks\/0\/token_auht is no field/],
    [{ tls: { ...ENTRY.tls, crl: 'x' } }, /\/banks\/0\/tls\/crl is no field/],
    [{ kind: 'modulr', name: 'Modulr' }, /\/banks\/0\/name is no field/],
  ];
  for (const [changes, says] of misspelt) assert.match(examine(changes).problems.join('\n'), says);
  const file = join(folder, 'banks.json');
  writeFileSync(file, JSON.stringify({ banks: [ENTRY], bank: [] }));
  assert.match(
    examineBanksFile({ paymentScheme: 'commercial' }, file).problems.join(),
    /json: \/bank is no field/,
  );
});

test('the engines of a process share the requests that Modulr allows for banks', () => {
  const file = join(folder, 'banks.json');
  const entry = {
    kind: 'modulr',
    bank_id: 'modulr',
    base_url: 'https://api.modulrfinance.test/api',
    key_id: 'KEY1',
    secret_file: 'secret',
    merchant_category_code: '4899',
  };
  writeFileSync(file, JSON.stringify({ banks: [entry] }));
  const requestsOf = (count: number) =>
    examineBanksFile({ paymentScheme: 'commercial', engines: { count, number: 1 } }, file).modulr[0]
      ?.requests;
  assert.deepEqual([1, 3].map(requestsOf), [4000, 1333]);
});

test('every field of an entry stands in the guide', () => {
  const guide = textOf('docs/guides/banks.md');
  for (const entry of [BankEntry, ModulrEntry])
    for (const field of Object.keys(entry.properties))
      assert.ok(guide.includes(`\`${field}\``), field);
});

test('A wrong scheme field is named', () => {
  const cases: [object, RegExp][] = [
    [{ vrp_type: 'Commercial' }, /vrp_type/],
    [{ scheme: { local_instrument: 'UK.OBIE.CHAPS' } }, /local_instrument/],
    [{ scheme: { psu_authentication_methods: ['UK.OBIE.SCA'] } }, /add it, because nobody/],
    [{ scheme: { psu_authentication_methods: [] } }, /psu_authentication_methods/],
    [{ scheme: { psu_authentication_methods: ['SCA'] } }, /psu_authentication_methods/],
    [{ scheme: { psu_interaction_types: ['InSession'] } }, /scheme.psu_interaction_types/],
    [{ scheme: { local_instruments: null } }, /scheme.*additional|local_instruments/],
  ];
  for (const [changes, says] of cases) assert.match(examine(changes).problems.join('\n'), says);
});

test('A key comes from a file or from a signing service, never from both or neither', () => {
  const service = { url: 'unix:/run/signer.sock', kid: 'our-key', token_file: 'token' };
  const { banks, problems } = examine({ signing_jwk: null, signing_service: service });
  assert.deepEqual(problems, []);
  assert.deepEqual(banks[0]?.signingService, {
    url: 'unix:/run/signer.sock',
    kid: 'our-key',
    token: 'token',
  });
  assert.match(examine({ signing_service: service }).problems.join(), /one of them, and not both/);
  assert.match(examine({ signing_jwk: null }).problems.join(), /one of them, and not both/);
  for (const url of ['http://signer.example/sign', 'unix:', 'signer', 'ftp://127.0.0.1'])
    assert.match(
      examine({ signing_jwk: null, signing_service: { ...service, url } }).problems.join(),
      /signing_service.url/,
    );
});
