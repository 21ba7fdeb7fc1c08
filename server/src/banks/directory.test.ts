import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAKE_KEY, FakeModulr } from '../../test-support/modulr/fake-modulr.ts';
import { openTrueLayerBench } from '../../test-support/truelayer/bench.ts';
import { issueCertificates } from '../sandbox/certificate-authority.ts';
import { makeSigningKey } from '../sandbox/signing-key.ts';
import { type Bank, BankDefect } from './bank.ts';
import { bankDirectory } from './directory.ts';
import type { ModulrConfig } from './modulr/config.ts';
import type { OpenBankingConfig } from './open-banking/config.ts';

const { privateJwk } = await makeSigningKey();
const { authority, client } = await issueCertificates(Temporal.Now.instant());

const configOf = (bankId: string): OpenBankingConfig => ({
  bankId,
  name: `Bank ${bankId}`,
  issuer: 'https://bank.test',
  resourceBase: 'https://bank.test/pisp',
  clientId: 'client-1',
  orgId: 'org-tpp',
  softwareId: 'software-1',
  bankOrgId: 'org-bank',
  bankJwksUri: 'https://bank.test/jwks',
  vrpType: 'UK.OBIE.VRPType.CVRP1',
  tls: { ca: authority, cert: client.certificate, key: client.key },
  signingJwk: privateJwk,
});

const modulrAt = (baseUrl: string): ModulrConfig => ({
  ...FAKE_KEY,
  bankId: 'modulr',
  baseUrl,
  vrpType: 'UK.OBIE.VRPType.CVRP1',
  merchantCategoryCode: '4899',
  confirmsFunds: true,
  requests: 8000,
  sandbox: true,
});

test('the banks are found by id, in the order of the configuration, without asking any of them', async () => {
  const directory = await bankDirectory({
    direct: [configOf('b'), configOf('a')],
    modulr: [],
    truelayer: [],
  });
  assert.deepEqual([...directory.banks.keys()], ['b', 'a']);
  assert.equal(directory.banks.get('a')?.name, 'Bank a');
  await directory.close();
});

test('two banks of one id are refused', async () => {
  await assert.rejects(
    bankDirectory({ direct: [configOf('a'), configOf('a')], modulr: [], truelayer: [] }),
    BankDefect,
  );
});

test('no id may begin as the ids of the banks behind a connection do', async () => {
  const modulr = modulrAt('https://modulr.test');
  for (const bankId of ['modulr-elm', 'modulr-'])
    for (const also of [
      { direct: [configOf(bankId)], modulr: [modulr] },
      { direct: [], modulr: [{ ...modulr, bankId }, modulr] },
    ])
      await assert.rejects(
        bankDirectory({ ...also, truelayer: [] }),
        (error) => error instanceof BankDefect && /behind modulr:/.test(error.message),
      );
  const near = await bankDirectory({
    direct: [configOf('modulr2'), configOf('modul-r')],
    modulr: [modulr],
    truelayer: [],
  });
  await near.close();
});

test('the banks that Modulr lists as open are offered, and every other one is found by its id', async (t) => {
  const fake = new FakeModulr(Temporal.Now.instant);
  const modulr = modulrAt(await fake.start());
  const wrapped: string[] = [];
  const wrap = (bank: Bank): Bank => {
    wrapped.push(bank.bankId);
    return bank;
  };
  const directory = await bankDirectory(
    { direct: [configOf('a')], modulr: [modulr], truelayer: [] },
    { wrap },
  );
  t.after(async () => {
    await directory.close();
    await fake.close();
  });
  const { banks } = directory;
  assert.equal(banks.get('modulr-H210000043')?.name, 'H210000043', 'before any list');
  const failed: unknown[] = [];
  await directory.keepListed((connection, error) => failed.push(connection, error));
  assert.deepEqual(failed, []);
  assert.deepEqual([...banks.keys()], ['a', 'modulr-H210000044', 'modulr-H210000043']);
  assert.equal(banks.get('modulr-H210000043')?.name, 'Sandbox Bank');
  assert.equal(banks.get('modulr-H210000045')?.name, 'Closed Bank', 'its consents go on');
  assert.equal(banks.get('elsewhere-H210000043'), undefined);
  assert.ok(wrapped.includes('modulr-H210000044'), 'each connector is measured');
});

test('behind TrueLayer each bank has its id, and the connection itself takes the notices', async (t) => {
  const { config: truelayer, close } = await openTrueLayerBench(Temporal.Now.instant);
  const directory = await bankDirectory({ direct: [], modulr: [], truelayer: [truelayer] });
  t.after(async () => {
    await directory.close();
    await close();
  });
  await directory.keepListed((_connection, error) => assert.ifError(error));
  const { banks } = directory;
  assert.deepEqual([...banks.keys()], ['truelayer-ob-alder', 'truelayer-ob-rowan']);
  assert.deepEqual([...directory.receivers.keys()], ['truelayer']);
  assert.equal(banks.get('truelayer'), undefined, 'no bank: nobody agrees to anything there');
  assert.equal(banks.get('truelayer-ob-ill')?.name, 'Ill Bank', 'its consents go on');
});

test('a list that cannot be read is reported, and the service starts without it', async (t) => {
  const fake = new FakeModulr(Temporal.Now.instant);
  const baseUrl = await fake.start();
  fake.isDown = () => true;
  const modulr = modulrAt(baseUrl);
  const directory = await bankDirectory({ direct: [], modulr: [modulr], truelayer: [] });
  t.after(async () => {
    await directory.close();
    await fake.close();
  });
  const failed: string[] = [];
  await directory.keepListed((connection) => failed.push(connection));
  assert.deepEqual([failed, [...directory.banks.keys()]], [['modulr'], []]);
});
