import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openPayments, openStage } from '../../server/src/payments/stages/open.ts';
import { makeSender, type Sender } from '../../server/src/payments/stages/submit.ts';
import { assertLaws, onlyPaymentOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue } from './acts.ts';

const { h, runFor } = oneForEach();

/** Opens what is due where the bank has this much room. Returns how many payments it opened, and how many of them began. */
async function openWith(room: number): Promise<[opened: number, begun: number]> {
  const { clock, bank, db, platform } = h;
  const sender: Pick<Sender, 'room' | 'busy'> = {
    room: () => room,
    busy: () => [{ bankId: bank.bankId, room }],
  };
  const opened = await db.transaction((tx) =>
    openPayments({ platform, tx, now: clock.at }, 500, { sender }),
  );
  return [opened.count, opened.begun.length];
}

const queueOf = async (scheduleId: string): Promise<string | undefined> => {
  const row = await h.db.read((tx) =>
    tx.row<{ bankId: string }>('SELECT bank_id FROM schedule_agenda WHERE schedule_id = $1', [
      scheduleId,
    ]),
  );
  return row?.bankId;
};

const countOf = async (scheduleId: string): Promise<number> => {
  const count = 'SELECT count(*) AS n FROM payments WHERE schedule_id = $1';
  return (await h.db.read((tx) => tx.row<{ n: number }>(count, [scheduleId])))?.n ?? 0;
};

const moveToQueue = (scheduleId: string, bankId: string): Promise<number> =>
  h.db.transaction((tx) =>
    tx.run('UPDATE schedule_agenda SET bank_id = $2 WHERE schedule_id = $1', [scheduleId, bankId]),
  );

test('as many occurrences are opened as their bank has room for, and each begins with its payment', async () => {
  await allDue(h, 5);
  assert.deepEqual(await openWith(2), [2, 2]);
  assert.deepEqual(await openWith(2), [2, 2]);
  assert.deepEqual(await openWith(2), [1, 1]);
});

test('while a bank is full its occurrences stay due, and those of another bank are opened', async () => {
  const [first = '', second = ''] = await allDue(h, 2);
  await moveToQueue(second, 'another-bank');
  assert.deepEqual(await openWith(0), [1, 0]);
  assert.equal((await onlyPaymentOf(h, second)).status, 'pending');
  assert.equal(await countOf(first), 0);
});

test('an occurrence that is two minutes late is opened without room: its merchant sees the payment that waits', async () => {
  const [id = ''] = await allDue(h, 1);
  h.clock.at = h.clock.at.add({ seconds: 119 });
  assert.deepEqual(await openWith(0), [0, 0]);
  h.clock.at = h.clock.at.add({ seconds: 1 });
  assert.deepEqual(await openWith(0), [1, 0]);
  assert.equal((await onlyPaymentOf(h, id)).status, 'pending');
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('what is late at a full bank comes after what another bank has room for', async () => {
  const [late = '', other = ''] = await allDue(h, 2);
  await moveToQueue(late, 'a-full-bank');
  h.clock.at = h.clock.at.add({ minutes: 3 });
  const sender = { room: () => 1, busy: () => [{ bankId: 'a-full-bank', room: 0 }] };
  const { clock, db, platform } = h;
  const openOne = () =>
    db.transaction((tx) => openPayments({ platform, tx, now: clock.at }, 1, { sender }));
  assert.equal((await openOne()).count, 1);
  assert.deepEqual([await countOf(late), await countOf(other)], [0, 1]);
  assert.equal((await openOne()).count, 1);
  assert.equal(await countOf(late), 1);
});

test('an occurrence is in the queue of the bank that the customer chose, and comes back to it from another', async () => {
  const [id = ''] = await allDue(h, 1);
  assert.equal(await queueOf(id), h.bank.bankId);
  await moveToQueue(id, ''); // as a version that knows no queues leaves it
  await h.service.engine.drain();
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal(await queueOf(id), h.bank.bankId);
});

test('a bank has room for four batches, and again for one when one has ended', async () => {
  const { platform, clock } = h;
  const { banks, issuer, hooks } = h.service.authorisation;
  await allDue(h, 5);
  const gates = [new Gate(), new Gate(), new Gate(), new Gate()];
  let calls = 0;
  h.bank.before = async () => gates[calls++]?.pass();
  const sender = makeSender({ platform, banks, issuer, consentHooks: hooks });
  const stage = openStage(platform, sender);
  for (const room of [750, 500, 250, 0]) {
    assert.equal(await stage.run(clock.at, 1), 1);
    assert.deepEqual(sender.busy(), [{ bankId: h.bank.bankId, room }]);
  }
  assert.equal(await stage.run(clock.at, 1), 0);
  gates[0]?.open();
  await sender.makesRoom();
  assert.equal(await stage.run(clock.at, 1), 1);
  for (const gate of gates) gate.open();
  await sender.idle();
});

test('a bank that takes few orders at once is called no wider, and gets all of them', async () => {
  Object.assign(h.bank, { traits: { ...h.bank.traits, ordersAtOnce: 8 } });
  const ids = await allDue(h, 20);
  let calls = 0;
  let most = 0;
  h.bank.before = async () => {
    most = Math.max(most, ++calls);
    await turn();
    calls--;
  };
  await h.service.engine.drain();
  assert.equal(most, 2, 'a quarter, for one of four batches');
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});
