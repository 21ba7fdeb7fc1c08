import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKey } from '../../server/src/merchants/keys/key-service.ts';
import { SCOPES } from '../../server/src/platform/http/calls/access.ts';
import type { List } from '../../server/src/platform/http/lists/page.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { newSchedule } from './acts.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
}
interface Refusal {
  error?: { details?: Record<string, string> };
}

/** Returns the header of a key that may read everything. */
async function wholeKey(): Promise<Record<string, string>> {
  const { platform } = service.running;
  const { secret } = await platform.db.transaction((tx) => {
    const asked = { tx, now: platform.clock.now(), merchantId: service.merchantId };
    const grant = { scopes: SCOPES, madeBy: null, allowedIps: null };
    return createKey(platform, asked, 'whole', 'made for a test', grant);
  });
  return { authorization: `Bearer ${secret}` };
}

test('every list of the API, found in its document, knows its cursors', async () => {
  const key = await wholeKey();
  const read = <T>(path: string) => service.api<T>('GET', path, undefined, key);
  const { id } = await newSchedule(service);
  const { body: document } = await service.api<Document>('GET', '/openapi.json');
  const lists = Object.entries(document.paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'after'))
    .map(([path]) => path.replace('{id}', id));
  assert.ok(lists.length > 10, `${lists}`);
  for (const path of lists) {
    const wrong = await read<Refusal>(`${path}?after=bm90IG91cnM`);
    if (wrong.status === 404) continue; // of another noun than the schedule
    const details = wrong.body.error?.details ?? {};
    assert.deepEqual([wrong.status, Object.keys(details)], [400, ['after']], path);
    const both = await read<Refusal>(`${path}?after=start&offset=1`);
    assert.deepEqual(
      [both.status, Object.keys(both.body.error?.details ?? {})],
      [400, ['offset']],
      path,
    );
    const { status, body } = await read<List<object>>(`${path}?after=start`);
    assert.deepEqual([status, body.total], [200, undefined], path);
  }
});
