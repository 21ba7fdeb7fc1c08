import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ChangeLineView } from '../../server/src/schedules/many/view.ts';
import { refusedWith } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';

// Monday 5 January 2026, 09:30 in London.
let h: Harness;
let http: HttpSide;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  http = await openHttp(h);
});
after(async () => {
  await http.close();
  await h.close();
});

const gbp = (value: number) => ({ value, currency: 'GBP' });
let phones = 0;
const customer = () => ({ phone: `+44770090${String(1000 + phones++)}` });

const ask = async (body: object) => {
  const answer = await http.call('POST', '/schedule_changes', body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const run = async (id: string) => (await http.call('POST', `/schedule_changes/${id}/run`)).body;
const show = async (id: string) => (await http.call('GET', `/schedule_changes/${id}`)).body;
const lines = async (id: string, query = ''): Promise<ChangeLineView[]> =>
  (await http.call('GET', `/schedule_changes/${id}/lines?limit=100${query}`)).body.data;
const drain = () => h.service.engine.drain();

/** The effects of a change by schedule. */
const effects = async (id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await lines(id)).map((line) => [line.schedule_id, line.effect]));

test('a preview says what each schedule’s change means and changes nothing; the run does exactly that', async () => {
  const roomy = await h.agreed({
    customer: customer(),
    limits: { per_payment: gbp(6000), per_period: gbp(6000) },
  });
  const tight = await h.agreed({ customer: customer() });
  const waiting = await h.create({ customer: customer() });
  const over = await h.agreed({ customer: customer() });
  await h.update(over.id, { status: 'cancelled' });
  const largest = await h.create({ customer: customer(), amount: gbp(100_000_000) });
  const ids = [roomy, tight, waiting, over, largest].map((one) => one.id);
  const preview = await ask({
    schedule_ids: ids,
    change: { amount: { percent: 8, round_to: 10 } },
    preview: true,
  });
  const expected = {
    [roomy.id]: 'within_consent',
    [tight.id]: 'needs_consent',
    [waiting.id]: 'awaiting_consent',
    [over.id]: 'refused',
    [largest.id]: 'refused',
  };
  assert.deepEqual(await effects(preview.id), expected);
  assert.deepEqual(
    [preview.status, preview.total, preview.within_consent, preview.needs_consent, preview.refused],
    ['preview', 5, 1, 1, 2],
  );
  assert.deepEqual(preview.amount_before, gbp(3 * 4999));
  assert.deepEqual(preview.amount_after, gbp(3 * 5400)); // 5398.92, to the next ten pence
  await drain();
  assert.deepEqual((await h.show(roomy.id)).amount, gbp(4999));

  const begun = await run(preview.id);
  assert.equal(begun.status, 'running');
  await drain();
  const done = await show(preview.id);
  assert.deepEqual([done.status, done.done, done.failed], ['done', 5, 0]);
  assert.deepEqual(await effects(preview.id), expected);
  assert.deepEqual((await h.show(roomy.id)).consented?.amount, gbp(4999));
  assert.equal((await h.show(roomy.id)).consent_url, undefined);
  for (const one of [roomy, tight, waiting])
    assert.deepEqual((await h.show(one.id)).amount, gbp(5400));
  assert.deepEqual((await h.show(tight.id)).consented?.amount, gbp(4999));
  assert.ok((await h.show(tight.id)).consent_url, 'the customer is asked again');
  assert.deepEqual((await h.show(largest.id)).amount, gbp(100_000_000));
  const [refused] = await lines(preview.id, '&effect=refused');
  assert.equal(refused?.error_code, 'schedule_cancelled');

  const again = await run(preview.id);
  assert.equal(again.status, 'done', 'what is done is not done again');
  await drain();
  assert.deepEqual((await h.show(roomy.id)).amount, gbp(5400));
});

test('the audit trail of each schedule names the change, and who asked for it', async () => {
  const one = await h.agreed({ customer: customer() });
  const { id } = await ask({ schedule_ids: [one.id], change: { status: 'paused' } });
  await drain();
  const trail = await h.db.read((tx) =>
    tx.rows<{ toState: string; reason: string; actor: string }>(
      `SELECT to_state, reason, actor FROM state_changes WHERE object_id = $1 ORDER BY change_id DESC LIMIT 2`,
      [one.id],
    ),
  );
  assert.deepEqual(
    trail.map(({ toState, reason }) => [toState, reason]),
    [
      ['changed_with_many', id],
      ['paused', 'paused by the merchant'],
    ],
  );
  for (const { actor } of trail) assert.match(actor, /^api_key:/);
  const events = await h.db.read((tx) =>
    tx.rows(`SELECT 1 FROM events WHERE kind = 'schedule.paused' AND schedule_id = $1`, [one.id]),
  );
  assert.equal(events.length, 1, 'the webhook of a change of one');
});

test('of schedules that share a consent, the first that fits changes and the next one is asked', async () => {
  const side = await h.merchant({ reuseConsent: true });
  const same = customer();
  const limits = { per_payment: gbp(3000), per_period: gbp(3000) };
  const first = await side.agreed({ customer: same, amount: gbp(1000), limits });
  const second = await side.create({ customer: same, amount: gbp(1000) });
  assert.equal(second.status, 'active', 'the consent covers both');
  const { body } = await http.call(
    'POST',
    '/schedule_changes',
    { schedule_ids: [second.id, first.id], change: { amount: gbp(1800) }, preview: true },
    side.merchantId,
  );
  assert.deepEqual([body.within_consent, body.needs_consent], [1, 1]);
  await http.call('POST', `/schedule_changes/${body.id}/run`, undefined, side.merchantId);
  await drain();
  const after = await http.call('GET', `/schedule_changes/${body.id}`, undefined, side.merchantId);
  const { within_consent, needs_consent, refused } = after.body;
  assert.deepEqual([within_consent, needs_consent, refused], [1, 1, 0]);
  assert.equal((await side.show(first.id)).consent_url, undefined);
  assert.ok((await side.show(second.id)).consent_url);
});

test('a schedule that was changed in between keeps what it was changed to, and its line says so', async () => {
  const one = await h.agreed({ customer: customer() });
  const other = await h.agreed({ customer: customer() });
  const preview = await ask({
    schedule_ids: [one.id, other.id],
    change: { amount: gbp(4000) },
    preview: true,
  });
  await h.update(one.id, { amount: gbp(4500) });
  await h.update(other.id, { status: 'paused' });
  await run(preview.id);
  await drain();
  const { refused, done } = await show(preview.id);
  assert.deepEqual([refused, done], [2, 2]);
  for (const line of await lines(preview.id))
    assert.deepEqual([line.effect, line.error_code], ['refused', 'schedule_changed']);
  assert.deepEqual((await h.show(one.id)).amount, gbp(4500));
  assert.deepEqual((await h.show(other.id)).amount, gbp(4999));
});

test('a line whose effect would be another than was said is refused, and nothing of it stays', async () => {
  const side = await h.merchant({ reuseConsent: true });
  const same = customer();
  const limits = { per_payment: gbp(3000), per_period: gbp(3000) };
  const first = await side.agreed({ customer: same, amount: gbp(1000), limits });
  const { body: preview } = await http.call(
    'POST',
    '/schedule_changes',
    { schedule_ids: [first.id], change: { amount: gbp(2500) }, preview: true },
    side.merchantId,
  );
  assert.equal(preview.within_consent, 1);
  await side.create({ customer: same, amount: gbp(1000) }); // takes the room
  await http.call('POST', `/schedule_changes/${preview.id}/run`, undefined, side.merchantId);
  await drain();
  const path = `/schedule_changes/${preview.id}/lines`;
  const [line] = (await http.call('GET', path, undefined, side.merchantId)).body.data;
  assert.deepEqual([line.effect, line.error_code], ['refused', 'effect_changed']);
  assert.deepEqual((await side.show(first.id)).amount, gbp(1000));
  assert.equal((await side.show(first.id)).consent_url, undefined);
});

test('a preview refuses what an update would, while a consent is being set up', async () => {
  const raised = await h.agreed({ customer: customer() });
  await h.update(raised.id, { amount: gbp(5999) });
  const moved = await h.agreed({ customer: customer() });
  await h.anotherAccount(moved.id);
  const ids = [raised.id, moved.id];
  const setUp = (from: string, to: string): Promise<unknown> =>
    h.db.transaction((tx) =>
      tx.run('UPDATE consents SET status = $3 WHERE schedule_id = ANY($1) AND status = $2', [
        ids,
        from,
        to,
      ]),
    );
  await setUp('pending', 'authorised');
  for (const value of [1000, 6999]) {
    const change = { amount: gbp(value) };
    for (const id of ids)
      await assert.rejects(h.update(id, change), refusedWith('request_in_progress'));
    const preview = await ask({ schedule_ids: ids, change, preview: true });
    for (const line of await lines(preview.id))
      assert.deepEqual([line.effect, line.error_code], ['refused', 'request_in_progress']);
  }
  await setUp('authorised', 'pending');
});

test('what failed for now is run again, and what was done is not', async () => {
  const one = await h.create({ customer: customer() });
  const two = await h.agreed({ customer: customer() });
  const preview = await ask({
    schedule_ids: [one.id, two.id],
    change: { amount: gbp(4000) },
    preview: true,
  });
  // The bank has the customer's yes, and the wallet is not open yet.
  await h.db.transaction((tx) =>
    tx.run(`UPDATE consents SET status = 'authorised' WHERE schedule_id = $1`, [one.id]),
  );
  await run(preview.id);
  await drain();
  const failed = await show(preview.id);
  assert.deepEqual([failed.status, failed.done, failed.failed], ['done', 1, 1]);
  const [line] = await lines(preview.id, '&state=failed');
  assert.equal(line?.error_code, 'request_in_progress');
  await h.db.transaction((tx) =>
    tx.run(`UPDATE consents SET status = 'pending' WHERE schedule_id = $1`, [one.id]),
  );
  assert.equal((await run(preview.id)).status, 'running');
  await drain();
  const after = await show(preview.id);
  assert.deepEqual([after.status, after.done, after.failed], ['done', 2, 0]);
  assert.deepEqual((await h.show(one.id)).amount, gbp(4000));
  const versions = await h.db.read((tx) =>
    tx.rows('SELECT version FROM schedule_terms WHERE schedule_id = $1', [two.id]),
  );
  assert.equal(versions.length, 2);
});

test('a filter stands for all that the list shows with it', async () => {
  const side = await h.merchant();
  for (const description of ['Fibre', 'Fibre', 'Milk'])
    await side.create({ customer: customer(), description });
  const call = (body: object) => http.call('POST', '/schedule_changes', body, side.merchantId);
  const { body } = await call({
    filter: { q: 'fibre' },
    change: { status: 'cancelled' },
    preview: true,
  });
  assert.deepEqual([body.total, body.within_consent], [2, 2]);
  h.clock.at = h.clock.at.add({ seconds: 1 });
  const all = await call({ filter: {}, change: { status: 'cancelled' }, preview: true });
  assert.equal(all.body.total, 3);
  h.clock.at = h.clock.at.add({ seconds: 1 });
  const none = await call({ filter: { q: 'beer' }, change: { status: 'cancelled' } });
  assert.equal(none.body.total, 0);
  await drain();
  const listed = await http.call('GET', '/schedule_changes', undefined, side.merchantId);
  assert.deepEqual(
    listed.body.data.map((one: { id: string }) => one.id),
    [none.body.id, all.body.id, body.id],
  );
});

test('one change of a merchant runs at a time, and other merchants do not see it', async () => {
  const one = await h.create({ customer: customer() });
  const running = await ask({ schedule_ids: [one.id], change: { status: 'paused' } });
  const beside = await http.call('POST', '/schedule_changes', {
    schedule_ids: [one.id],
    change: { status: 'cancelled' },
  });
  assert.deepEqual([beside.status, beside.body.error.code], [409, 'request_in_progress']);
  const stranger = await h.merchant();
  const path = `/schedule_changes/${running.id}`;
  assert.equal((await http.call('GET', path, undefined, stranger.merchantId)).status, 404);
  const theirs = await http.call(
    'POST',
    '/schedule_changes',
    { schedule_ids: [one.id], change: { status: 'cancelled' } },
    stranger.merchantId,
  );
  assert.deepEqual(theirs.body.error.details, { 'schedule_ids.0': 'is no schedule of yours' });
  await drain();
});

test('every wrong field is named', async () => {
  const wrong = async (body: object) => {
    const answer = await http.call('POST', '/schedule_changes', body);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    return Object.keys(answer.body.error.details).sort();
  };
  const ids = { schedule_ids: ['sch_1'] };
  assert.deepEqual(await wrong({ change: {} }), ['change', 'schedule_ids']);
  assert.deepEqual(await wrong({ ...ids, filter: {}, change: { status: 'paused' } }), ['filter']);
  const amount = async (value: unknown) => wrong({ ...ids, change: { amount: value } });
  assert.deepEqual(await amount({ percent: 0 }), ['change.amount.percent']);
  assert.deepEqual(await amount({ percent: 101 }), ['change.amount.percent']);
  assert.deepEqual(await amount({ percent: -100 }), ['change.amount.percent']);
  assert.deepEqual(await amount({ percent: 1.234 }), ['change.amount.percent']);
  assert.deepEqual(await amount({ percent: 5, round_to: 0 }), ['change.amount.round_to']);
  assert.deepEqual(await amount({ percent: 5, value: 3 }), ['change.amount.value']);
  assert.deepEqual(await amount(gbp(0)), ['change.amount.value']);
  assert.deepEqual(await amount(7), ['change.amount']);
  const many = Array.from({ length: 5001 }, (_, n) => `sch_${n}`);
  assert.deepEqual(await wrong({ schedule_ids: many, change: { status: 'paused' } }), [
    'schedule_ids',
  ]);
});

test('customers who have to agree again are sent the link if the change says so, once a day', async () => {
  const known = { type: 'phone', value: '+447700907777', email: 'alex@example.com' } as const;
  const one = await h.agreed({ customer: known });
  const silent = await h.agreed({ customer: customer() });
  const { id } = await ask({
    schedule_ids: [one.id, silent.id],
    change: { amount: gbp(7000), send_link: true },
  });
  await drain();
  const links = async (change: string) =>
    Object.fromEntries((await lines(change)).map((line) => [line.schedule_id, line.link]));
  assert.deepEqual(await links(id), { [one.id]: 'by_email', [silent.id]: 'unreachable' });
  const again = await ask({ schedule_ids: [one.id], change: { send_link: true } });
  assert.equal(again.awaiting_consent, 1);
  await drain();
  assert.deepEqual(await links(again.id), { [one.id]: 'already' });
  const notices = await h.db.read((tx) =>
    tx.rows(`SELECT 1 FROM notices WHERE kind = 'approve_terms'`),
  );
  assert.equal(notices.length, 1);
});
