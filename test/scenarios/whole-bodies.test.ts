import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule } from './acts.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Shown {
  description: string;
  start_date: string;
  end_date: string;
  error?: { details: Record<string, string> };
}

test('a whole body can be sent again after its start and its end, and what it changes is judged', async () => {
  const from = service.now();
  const at = (days: number): string => from.add({ hours: 24 * days }).toString();
  const dates = { start_date: at(2), end_date: at(40) };
  const { id } = await grantedSchedule(service, 'alex', dates);
  const put = (path: string, body: object) => service.api<Shown>('PUT', path, body);
  const path = `/api/v1/schedules/${id}`;
  for (const [time, description] of [
    ['P4D', 'After the start'],
    ['P45D', 'After the end'],
  ] as const) {
    await service.advance(time);
    const { status, body } = await put(path, { ...dates, description });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.description, description);
  }
  for (const changed of [{ start_date: at(1) }, { end_date: at(39) }]) {
    const { status, body } = await put(path, { ...dates, ...changed });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.error?.details ?? {}), Object.keys(changed));
  }
});
