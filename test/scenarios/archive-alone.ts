// Archives in a process of its own, and sends how many transactions it has begun.
import { archiveHistory } from '../../server/src/archive/service.ts';
import { openDb } from '../../server/src/platform/db/db.ts';
import { makeIds } from '../../server/src/platform/values/ids.ts';
import { TEST_VAULT } from '../../server/test-support/harness.ts';

const [url = '', folder = '', at = ''] = process.argv.slice(2);
const now = Temporal.Instant.from(at);
const db = openDb(url, 4);
let begun = 0;
const counted: typeof db = {
  ...db,
  transaction(work, options) {
    process.send?.(++begun);
    return db.transaction(work, options);
  },
};
const platform = { db: counted, vault: TEST_VAULT, clock: { now: () => now }, ids: makeIds() };
await archiveHistory(platform, { months: 3, folder, by: 'operator:Robin' });
await db.close();
process.disconnect?.();
