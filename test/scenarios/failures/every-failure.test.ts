// Slow: performs every row of a guide, some of them over days.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { startTestService, type TestService } from '../../../server/test-support/service.ts';
import { CUSTOMERS } from './customers.ts';
import { MERCHANTS } from './merchants.ts';

const GUIDE = new URL('../../../docs/guides/test-every-failure.md', import.meta.url);
/** The rows of this table are performed by payee-check.test.ts. */
const ELSEWHERE = 'The name on a settlement account';
const ACTS = { ...CUSTOMERS, ...MERCHANTS };

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

/** Returns the first cell of every row, by the heading of its table. */
async function readRows(): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  let heading = '';
  for (const line of (await readFile(GUIDE, 'utf8')).split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3);
    const [, first] = /^\| (.+?) \| /.exec(line) ?? [];
    if (first === undefined || /^(do this|log in as|account number)$/.test(first)) continue;
    tables.set(heading, [...(tables.get(heading) ?? []), first]);
  }
  return tables;
}

test('each row of the guide is performed here, and each act here is a row of the guide', async () => {
  const rows = await readRows();
  assert.ok(rows.delete(ELSEWHERE));
  assert.deepEqual(
    Object.fromEntries(rows),
    Object.fromEntries(Object.entries(ACTS).map(([heading, acts]) => [heading, Object.keys(acts)])),
  );
});

for (const [heading, acts] of Object.entries(ACTS))
  describe(heading, () => {
    for (const [row, act] of Object.entries(acts))
      test(row, () => act(service).then(() => undefined));
  });
