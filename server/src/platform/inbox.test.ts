import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type OwnPlatform, ownPlatform } from './http/test-platform.ts';
import {
  forgetNotificationsStage,
  inboxStage,
  makeInbox,
  type Notification,
  receiveNotifications,
} from './inbox.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');

let platform: OwnPlatform;

before(async () => {
  platform = await ownPlatform();
});

afterEach(() => platform.db.transaction((tx) => tx.run('DELETE FROM inbox')));

after(() => platform.drop());

const receive = (notificationId: string, body = '{}', source = 'issuer'): Promise<void> =>
  platform.db.transaction((tx) =>
    receiveNotifications(tx, NOW, [{ source, notificationId, body }]),
  );

/** A stage that records the notifications it handles. */
function recording(refuse: (n: Notification) => boolean = () => false) {
  const handled: string[] = [];
  const stage = inboxStage(platform, async (tx, _now, batch) => {
    for (const notification of batch) {
      await tx.run('SELECT 1');
      if (refuse(notification)) throw new Error(`cannot act on ${notification.notificationId}`);
    }
    handled.push(...batch.map((n) => n.notificationId));
    return [];
  });
  return { stage, handled };
}

test('a notification is stored once under its own id, however often it comes', async () => {
  await Promise.all(Array.from({ length: 8 }, () => receive('n1', '{"first":true}')));
  await receive('n1', '{"second":true}');
  await receive('n1', '{}', 'bank:fernbank');
  const rows = await platform.db.read((tx) =>
    tx.rows('SELECT source, body FROM inbox ORDER BY source'),
  );
  assert.deepEqual(rows, [
    { source: 'bank:fernbank', body: '{}' },
    { source: 'issuer', body: '{"first":true}' },
  ]);
});

test('stored notifications are acted on once, and a repeated one is not acted on again', async () => {
  await receive('n1');
  await receive('n2');
  const { stage, handled } = recording();
  assert.ok((await platform.db.read((tx) => stage.nextDue(tx)))?.equals(NOW));
  assert.equal(await stage.run(NOW, 100), 2);
  assert.deepEqual(handled.sort(), ['n1', 'n2']);
  await receive('n1');
  assert.equal(await stage.run(NOW.add({ hours: 24 }), 100), 0);
  assert.equal(await platform.db.read((tx) => stage.nextDue(tx)), null);
});

test('a batch is no larger than asked for', async () => {
  for (const id of ['n1', 'n2', 'n3']) await receive(id);
  const { stage, handled } = recording();
  assert.equal(await stage.run(NOW, 2), 2);
  assert.equal(handled.length, 2);
});

test('what the handler did and the mark that it is done are one transaction', async () => {
  await receive('n1');
  let isFirst = true;
  const stage = inboxStage(platform, async (tx) => {
    await tx.run(
      `INSERT INTO inbox (source, notification_id, body, received_at) VALUES ('x', 'x', '', $1)`,
      [NOW],
    );
    if (isFirst) {
      isFirst = false;
      throw new Error('died');
    }
    return [];
  });
  await stage.run(NOW, 100).catch(() => 0);
  await stage.run(NOW.add({ hours: 1 }), 100);
  const rows = await platform.db.read((tx) => tx.rows(`SELECT FROM inbox WHERE source = 'x'`));
  assert.equal(rows.length, 1);
});

test('a notification that cannot be acted on holds up no other, and is tried again later', async () => {
  for (const id of ['n1', 'bad', 'n2']) await receive(id);
  let isBad = true;
  const { stage, handled } = recording((n) => isBad && n.notificationId === 'bad');
  assert.equal(await stage.run(NOW, 100), 3);
  assert.deepEqual(handled.sort(), ['n1', 'n2']);
  const due = await platform.db.read((tx) => stage.nextDue(tx));
  assert.ok(due !== null && Temporal.Instant.compare(due, NOW) > 0);
  assert.equal(await stage.run(NOW, 100), 0);
  isBad = false;
  assert.equal(await stage.run(due, 100), 1);
  assert.deepEqual(handled.sort(), ['bad', 'n1', 'n2']);
});

test('when nothing at all can be acted on, the stage fails for all to see', async () => {
  await receive('bad');
  const { stage } = recording(() => true);
  await assert.rejects(stage.run(NOW, 100), /cannot act on bad/);
});

test('what was acted on is forgotten 30 days after it came, and nothing else', async () => {
  const forget = forgetNotificationsStage(platform);
  const nextDue = () => platform.db.read((tx) => forget.nextDue(tx));
  assert.equal(await nextDue(), null);
  for (const id of ['n1', 'n2', 'n3', 'bad']) await receive(id);
  assert.equal(await nextDue(), null, 'nothing was acted on yet');
  await recording((n) => n.notificationId === 'bad').stage.run(NOW, 100);
  const then = NOW.add({ hours: 30 * 24 });
  assert.ok((await nextDue())?.equals(then));
  assert.equal(await forget.run(then.subtract({ milliseconds: 1 }), 100), 0);
  assert.equal(await forget.run(then, 2), 2, 'no more than asked for');
  assert.equal(await forget.run(then, 2), 1);
  assert.equal(await forget.run(then, 2), 0);
  const left = await platform.db.read((tx) => tx.rows('SELECT notification_id FROM inbox'));
  assert.deepEqual(left, [{ notification_id: 'bad' }], 'what waits is kept however long');
  assert.equal(await nextDue(), null);
});

test('those of one source are acted on together, and what has to be acted on alone is', async () => {
  for (const id of ['n1', 'odd', 'n2']) await receive(id);
  await receive('b1', '{}', 'bank:fernbank');
  const batches: string[][] = [];
  const stage = inboxStage(platform, async (_tx, _now, batch) => {
    batches.push(batch.map((n) => n.notificationId).sort());
    return batch.length === 1 ? [] : batch.filter((n) => n.notificationId === 'odd');
  });
  assert.equal(await stage.run(NOW, 100), 4);
  assert.deepEqual(batches.sort(), [['b1'], ['n1', 'n2', 'odd'], ['odd']]);
  assert.equal(await platform.db.read((tx) => stage.nextDue(tx)), null, 'all are done');
});

test('what comes at the same time is stored in few transactions, and each is acknowledged when it is', async () => {
  let transactions = 0;
  const counted: typeof platform.db = {
    ...platform.db,
    transaction: (work) => {
      transactions++;
      return platform.db.transaction(work);
    },
  };
  const receiveOne = makeInbox({ db: counted, clock: platform.clock });
  const ids = Array.from({ length: 50 }, (_, n) => `n${n % 40}`);
  await Promise.all(
    ids.map((notificationId) => receiveOne({ source: 'issuer', notificationId, body: '{}' })),
  );
  const row = await platform.db.read((tx) =>
    tx.row<{ n: number }>('SELECT count(*) AS n FROM inbox'),
  );
  assert.equal(row?.n, 40);
  assert.ok(transactions <= 3, `${transactions} transactions`);
});
