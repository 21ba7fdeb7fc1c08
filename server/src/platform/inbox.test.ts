import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Gate } from '../../test-support/gate.ts';
import { type OwnPlatform, ownPlatform } from '../../test-support/slices/platform.ts';
import type { Tx } from './db/db.ts';
import { inboxStage, makeInbox, type Notification, receiveNotifications } from './inbox.ts';
import { forgetStage } from './retention/stages.ts';

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
  const forget = forgetStage(platform, 'inbox');
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
  assert.deepEqual(left, [{ notificationId: 'bad' }], 'what waits is kept however long');
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

/** An inbox that records what it acts on, over a database that counts its transactions. */
function atOnce(act: (n: Notification, tx: Tx) => Promise<unknown> | undefined = () => undefined) {
  const batches: string[][] = [];
  const left: Notification[] = [];
  let transactions = 0;
  const db: typeof platform.db = {
    ...platform.db,
    transaction: (work, options) => {
      transactions++;
      return platform.db.transaction(work, options);
    },
  };
  const receiveOne = makeInbox({ ...platform, db }, async (tx, _now, batch) => {
    for (const one of batch) await act(one, tx);
    batches.push(batch.map((n) => n.notificationId));
    return batch.filter((n) => batch.length > 1 && left.includes(n));
  });
  const tell = (notificationId: string, source = 'issuer') =>
    receiveOne({ source, notificationId, body: '{}' });
  return { tell, receiveOne, batches, left, count: () => transactions };
}

const waiting = () =>
  platform.db.read((tx) =>
    tx.rows<{ notificationId: string }>(
      'SELECT notification_id FROM inbox WHERE due_at IS NOT NULL ORDER BY 1',
    ),
  );

const stored = async (): Promise<number> =>
  (await platform.db.read((tx) => tx.rows('SELECT FROM inbox'))).length;

test('a notification is stored and acted on in one transaction, and the stage finds nothing of it', async () => {
  const { tell, batches, count } = atOnce();
  await tell('n1');
  await tell('n1');
  assert.deepEqual(batches, [['n1']]);
  assert.equal(count(), 2, 'one for each time it came');
  assert.deepEqual(await waiting(), []);
  const { stage, handled } = recording();
  assert.equal(await stage.run(NOW, 100), 0);
  assert.deepEqual(handled, []);
});

test('two processes to which the same notification comes at one moment act on it once', async () => {
  const [one, other] = [atOnce(), atOnce()];
  const ids = Array.from({ length: 20 }, (_, n) => `n${String(n).padStart(2, '0')}`);
  await Promise.all([
    ...ids.map((id) => one.tell(id)),
    ...ids.toReversed().map((id) => other.tell(id)),
  ]);
  assert.deepEqual([...one.batches, ...other.batches].flat().sort(), ids);
  assert.equal(await stored(), ids.length);
});

test('what comes at the same time shares transactions, and each is acknowledged when it is stored', async () => {
  const { tell, batches, count } = atOnce();
  await Promise.all(Array.from({ length: 50 }, (_, n) => tell(`n${n % 40}`)));
  assert.equal(await stored(), 40);
  assert.equal(batches.flat().length, 40, 'each is acted on once');
  assert.ok(count() <= 3, `${count()} transactions`);
});

test('a notification that cannot be acted on at once is still acknowledged, and holds up no other', async () => {
  let isBad = true;
  const { tell, batches } = atOnce(async (n, tx) => {
    await tx.run(
      `INSERT INTO inbox (source, notification_id, body, received_at) VALUES ('x', $1, '', $2)`,
      [n.notificationId, NOW],
    );
    if (isBad && n.notificationId === 'bad') throw new Error('cannot act on bad');
  });
  await tell('n1');
  await Promise.all(['n2', 'bad', 'n3'].map((id) => tell(id)));
  assert.deepEqual(batches, [['n1']], 'the last three came together');
  assert.deepEqual(
    await waiting(),
    ['bad', 'n2', 'n3'].map((id) => ({ notificationId: id })),
  );
  assert.equal(await stored(), 5, 'and nothing of the attempt to act on them is left');
  const { stage, handled } = recording((n) => isBad && n.notificationId === 'bad');
  await stage.run(platform.clock.now(), 100);
  assert.deepEqual(handled, ['n2', 'n3']);
  isBad = false;
  await stage.run(platform.clock.now().add({ hours: 1 }), 100);
  assert.deepEqual(handled, ['n2', 'n3', 'bad']);
});

test('what has to be acted on alone is left to the stage', async () => {
  const { tell, receiveOne, left } = atOnce();
  const odd = { source: 'issuer', notificationId: 'odd', body: '{}' };
  left.push(odd);
  await Promise.all([tell('n1'), tell('n2'), receiveOne(odd), tell('n3')]);
  assert.deepEqual(await waiting(), [{ notificationId: 'odd' }]);
});

test('a notification waits for a lock no longer than its sender waits for us', async () => {
  await receive('locked');
  const lock = `SELECT FROM inbox WHERE notification_id = 'locked' FOR UPDATE`;
  const { tell } = atOnce((_, tx) => tx.run(lock));
  await platform.db.transaction(async (tx) => {
    await tx.run(lock);
    const began = performance.now();
    await tell('n1');
    assert.ok(performance.now() - began < 4000);
  });
  assert.deepEqual(await waiting(), [{ notificationId: 'locked' }, { notificationId: 'n1' }]);
});

test('a source that has to wait does not hold up the others', async () => {
  const gate = new Gate();
  const { tell, batches } = atOnce((n) => (n.source === 'bank:slow' ? gate.pass() : undefined));
  const slow = tell('s1', 'bank:slow');
  await gate.reached;
  await tell('n1');
  assert.deepEqual(batches, [['n1']]);
  gate.open();
  await slow;
  assert.deepEqual(batches, [['n1'], ['s1']]);
});

test('a notification that cannot be stored is not acknowledged', async () => {
  const refused = new Error('no connection');
  const db = { ...platform.db, transaction: () => Promise.reject(refused) };
  const receiveOne = makeInbox({ ...platform, db }, async () => []);
  await assert.rejects(receiveOne({ source: 'issuer', notificationId: 'n1', body: '{}' }), refused);
});
