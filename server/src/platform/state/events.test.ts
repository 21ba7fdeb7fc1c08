import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  bareMerchant,
  bareSchedules,
  type OwnPlatform,
  ownPlatform,
} from '../../../test-support/slices/platform.ts';
import type { Tx } from '../db/db.ts';
import { appendEvents, type NewEvent, openEventBody } from './events.ts';

interface Row {
  eventId: string;
  kind: string;
  sequence: number | null;
  subjectId: string;
  body: string;
}

let platform: OwnPlatform;
let merchantId: string;

before(async () => {
  platform = await ownPlatform();
  merchantId = await bareMerchant(platform);
});

after(() => platform.drop());

const event = (
  scheduleId: string | null,
  subjectId: string,
  more: Partial<NewEvent> = {},
): NewEvent => ({
  merchantId,
  kind: 'collection.success',
  scheduleId,
  subjectId,
  data: { payment_id: subjectId },
  ...more,
});

const schedulesOf = (events: readonly NewEvent[]): Promise<void> =>
  bareSchedules(
    platform,
    merchantId,
    events.flatMap(({ scheduleId }) => scheduleId ?? []),
  );

async function append(events: readonly NewEvent[]): Promise<string[]> {
  await schedulesOf(events);
  return platform.db.transaction((tx) =>
    appendEvents({ platform, tx, now: platform.clock.now() }, events),
  );
}

const rowsOf = (scheduleId: string): Promise<Row[]> =>
  platform.db.read((tx) =>
    tx.rows<Row>('SELECT * FROM events WHERE schedule_id = $1 ORDER BY sequence', [scheduleId]),
  );

test('events of a schedule are numbered from 1 in the order in which they were given', async () => {
  await append([event('sch_a', 'pay_1'), event('sch_b', 'pay_x'), event('sch_a', 'pay_2')]);
  await append([event('sch_a', 'pay_3')]);
  const rows = await rowsOf('sch_a');
  assert.deepEqual(
    rows.map((row) => [row.sequence, row.subjectId]),
    [
      [1, 'pay_1'],
      [2, 'pay_2'],
      [3, 'pay_3'],
    ],
  );
  assert.deepEqual(
    rows.map((row) => row.eventId),
    rows.map((row) => row.eventId).sort(),
  );
  assert.equal((await rowsOf('sch_b'))[0]?.sequence, 1);
});

test('sequences have no gap and no double under twelve appenders at once', async () => {
  const schedules = ['sch_1', 'sch_2', 'sch_3'];
  let tries = 0;
  await bareSchedules(platform, merchantId, schedules);
  const appendCounted = (events: readonly NewEvent[]): Promise<string[]> =>
    platform.db.transaction((tx) => {
      tries++;
      return appendEvents({ platform, tx, now: platform.clock.now() }, events);
    });
  const appender = async (n: number): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) {
      const order = n % 2 === 0 ? schedules : schedules.toReversed();
      await appendCounted(order.map((schedule) => event(schedule, `pay_${n}_${turn}`)));
    }
  };
  await Promise.all(Array.from({ length: 12 }, (_, n) => appender(n)));
  assert.equal(tries, 60, 'nobody had to be tried again: no deadlock');
  for (const schedule of schedules) {
    const rows = await rowsOf(schedule);
    assert.deepEqual(
      rows.map((row) => row.sequence),
      Array.from({ length: 60 }, (_, n) => n + 1),
    );
    assert.equal(new Set(rows.map((row) => row.subjectId)).size, 60);
  }
});

test('an append that is rolled back leaves no event and no gap', async () => {
  await append([event('sch_gap', 'pay_1')]);
  await assert.rejects(
    platform.db.transaction(async (tx) => {
      await appendEvents({ platform, tx, now: platform.clock.now() }, [
        event('sch_gap', 'pay_lost'),
      ]);
      throw new Error('the state was not changed after all');
    }),
  );
  await append([event('sch_gap', 'pay_2')]);
  const rows = await rowsOf('sch_gap');
  assert.deepEqual(
    rows.map((row) => [row.sequence, row.subjectId]),
    [
      [1, 'pay_1'],
      [2, 'pay_2'],
    ],
  );
});

test('the body is exactly event and data, as the bytes that every delivery signs and sends', async () => {
  const data = {
    payment_id: 'pay_1',
    amount: { value: 4999, currency: 'GBP' },
    note: 'naïve ✓ "quoted"',
  };
  await append([event('sch_body', 'pay_1', { data })]);
  const [row] = await rowsOf('sch_body');
  assert.ok(row);
  const body = `{"event":"collection.success","data":${JSON.stringify(data)}}`;
  assert.equal(row.body, body);
  assert.equal(openEventBody(platform.vault, row.eventId, row.body), body);
});

test('a body with account numbers is sealed at rest, and opens for its own event alone', async () => {
  const data = { destination_account: { account_number: '66374958', sort_code: '089999' } };
  await append([event('sch_sealed', 'set_1', { data, isConfidential: true })]);
  const [row] = await rowsOf('sch_sealed');
  assert.ok(row);
  assert.doesNotMatch(row.body, /66374958/);
  const body = openEventBody(platform.vault, row.eventId, row.body);
  assert.equal(body, `{"event":"collection.success","data":${JSON.stringify(data)}}`);
  assert.throws(() => openEventBody(platform.vault, 'evt_other', row.body));
});

test('events about no schedule have no number, and no events are no statement', async () => {
  await append([event(null, 'set_alone')]);
  const rows = await platform.db.read((tx) =>
    tx.rows<Row>(`SELECT * FROM events WHERE subject_id = 'set_alone'`),
  );
  assert.deepEqual(
    rows.map((row) => row.sequence),
    [null],
  );
  const { fail } = assert;
  const neverAsked = {
    rows: fail,
    row: fail,
    run: fail,
    insert: fail,
    unawaited: () => fail(),
    afterCommit: () => fail(),
  };
  await appendEvents({ platform, tx: neverAsked, now: platform.clock.now() }, []);
});

test('events are never changed nor removed: what was signed is what is shown', async () => {
  await append([event('sch_final', 'pay_1')]);
  for (const statement of ["UPDATE events SET body = '{}'", 'DELETE FROM events'])
    await assert.rejects(
      platform.db.transaction((tx) => tx.run(`${statement} WHERE schedule_id = 'sch_final'`)),
      { code: '42501' },
    );
});

test('events recorded together are not compared pair by pair', async () => {
  const count = 300;
  const events = Array.from({ length: count }, (_, n) => event(`sch_many_${n}`, `pay_${n}`));
  await schedulesOf(events);
  const plan = await platform.db.transaction(async (tx) => {
    let plans: object[] = [];
    const explaining: Tx = {
      ...tx,
      async run(sql, values) {
        plans = await tx.rows(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`, values);
        return count;
      },
    };
    await appendEvents({ platform, tx: explaining, now: platform.clock.now() }, events);
    return plans;
  });
  const compared = JSON.stringify(plan).matchAll(/"Rows Removed by Join Filter":(\d+)/g);
  for (const [, rows] of compared) assert.ok(Number(rows) < count, `${rows} pairs did not fit`);
  assert.equal((await rowsOf('sch_many_7')).length, 1);
});
