import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { listSeals } from '../../platform/seals/store.ts';
import { createMerchantCommand } from '../cli/session/offline.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.close());

const MERCHANT = {
  name: 'Hill Gym',
  email: 'hello@hill.example',
  website: 'https://hill.example',
  address: '2 High Street, Leeds LS1 1AA',
  terms: 'Membership runs until it is cancelled.',
  sortCode: '089999',
  accountNumber: '66374958',
};

test('a command counts what it seals, and a service what it sealed until it stopped', async () => {
  const { running, db } = service;
  const stored = async (): Promise<number> =>
    (await db.read(listSeals)).reduce((sum, { seals }) => sum + seals, 0);
  const before = await stored();
  await createMerchantCommand(running.config, MERCHANT);
  const withCommand = await stored();
  assert.ok(withCommand > before, `${before}, then ${withCommand}`);
  await running.close();
  assert.ok((await stored()) > withCommand, 'the secret of an endpoint, at least');
});
