import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import {
  type PortalVisitor,
  portalVisitor,
  termsVersionOf,
  textOf,
} from '../../test-support/portal-visitor.ts';

let bench: PortalBench;
let customer: PortalVisitor;
let stranger: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
  stranger = portalVisitor(bench);
});
after(() => bench.close());

type Answer = Awaited<ReturnType<PortalVisitor['get']>>;

const pendingIn = (answer: Answer): string =>
  /name="pending" value="([^"]+)"/.exec(answer.body)?.[1] ?? '';

/** Returns everything in a page, its redirect and its cookies. */
const saidBy = ({ body, headers }: Answer): string => `${body} ${JSON.stringify(headers)}`;

test('leaving for the bank marks the browser, for this journey and the callback alone', async () => {
  const w = await customer.waiting();
  const answer = await customer.choose(w.token);
  const [line = ''] = [answer.headers['set-cookie'] ?? []].flat();
  assert.match(
    line,
    /^recollect_journey_[0-9a-f]{16}=[\w-]{43}; Path=\/consent\/callback; Max-Age=3600; HttpOnly; SameSite=Lax$/,
  );
});

test('over https the mark is secure', async (t) => {
  const secure = await portalBench({ baseUrl: 'https://pay.example/recollect' });
  t.after(() => secure.close());
  const visitor = portalVisitor(secure);
  const w = await visitor.waiting();
  const answer = await visitor.choose(w.token);
  const [line = ''] = [answer.headers['set-cookie'] ?? []].flat();
  assert.match(line, /; Path=\/recollect\/consent\/callback; .*; SameSite=Lax; Secure$/);
});

test('two tabs of one browser go to the bank and come back, each on its own', async () => {
  const [one, two] = [await customer.waiting(), await customer.waiting()];
  const [first, second] = [await customer.depart(one.token), await customer.depart(two.token)];
  await customer.arrive(first);
  await customer.arrive(second);
  assert.deepEqual(
    [await customer.statusOf(one), await customer.statusOf(two)],
    ['active', 'active'],
  );
});

test('another browser is shown what it would allow, is asked, and learns no secret', async () => {
  const w = await customer.waiting();
  const state = await customer.depart(w.token);
  const asked = await stranger.arrive(state);
  assert.equal(asked.statusCode, 200);
  const text = textOf(asked);
  for (const shown of [
    'Did you start this?',
    'Full fibre 300 and line rental',
    '£34.99',
    'First payment Tuesday 31 March 2026',
    'Up to £34.99 per payment.',
    'Alder Bank',
    'Yes, I started this',
    'No, this was not me',
  ])
    assert.ok(text.includes(shown), `${shown}\n${text}`);
  assert.ok(!saidBy(asked).includes(w.token));
  assert.equal(await customer.statusOf(w), 'pending_consent', 'nothing is exchanged yet');
  const yes = await stranger.post('callback', { pending: pendingIn(asked), started: 'yes' });
  assert.equal(yes.statusCode, 200);
  assert.match(textOf(yes), /Thank you, you’re all set/);
  assert.ok(!saidBy(yes).includes(w.token), 'no way to the link');
  assert.equal(await customer.statusOf(w), 'active');
});

test('a yes of another browser leads to the merchant, where it has a return address', async () => {
  const w = await customer.waiting({}, { returnUrl: 'https://shop.example/' });
  const asked = await stranger.arrive(await customer.depart(w.token));
  const yes = await stranger.post('callback', { pending: pendingIn(asked), started: 'yes' });
  assert.match(String(yes.headers.location), /^https:\/\/shop\.example\/\?schedule_id=/);
});

test('a no drops the authorisation: nothing is granted, the bank deletes it, the link stands', async () => {
  const w = await customer.waiting();
  const state = await customer.depart(w.token);
  const asked = await stranger.arrive(state);
  const no = await stranger.post('callback', { pending: pendingIn(asked), started: 'no' });
  assert.match(textOf(no), /Nothing has been agreed/);
  assert.ok(!saidBy(no).includes(w.token));
  const { db } = bench.platform;
  const row = await db.read((tx) =>
    tx.row(
      `SELECT status, bank_consent_id,
         (SELECT count(*)::int FROM bank_revocations r WHERE r.merchant_id = c.merchant_id) AS deletions
       FROM consents c WHERE merchant_id = $1`,
      [w.merchantId],
    ),
  );
  assert.deepEqual(row, { status: 'pending', bankConsentId: null, deletions: 1 });
  const replayed = await stranger.post('callback', { pending: pendingIn(asked), started: 'yes' });
  assert.equal(replayed.statusCode, 404);
  assert.equal((await customer.arrive(state)).statusCode, 404, 'the first browser’s answer too');
  assert.equal(await customer.statusOf(w), 'pending_consent');
  await customer.arrive(await customer.depart(w.token));
  assert.equal(await customer.statusOf(w), 'active', 'the link goes on');
});

