import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { dueInAnHour } from '../../../test-support/books.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { checkLaws } from '../../laws/invariants/laws.ts';
import type { Log } from '../../platform/log/log.ts';
import { LOG_EVENTS } from '../../platform/log/log-events.ts';
import { watchLaws } from './law-watch.ts';

let h: Harness;

before(async () => {
  h = await openHarness();
  await dueInAnHour(h);
});
after(() => h.close());

interface Row {
  law: string;
  holds: boolean | null;
  checkedAt: Temporal.Instant;
}

/** Returns the findings that every merchant's dashboard may read. */
const findings = (): Promise<Row[]> =>
  h.db.forMerchant(h.merchantId, (tx) =>
    tx.rows<Row>('SELECT law, holds, checked_at FROM law_findings ORDER BY law'),
  );

test('a look stores what it found of every law, the issuer’s balances included, at business time', async () => {
  const watch = watchLaws(h.platform, h.issuer);
  await watch.look();
  const rows = await findings();
  const ours = await checkLaws(h.platform);
  assert.equal(rows.length, ours.length + 1, 'our own, and the comparison with the issuer');
  assert.ok(rows.every((row) => row.holds === true && row.checkedAt.equals(h.clock.at)));
  await watch.close();
});

test('a law that is broken is told, and what cannot be known is not known', async () => {
  const watch = watchLaws(h.platform, h.issuer);
  const change = (pence: number) =>
    h.db.transaction((tx) =>
      tx.run(
        `UPDATE accounts SET balance_pence = balance_pence + $1 WHERE kind = 'merchant_wallet'`,
        [pence],
      ),
    );
  const holds = async () =>
    Object.fromEntries((await findings()).map((row) => [row.law, row.holds]));
  await change(1);
  await watch.look();
  const broken = await holds();
  assert.deepEqual(
    [broken['debits-equal-credits'], broken['ledger-equals-issuer'], broken['within-limits']],
    [false, false, true],
  );
  await change(-1);
  h.issuer.down = true;
  await watch.look();
  h.issuer.down = false;
  const unknown = await holds();
  assert.deepEqual(
    [unknown['debits-equal-credits'], unknown['ledger-equals-issuer']],
    [true, null],
  );
  await watch.close();
});

test('a law that cannot be checked is unknown and named in the log, and the others are stored', async () => {
  const broken: unknown[] = [];
  const report: Log['report'] = (code, what) => {
    if (LOG_EVENTS[code].level === 'error') broken.push((what as { law?: string }).law);
  };
  const log = { ...h.platform.log, report };
  const db: typeof h.db = {
    ...h.db,
    transaction: (work, options) =>
      h.db.transaction((tx) => {
        const rows: typeof tx.rows = (sql, values) =>
          sql.includes('told_success')
            ? Promise.reject(new Error('canceling statement due to statement timeout'))
            : tx.rows(sql, values);
        return work({ ...tx, rows });
      }, options),
  };
  const { listBalances } = h.issuer;
  h.issuer.listBalances = () => {
    throw new Error('a defect');
  };
  const watch = watchLaws({ ...h.platform, db, log }, h.issuer);
  h.clock.at = h.clock.at.add({ hours: 1 });
  await watch.look();
  h.issuer.listBalances = listBalances;
  const rows = await findings();
  assert.ok(rows.every((row) => row.checkedAt.equals(h.clock.at)));
  const unknown = rows.filter((row) => row.holds === null).map((row) => row.law);
  assert.deepEqual(unknown, ['ledger-equals-issuer', 'one-event-per-outcome']);
  assert.equal(rows.filter((row) => row.holds === true).length, rows.length - unknown.length);
  assert.deepEqual(broken.sort(), unknown);
  await watch.close();
});

test('whoever asks during a look is told by one more, and none begins after the end', async () => {
  let looks = 0;
  const db = {
    ...h.db,
    transaction: <T>(work: Parameters<typeof h.db.transaction<T>>[0]) =>
      h.db.transaction((tx) => {
        const run: typeof tx.run = (sql, values) => {
          if (sql.includes('INTO law_findings')) looks++;
          return tx.run(sql, values);
        };
        return work({ ...tx, run });
      }),
  };
  const watch = watchLaws({ ...h.platform, db }, null);
  await Promise.all([watch.look(), watch.look(), watch.look()]);
  assert.equal(looks, 2);
  const ours = await checkLaws(h.platform);
  assert.equal((await findings()).length, ours.length, 'without an issuer at hand');
  await watch.close();
  await watch.look();
  assert.equal(looks, 2);
});

test('a database that fails is logged, and nothing else', async () => {
  const read = (): Promise<never> => Promise.reject(new Error('no database'));
  const before = await findings();
  const watch = watchLaws({ ...h.platform, db: { ...h.db, read, transaction: read } }, null);
  await watch.look();
  await watch.close();
  assert.deepEqual(await findings(), before);
});

test('it looks automatically soon after the start, and every hour', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const watch = watchLaws(h.platform, null);
  watch.start();
  const oldest = (await findings())[0]?.checkedAt;
  h.clock.at = h.clock.at.add({ hours: 1 });
  mock.timers.tick(5_000);
  mock.timers.reset();
  await watch.close(); // waits for it
  assert.ok(!(await findings())[0]?.checkedAt.equals(oldest ?? h.clock.at));
});
