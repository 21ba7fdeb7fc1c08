import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { textOf } from '../../../test-support/documents.ts';
import { makeSigningKey } from '../../sandbox/signing-key.ts';
import { BankEntry, examineBanksFile } from './banks-file.ts';
import { ModulrEntry } from './modulr.ts';
import { TrueLayerEntry } from './truelayer.ts';

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

test('an id that begins as those of the banks behind a connection is refused', () => {
  const file = join(folder, 'begins.json');
  const modulr = { kind: 'modulr', bank_id: 'elm' };
  const entry = {
    base_url: 'https://api.modulrfinance.test/api',
    key_id: 'KEY',
    secret_file: 'key',
    merchant_category_code: '4899',
  };
  const banks = [
    { ...ENTRY, bank_id: 'elm-bank' },
    { ...ENTRY, bank_id: 'elmbank' },
    { ...entry, ...modulr },
    { ...entry, ...modulr, bank_id: 'elm-sandbox' },
  ];
  writeFileSync(file, JSON.stringify({ banks }));
  const { problems } = examineBanksFile({ paymentScheme: 'commercial' }, file);
  assert.deepEqual(
    problems,
    ['elm-bank', 'elm-sandbox'].map(
      (id) =>
        `BANKS_FILE ${file}: ${id} has a bank_id that begins like those behind elm: choose one that does not`,
    ),
  );
});

test('a connection to TrueLayer has the hosts of its environment, and each wrong field is named', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync(join(folder, 'truelayer.pem'), pem);
  writeFileSync(join(folder, 'truelayer.secret'), 'secret\n');
  const entry = {
    kind: 'truelayer',
    bank_id: 'truelayer',
    environment: 'sandbox',
    client_id: 'ours',
    client_secret_file: 'truelayer.secret',
    signing_key_file: 'truelayer.pem',
    signing_kid: 'kid',
    use_case: 'utilities',
  };
  const file = join(folder, 'banks.json');
  const examined = (changes: object) => {
    writeFileSync(file, JSON.stringify({ banks: [{ ...entry, ...changes }] }));
    return examineBanksFile({ paymentScheme: 'commercial' }, file);
  };
  const { truelayer, problems } = examined({});
  assert.deepEqual(problems, []);
  const [config] = truelayer;
  assert.equal(config?.hosts.api, 'https://api.truelayer-sandbox.com/v3');
  assert.equal(config.clientSecret, 'secret');
  assert.deepEqual([config.hasOwnLicence, config.confirmsFunds], [false, true]);
  const live = examined({ environment: 'live', own_licence: true }).truelayer[0];
  assert.equal(live?.hosts.noticeKeys, 'https://webhooks.truelayer.com/.well-known/jwks');
  assert.equal(live.hasOwnLicence, true);
  const wrong: [object, RegExp][] = [
    [{ environment: 'test' }, /environment/],
    [{ use_case: 'gym' }, /use_case/],
    [{ scope: 'payments,more' }, /scope/],
    [{ name: 'TrueLayer' }, /\/banks\/0\/name is no field/],
    [{ client_id: '<client id>' }, /placeholder as client_id/],
    [{ client_secret_file: 'none' }, /client_secret_file: none cannot be read/],
    [{ signing_key_file: 'truelayer.secret' }, /no key in signing_key_file/],
    [{ signing_key_file: 'signing.json' }, /no key in signing_key_file/],
  ];
  for (const [changes, says] of wrong) assert.match(examined(changes).problems.join('\n'), says);
});

test('every field of an entry stands in the guide', () => {
  const guide = textOf('docs/guides/banks.md');
  for (const entry of [BankEntry, ModulrEntry, TrueLayerEntry])
    for (const field of Object.keys(entry.properties))
      assert.ok(guide.includes(`\`${field}\``), field);
});

test('An entry names its scheme, the group that its requests are for, and what the bank refuses to be told', () => {
  const { banks, problems } = examine({
    payment_scheme: 'sweeping',
    request_audience: 'https://group.example',
    scheme: { psu_interaction_types: null },
  });
  assert.deepEqual(problems, []);
  assert.equal(banks[0]?.vrpType, 'UK.OBIE.VRPType.Sweeping');
  assert.equal(banks[0]?.requestAudience, 'https://group.example');
  assert.equal(banks[0]?.scheme?.psuInteractionTypes, null);
});

test('A wrong scheme field is named', () => {
  const cases: [object, RegExp][] = [
    [{ vrp_type: 'Commercial' }, /vrp_type/],
    [{ payment_scheme: 'CVRP1' }, /payment_scheme/],
    [{ payment_scheme: 'sweeping', vrp_type: 'Sweeping' }, /leave out vrp_type/],
    [{ resource_base: 'https://a.example/open-banking/v3.1/pisp' }, /v3\.1: write .* version 4/],
    [{ request_audience: 'group' }, /request_audience: write an address/],
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
