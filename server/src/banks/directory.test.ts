import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSigningKey } from '../sandbox/signing-key.ts';
import { BankDefect } from './bank.ts';
import { bankDirectory } from './directory.ts';
import type { OpenBankingConfig } from './open-banking/config.ts';

const { privateJwk } = await makeSigningKey();

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
  tls: { ca: '', cert: '', key: '' },
  signingJwk: privateJwk,
});

test('the banks are found by id, in the order of the configuration, without asking any of them', async () => {
  const directory = await bankDirectory([configOf('b'), configOf('a')]);
  assert.deepEqual([...directory.banks.keys()], ['b', 'a']);
  assert.equal(directory.banks.get('a')?.name, 'Bank a');
  await directory.close();
});

test('two banks of one id are refused', async () => {
  await assert.rejects(bankDirectory([configOf('a'), configOf('a')]), BankDefect);
});
