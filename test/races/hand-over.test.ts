import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLaws } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForAll } from '../../server/test-support/opened.ts';
import { until } from '../../server/test-support/until.ts';
import { allDue } from './acts.ts';

// A process that stops gives back what it has claimed and not begun. The clock stands still, so no lease runs out meanwhile.
const { h } = oneForAll();
/** More than one chunk of a batch: payments/stages/send.ts. */
const PAYMENTS = 70;

async function countOf(where: string): Promise<number> {
  const row = await h.db.read((tx) =>
    tx.row<{ n: number }>(`SELECT count(*)::int AS n FROM payment_work w WHERE ${where}`),
  );
  return row?.n ?? 0;
}

const successes = async (): Promise<number> => {
  const row = await h.db.read((tx) =>
    tx.row<{ n: number }>(`SELECT count(*)::int AS n FROM payments WHERE status = 'success'`),
  );
  return row?.n ?? 0;
};

test('payments that a stopping process has claimed and not sent are sent by another at once', async () => {
  await allDue(h, PAYMENTS);
  const gate = new Gate();
  h.bank.before = async (call) => {
    if (call === 'submitPayment') await gate.pass();
  };
  const first = h.another().engine;
  first.start();
  await gate.reached;
  const stopped = first.stop();
  gate.open();
  await stopped;
  const sent = h.bank.submitted.length;
  assert.ok(sent > 0 && sent < PAYMENTS, `the first process sent ${sent}`);
  await h.runUntil(h.clock.at);
  assert.equal(await successes(), PAYMENTS);
  assert.equal(h.bank.submitted.length, PAYMENTS, 'none was sent twice');
  await assertLaws(h);
});

test('transfers that were handed on in a stopping process are made by another at once', async () => {
  const before = await successes();
  h.bank.mood.slow = true;
  await allDue(h, 3);
  await h.runUntil(h.clock.at);
  const open = [...h.bank.payments.values()].filter(({ status }) => status === 'pending');
  assert.equal(open.length, 3);
  const gate = new Gate();
  const first = h.another({
    issuer: (issuer) =>
      Object.assign(Object.create(issuer), {
        transfer: async (orders: Parameters<typeof issuer.transfer>[0]) => {
          await gate.pass();
          return issuer.transfer(orders);
        },
      }),
  }).engine;
  first.start();
  const [one, ...others] = open;
  if (one !== undefined) h.bank.credit(one);
  await gate.reached;
  for (const other of others) h.bank.credit(other);
  await until('the others are handed on', async () => (await countOf(`w.stage = 'move'`)) === 3);
  const stopped = first.stop();
  gate.open();
  await stopped;
  assert.equal(await successes(), before + 1);
  await h.service.engine.drain();
  assert.equal(await successes(), before + 3);
  await assertLaws(h);
});
