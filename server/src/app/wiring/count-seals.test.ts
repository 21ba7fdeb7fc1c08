import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openMerchant } from '../../../test-support/open-merchant.ts';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { listSeals } from '../../platform/seals/store.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.close());

test('a command counts what it seals, and a service what it sealed until it stopped', async () => {
  const { running, db } = service;
  const stored = async (): Promise<number> =>
    (await db.read(listSeals)).reduce((sum, { seals }) => sum + seals, 0);
  const before = await stored();
  await openMerchant(running.config);
  const withCommand = await stored();
  assert.ok(withCommand > before, `${before}, then ${withCommand}`);
  await running.close();
  assert.ok((await stored()) > withCommand, 'the secret of an endpoint, at least');
});
