import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { makeLog } from '../log/log.ts';
import { Heartbeat } from './heartbeat.ts';
import { countOrphans } from './heartbeat-store.ts';
import { THIS_PROCESS } from './this-process.ts';

const SILENCE = Temporal.Duration.from({ milliseconds: 50 });
const DEAD = 42;

let h: Harness;
let id: string;
const lines: string[] = [];
before(async () => {
  h = await openHarness('2026-01-05T08:00:00Z');
  ({ id } = await h.agreed({ frequency: 'daily', start_date: '2026-01-05T09:00:00Z' }));
  h.bank.mood.down = true;
  await h.runUntil('2026-01-05T09:00:00Z');
});
after(() => h.close());

/** Lets the payment be claimed by a process until in four minutes, as one that died would leave it. */
const claimedBy = (processId: number): Promise<number> =>
  h.db.transaction((tx) =>
    tx.run(
      `UPDATE payment_work SET due_at = $1, leased_until = $1, claimed_by = $2, stage = 'submit'`,
      [h.clock.at.add({ minutes: 4 }), processId],
    ),
  );
const dueAt = () =>
  h.db.read((tx) => tx.row<{ dueAt: Temporal.Instant }>('SELECT due_at FROM payment_work LIMIT 1'));
const beatOfTheDead = (ago: string): Promise<number> =>
  h.db.transaction((tx) =>
    tx.run(
      `INSERT INTO engine_heartbeats VALUES ($1, clock_timestamp() - $2::interval)
       ON CONFLICT (process_id) DO UPDATE SET beat_at = excluded.beat_at`,
      [DEAD, ago],
    ),
  );
const hearts = () => {
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  return new Heartbeat({ db: h.db, clock: h.clock, log }, SILENCE);
};
const isDue = async (): Promise<boolean> => (await dueAt())?.dueAt.equals(h.clock.at) ?? false;

test('what a process had claimed that is heard of no more is given back before its lease ends', async () => {
  assert.ok(id);
  await claimedBy(DEAD);
  await beatOfTheDead('1 hour');
  const heart = hearts();
  await heart.beat();
  assert.equal(await isDue(), false, 'whoever has just come listens first');
  await sleep(SILENCE.total('milliseconds') + 20);
  await heart.beat();
  assert.equal(await isDue(), true);
  assert.match(lines.join(''), /"event":"engine.claims_given_back".*"processes":\[42\],"count":1/);
  const left = await h.db.read((tx) =>
    tx.rows<{ processId: number }>('SELECT process_id FROM engine_heartbeats'),
  );
  assert.equal(
    left.some((row) => row.processId === DEAD),
    false,
  );
});

test('what a process claims that is at work is left to it, and what waits for a date to that', async () => {
  await claimedBy(DEAD);
  const heart = hearts();
  await heart.beat();
  await sleep(SILENCE.total('milliseconds') + 20);
  await beatOfTheDead('0 s');
  await heart.beat();
  assert.equal(await isDue(), false, 'it was heard a moment ago');
  await beatOfTheDead('1 hour');
  await h.db.transaction((tx) =>
    tx.run(`UPDATE payment_work SET due_at = due_at + interval '1 minute'`),
  );
  await heart.beat();
  assert.equal(await isDue(), false, 'it waits for a bank that asked to be left alone');
});

test('payments that a silent process has claimed are counted while nobody gives them back', async () => {
  const silence = Temporal.Duration.from({ seconds: 30 });
  const orphans = () => h.db.read((tx) => countOrphans(tx, h.clock.at, silence));
  await claimedBy(DEAD);
  await beatOfTheDead('20 s');
  assert.equal((await orphans()).payments, 0, 'it was heard half a minute ago');
  await beatOfTheDead('94 s');
  const { payments, silentSeconds } = await orphans();
  assert.equal(payments, 1);
  assert.ok(silentSeconds >= 94, String(silentSeconds));
  await h.db.transaction((tx) =>
    tx.run(`UPDATE payment_work SET due_at = due_at + interval '1 minute'`),
  );
  assert.equal((await orphans()).payments, 0, 'it waits for its date');
});

test('a process gives back its own claims when the database comes back, and no others', async () => {
  await claimedBy(DEAD);
  await hearts().giveBackOwn();
  assert.equal(await isDue(), false);
  await claimedBy(THIS_PROCESS);
  assert.equal(await hearts().giveBackOwn(), 1);
  assert.equal(await isDue(), true);
});
