import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { until } from '../../server/test-support/until.ts';
import { grantedSchedule } from './acts.ts';

interface ShownBank {
  bank_id: string;
  name: string;
  condition: string;
  since: string | null;
  stopped: boolean;
  operations: { operation: string; condition: string; since: string | null }[];
}

let service: TestService;
before(async () => {
  service = await startTestService();
  for (const name of ['alex', 'alex', 'alex']) await grantedSchedule(service, name);
  await service.advance('2026-01-31T20:00:00Z');
});
after(() => service?.close());

/** Returns what the API shows of northbank. */
async function northbank(): Promise<ShownBank> {
  const { status, body } = await service.api<{ data: ShownBank[] }>('GET', '/api/v1/banks');
  assert.equal(status, 200);
  return body.data.find(({ bank_id: id }) => id === 'northbank') ?? assert.fail('no northbank');
}

const becomes = (condition: string): Promise<void> =>
  until(`northbank is ${condition}`, async () => (await northbank()).condition === condition);

test('a bank that answers is operational, and a refusal is an answer', async () => {
  const bank = await northbank();
  assert.deepEqual([bank.name, bank.condition, bank.stopped], ['Northbank', 'operational', false]);
  await until('calls are stored', async () => (await northbank()).since !== null);
});

test('a bank that is away is down since its first failure, though our tokens for it are stored', async () => {
  await service.api('PUT', '/sandbox/banks/northbank', { behaviours: ['unavailable'] });
  await service.advance('2026-02-01T09:30:00Z');
  await becomes('down');
  const { since, operations } = await northbank();
  assert.match(since ?? '', /^2026-02-01T/);
  const funds = operations.find(({ operation }) => operation === 'funds');
  assert.deepEqual([funds?.condition, funds?.since], ['down', since]);
});

test('it is operational again once it answers', async () => {
  await service.api('PUT', '/sandbox/banks/northbank', { behaviours: [] });
  await service.advance('2026-02-02T09:30:00Z');
  await becomes('operational');
});