test('what is held for one browser is nothing in another, and nothing when it was altered', async () => {
  const w = await customer.waiting();
  const asked = await stranger.arrive(await customer.depart(w.token));
  const third = portalVisitor(bench);
  for (const [who, pending] of [
    [third, pendingIn(asked)],
    [stranger, `${pendingIn(asked).slice(0, -4)}AAAA`],
    [stranger, 'anything'],
  ] as const) {
    const answer = await who.post('callback', { pending, started: 'yes' });
    assert.equal(answer.statusCode, 404);
    assert.ok(!saidBy(answer).includes(w.token));
  }
  const silent = await stranger.post('callback', { pending: pendingIn(asked) });
  assert.match(textOf(silent), /Did you start this\?/, 'neither yes nor no');
  assert.equal(await customer.statusOf(w), 'pending_consent');
});

test('a held answer does not outlive the link', async () => {
  const w = await customer.waiting();
  const asked = await stranger.arrive(await customer.depart(w.token));
  const began = bench.platform.clock.at;
  bench.platform.clock.at = began.add({ hours: 24 * 8 });
  const late = await stranger.post('callback', { pending: pendingIn(asked), started: 'yes' });
  bench.platform.clock.at = began;
  assert.ok(!saidBy(late).includes(w.token));
  assert.notEqual(await customer.statusOf(w), 'active');
});

test('a bank that goes silent can be asked again, with the same answer, by the same browser', async () => {
  const w = await customer.waiting();
  const asked = await stranger.arrive(await customer.depart(w.token));
  bench.banks.alder.isDown = true;
  const out = await stranger.post('callback', { pending: pendingIn(asked), started: 'yes' });
  bench.banks.alder.isDown = false;
  assert.equal(out.statusCode, 503);
  assert.ok(!saidBy(out).includes(w.token));
  await stranger.post('callback', { pending: pendingIn(out), started: 'yes' });
  assert.equal(await customer.statusOf(w), 'active');
});

test('an answer that does not hold shows another browser no way to the link', async () => {
  const w = await customer.waiting();
  const asked = await stranger.arrive(await customer.depart(w.token), 'code=forged');
  const yes = await stranger.post('callback', { pending: pendingIn(asked), started: 'yes' });
  assert.equal(yes.statusCode, 404);
  assert.ok(!saidBy(yes).includes(w.token));
  assert.equal(await customer.statusOf(w), 'pending_consent');
});

test('a page that shows older terms sends nothing to the bank, and comes again with what changed', async () => {
  const w = await customer.waiting();
  const page = await customer.get(w.token);
  const version = termsVersionOf(page);
  await bench.update(w.merchantId, w.scheduleId, { amount: { value: 9999, currency: 'GBP' } });
  const fields = { bank_id: 'alder', terms_version: version };
  const stale = await customer.post(`${w.token}/bank`, fields);
  assert.equal(stale.statusCode, 409);
  assert.equal(stale.headers['set-cookie'], undefined);
  const text = textOf(stale);
  assert.match(text, /The terms have changed/);
  assert.match(text, /£99\.99 Before: £34\.99/);
  assert.doesNotMatch(text, /Your decision there/);
  const fresh = termsVersionOf(stale);
  assert.notEqual(fresh, version);
  const gone = await customer.post(`${w.token}/bank`, { ...fields, terms_version: fresh });
  assert.equal(gone.statusCode, 303);
  for (const odd of ['0', '999999', 'x'.repeat(5)])
    assert.notEqual(
      (await customer.post(`${w.token}/bank`, { ...fields, terms_version: odd })).statusCode,
      500,
    );
});

