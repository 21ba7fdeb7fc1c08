import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../../test-support/admin.ts';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { textIn } from '../../../test-support/zip.ts';
import type { Tx } from '../../platform/db/db.ts';
import { MOST_OWN } from '../../safeguarding/figures.ts';
import { answerRun } from '../../safeguarding/service.ts';
import { adminRoutes } from '../routes.ts';

describe('the safeguarding day of operators', () => {
  let h: Harness;
  let admin: TestAdmin;
  let robin: AdminCaller;
  before(async () => {
    h = await openHarness('2026-03-02T10:00:00Z'); // a Monday
    const { platform, issuer, bank } = h;
    const banks = new Map([[bank.bankId, bank]]);
    admin = await testAdmin(
      platform,
      adminRoutes({ platform, issuer, banks, distrustKey: h.service.distrustKey }),
    );
    robin = await admin.as('Robin Fern');
    await h.agreed({ start_date: '2026-03-02T11:00:00Z', customer: { phone: '+447700900300' } });
    await h.runUntil('2026-03-03T12:00:00Z');
  });
  after(async () => {
    await admin?.app.close();
    await h?.close();
  });

  test('a day says what is owed, what is held, and by when to answer', async () => {
    const { data } = await robin.must('GET', '/safeguarding/days');
    const [today] = data;
    assert.deepEqual(
      [today.date, today.as_of, today.answer_by],
      ['2026-03-03', '2026-03-03T00:00:00.000Z', '2026-03-04T00:00:00.000Z'],
    );
    assert.deepEqual(
      [today.requirement_pence, today.held_pence, today.issuer_pence, today.clients],
      [4999, 4999, 4999, 1],
    );
    assert.equal(today.external_difference_pence, 0);
    assert.deepEqual(await robin.must('GET', '/safeguarding/days/2026-03-03'), today);
  });

  test('answers that together would pay in more own money than the books can hold are refused', async () => {
    const paidIn = (tx: Tx, date: string, paidInPence: number) =>
      answerRun({ tx, now: h.clock.at }, Temporal.PlainDate.from(date), {
        ...{ who: 'Robin Fern', says: 'paid in', takenOutPence: 0 },
        paidInPence,
      });
    const undone = new Error('the answers are not kept');
    const both = h.db.transaction(async (tx) => {
      await paidIn(tx, '2026-03-02', MOST_OWN);
      await assert.rejects(paidIn(tx, '2026-03-03', 1), (error: { details?: object }) => {
        assert.deepEqual(Object.keys(error.details ?? {}), ['paid_in_pence']);
        return true;
      });
      throw undone;
    });
    await assert.rejects(both, undone);
  });

  test('a slip that a previous version let in keeps no later day from its answer, and is taken out', async () => {
    const slip = 5 * MOST_OWN;
    const undone = new Error('the answers are not kept');
    for (const takenOutPence of [0, slip]) {
      const work = h.db.transaction(async (tx) => {
        await tx.run(`UPDATE safeguarding_runs SET paid_in_pence = $1 WHERE date = '2026-03-02'`, [
          slip,
        ]);
        const said = { who: 'Robin Fern', says: 'looked', paidInPence: 0, takenOutPence };
        const date = Temporal.PlainDate.from('2026-03-03');
        await answerRun({ tx, now: h.clock.at }, date, said);
        throw undone;
      });
      await assert.rejects(work, undone);
    }
  });

  test('it is answered once, and no more is taken out than was paid in', async () => {
    const answer = (body: object) =>
      robin.call('POST', '/safeguarding/days/2026-03-03/answer', body);
    const tooMuch = await answer({ answer: 'looked at both sides', taken_out_pence: 1 });
    assert.deepEqual(Object.keys(tooMuch.body.error.details), ['taken_out_pence']);
    const more = MOST_OWN + 1;
    const slip = await answer({ answer: 'a slip', paid_in_pence: more, taken_out_pence: more });
    assert.deepEqual(Object.keys(slip.body.error.details), ['paid_in_pence']);
    const { body } = await answer({ answer: 'looked at both sides' });
    assert.deepEqual([body.answered_by, body.answer], ['Robin Fern', 'looked at both sides']);
    assert.equal((await answer({ answer: 'again' })).body.error.code, 'operation_refused');
    const none = await robin.call('POST', '/safeguarding/days/2026-03-01/answer', { answer: 'x' });
    assert.equal(none.status, 404);
  });

  test('the register keeps what was ended, and says who entered and ended it', async () => {
    const entered = await robin.must('POST', '/safeguarding/register', {
      kind: 'letter',
      name: 'Acknowledgement of Northbank',
      identifier: 'safe 4, folder 2',
    });
    await robin.must('POST', `/safeguarding/register/${entered.id}/end`, { reason: 'replaced' });
    const { data } = await robin.must('GET', '/safeguarding/register');
    assert.deepEqual(
      [data.length, data[0].added_by, data[0].ended_by, data[0].identifier],
      [1, 'Robin Fern', 'Robin Fern', 'safe 4, folder 2'],
    );
    const again = await robin.call('POST', `/safeguarding/register/${entered.id}/end`, {
      reason: 'twice',
    });
    assert.equal(again.status, 404);
  });

  test('a month’s figures name what is not known, and a month that is none is refused', async () => {
    const { figures } = await robin.must('GET', '/safeguarding/months/2026-03');
    const clients = figures.find(({ asks }: { asks: string }) => asks === 'Number of clients');
    assert.equal(clients.value, '1 on 2026-03-03');
    const wrong = await robin.call('GET', '/safeguarding/months/march');
    assert.deepEqual(Object.keys(wrong.body.error.details), ['month']);
  });

  test('the pack is one archive, takes the role that reads customers, and is recorded', async () => {
    const get = (caller: AdminCaller, query = '') =>
      admin.app.inject({
        method: 'GET',
        url: `/admin/v1/safeguarding/pack${query}`,
        headers: { authorization: `Bearer ${caller.key}` },
      });
    const clerk = await admin.as('Kim Ash', ['payments']);
    assert.equal((await get(clerk)).statusCode, 403);
    assert.equal((await get(robin, '?as_of=2027-01-01T00:00:00Z')).statusCode, 400);
    const { statusCode, rawPayload } = await get(robin, '?as_of=2026-03-03T00:00:00Z');
    assert.equal(statusCode, 200);
    assert.match(textIn(rawPayload, 'index.pdf', 'latin1'), /^%PDF/);
    assert.match(textIn(rawPayload, 'clients.csv'), /49\.99/);
    const { data } = await robin.must('GET', '/activity');
    assert.ok(data.some(({ object_id: id }: { object_id: string }) => id === 'safeguarding pack'));
  });

  test('money of no client is listed with the end of the business day after it came', async () => {
    const [wallet] = [...h.issuer.wallets.values()];
    const creditor = wallet?.wallet.account.accountNumber ?? '';
    h.issuer.payIn({ endToEndId: 'a-stranger', amountPence: 250, creditor });
    await h.runUntil(h.clock.at);
    const { data } = await robin.must('GET', '/safeguarding/receipts');
    assert.deepEqual(
      data.map((one: Record<string, unknown>) => [one.amount_pence, one.allocate_by]),
      [[250, '2026-03-05T00:00:00.000Z']],
    );
    await h.runUntil('2026-03-05T08:00:00Z');
    const { data: breaches } = await robin.must('GET', '/safeguarding/breaches');
    assert.deepEqual(
      breaches.map((one: Record<string, unknown>) => [one.kind, one.amount_pence]),
      [['receipt', 250]],
    );
    const { about } = breaches[0];
    const said = { kind: 'receipt', about, explanation: 'The bank told us late' };
    await robin.must('POST', '/safeguarding/breaches/explain', said);
    const explained = await robin.must('GET', '/safeguarding/breaches');
    assert.equal(explained.data[0].explained_by, 'Robin Fern');
  });
});
