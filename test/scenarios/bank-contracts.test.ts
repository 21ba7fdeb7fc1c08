import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { debitsOf, newSchedule, paymentsOf } from './acts.ts';

/** Banks whose contracts take less than the standard allows. */
let service: TestService;

before(async () => {
  service = await startTestService({
    start: '2026-03-20T09:00:00Z',
    merchant: { name: 'Dŵr & “Zoë’s” Gym: 24/7' },
  });
});
after(() => service?.close());

/** Returns the periodic limits of the consent of a schedule. */
async function limitsAtBank(scheduleId: string): Promise<object[]> {
  const row = await service.db.read((tx) =>
    tx.row<{ controlParameters: { periodicLimits: object[] } }>(
      `SELECT control_parameters FROM consents WHERE schedule_id = $1 AND status = 'granted'`,
      [scheduleId],
    ),
  );
  return row?.controlParameters.periodicLimits ?? [];
}

const CASES = [
  { bank: 'northbank', interval: 2, type: 'weekly', period: 'Fortnight', pence: 4999 },
  { bank: 'larkfield', interval: 2, type: 'weekly', period: 'Month', pence: 3 * 4999 },
  { bank: 'larkfield', interval: 6, type: 'monthly', period: 'Year', pence: 2 * 4999 },
  { bank: 'larkfield', interval: 1, type: 'monthly', period: 'Month', pence: 4999 },
  { bank: 'greystone', interval: 1, type: 'monthly', period: 'Month', pence: 4999 },
  { bank: 'whitecliff', interval: 1, type: 'monthly', period: 'Month', pence: 4999 },
  { bank: 'ravenhall', interval: 1, type: 'monthly', period: 'Month', pence: 4999 },
] as const;

for (const { bank, interval, type, period, pence } of CASES)
  test(`every ${interval} of ${type} at ${bank} asks for a limit by the ${period}, and collects under it`, async () => {
    const schedule = await newSchedule(service, {
      frequency: { type, interval },
      reference: "B&B O'Hara 7/1",
    });
    const granted = await service.grant(schedule.id, 'alex', bank);
    assert.equal(granted.schedule_status, 'active');
    assert.deepEqual(await limitsAtBank(schedule.id), [
      { periodType: period, alignment: 'Consent', amountPence: pence },
    ]);
    await service.advance('P70D');
    const payments = await paymentsOf(service, schedule.id);
    assert.ok(payments.length >= (interval === 6 ? 0 : 2), `${payments.length} payments`);
    for (const { id, status } of payments)
      assert.deepEqual([status, await debitsOf(service, id)], ['success', 1]);
    await service.api('PUT', `/api/v1/schedules/${schedule.id}`, { status: 'cancelled' });
  });

test('what was asked for counts for each period that the longer one holds', async () => {
  const schedule = await newSchedule(service, {
    frequency: { type: 'weekly', interval: 2 },
    limits: {
      per_payment: { value: 6000, currency: 'GBP' },
      per_period: { value: 7000, currency: 'GBP' },
    },
  });
  await service.grant(schedule.id, 'alex', 'larkfield');
  assert.deepEqual(await limitsAtBank(schedule.id), [
    { periodType: 'Month', alignment: 'Consent', amountPence: 3 * 7000 },
  ]);
});