test('a form that does not say which terms it showed sends nothing to the bank; the page comes again', async () => {
  const w = await customer.waiting();
  for (const said of [undefined, '', 'x', '-1', '1.0', '1 ', '9'.repeat(30)]) {
    const fields = { bank_id: 'alder', ...(said === undefined ? {} : { terms_version: said }) };
    const answer = await customer.post(`${w.token}/bank`, fields);
    assert.equal(answer.statusCode, 409, `${said}`);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.match(textOf(answer), /Please check the terms again/);
    assert.match(answer.body, /value="alder"\s+checked/, 'the choice of bank is kept');
  }
  assert.equal((await customer.choose(w.token)).statusCode, 303);
});

test('who is at the bank when the terms change comes back to what changed, and goes on', async () => {
  const w = await customer.waiting();
  const state = await customer.depart(w.token);
  await bench.update(w.merchantId, w.scheduleId, { amount: { value: 9999, currency: 'GBP' } });
  await bench.update(w.merchantId, w.scheduleId, { amount: { value: 7777, currency: 'GBP' } });
  const elsewhere = await stranger.arrive(state);
  assert.equal(elsewhere.statusCode, 404);
  assert.match(textOf(elsewhere), /The terms have changed/);
  assert.ok(!saidBy(elsewhere).includes(w.token));
  const back = await customer.arrive(state);
  assert.equal(back.statusCode, 409);
  assert.match(textOf(back), /£77\.77 Before: £34\.99/);
  assert.match(
    textOf(back),
    /while you were at your bank.*Your decision there was about the earlier terms, so we have not used it/,
  );
  assert.equal(await customer.statusOf(w), 'pending_consent');
  const version = termsVersionOf(back);
  const on = await customer.post(`${w.token}/bank`, { bank_id: 'alder', terms_version: version });
  assert.equal(on.statusCode, 303);
});

const ACCOUNT = { sort_code: '991001', account_number: '10000011' };

test('a customer named by account pays from it: the bank is asked for it, and another one is refused', async (t) => {
  const { alder } = bench.banks;
  const { createConsent, readConsent } = alder;
  t.after(() => Object.assign(alder, { createConsent, readConsent }));
  const asked: unknown[] = [];
  alder.createConsent = (request) => {
    asked.push(request.debtor);
    return createConsent(request);
  };
  let accountNumber = ACCOUNT.account_number;
  alder.readConsent = async (id) => ({
    ...(await readConsent(id)),
    debtor: { sortCode: ACCOUNT.sort_code, accountNumber, name: 'MS A HOLDER' },
  });
  const given = { customer: { type: 'bank_account', ...ACCOUNT } };
  const w = await customer.granted(given);
  assert.deepEqual(asked, [{ sortCode: '991001', accountNumber: '10000011', name: 'Customer' }]);
  assert.equal(await customer.statusOf(w), 'active');
  assert.match(textOf(await customer.get(w.token)), /Your account ending in 0011 at Alder Bank/);
  const { db } = bench.platform;
  const kept = await db.read((tx) =>
    tx.row<{ initiation: string; payingAccount: string }>(
      'SELECT initiation, paying_account FROM consents WHERE merchant_id = $1',
      [w.merchantId],
    ),
  );
  assert.ok(!JSON.stringify(kept).includes(ACCOUNT.account_number), 'sealed');
  const view = await bench.update(w.merchantId, w.scheduleId, { description: 'Broadband' });
  assert.deepEqual(view.paying_account, { sort_code: '**-**-**', account_number: '****0011' });

  accountNumber = '10000029';
  const other = await customer.granted(given);
  assert.equal(await customer.statusOf(other), 'cancelled');
  const refused = await db.read((tx) =>
    tx.row(
      `SELECT (SELECT count(*)::int FROM events WHERE merchant_id = $1 AND kind = 'schedule.setup_failed') AS told,
         (SELECT count(*)::int FROM bank_revocations WHERE merchant_id = $1) AS deletions,
         (SELECT reason FROM state_changes WHERE merchant_id = $1 AND object_id LIKE 'con_%'
          AND to_state = 'rejected') AS reason`,
      [other.merchantId],
    ),
  );
  assert.deepEqual(refused, { told: 1, deletions: 1, reason: 'consent_account_mismatch' });
});
