import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allDue, justDue } from '../../../test/races/acts.ts';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../test-support/admin.ts';
import { onlyPaymentOf } from '../../test-support/books.ts';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import { BankUnavailable } from '../banks/bank.ts';
import { createUser } from '../merchants/team/users.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { recordLetIn } from '../platform/two-people/let-in-store.ts';
import { adminRoutes } from './routes.ts';

const REGISTRATION = {
  bankId: 'fakebank',
  issuer: 'https://auth.fakebank.example',
  clientId: 'recollect-at-fakebank',
  certificates: [
    { certificate: 'tls.cert', validTo: Temporal.Instant.from('2027-01-05T09:30:00Z') },
  ],
};

let h: Harness;
let admin: TestAdmin;
let robin: AdminCaller;
let kim: AdminCaller;

before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z', { fourEyesAbovePence: 1_000 });
  const { platform, issuer, bank } = h;
  const banks = new Map([[bank.bankId, bank]]);
  admin = await testAdmin(
    platform,
    adminRoutes({
      ...{ platform, issuer, banks, distrustKey: h.service.distrustKey },
      direct: () => [REGISTRATION],
    }),
  );
  robin = await admin.as('Robin Fern');
  kim = await admin.as('Kim Ash');
});

after(async () => {
  await admin.app.close();
  await h.close();
});

const WHY = { reason: 'Ms Hill of the bank, by phone' };
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));

test('a stopped bank shows who stopped it and why, gets no order, and is sent what waited once it is resumed', async () => {
  const id = await justDue(h);
  const stopped = await robin.must('POST', '/banks/fakebank/stop', WHY);
  assert.deepEqual(stopped.registration, {
    issuer: REGISTRATION.issuer,
    client_id: REGISTRATION.clientId,
    certificates: [{ certificate: 'tls.cert', valid_to: '2027-01-05T09:30:00.000Z' }],
  });
  assert.deepEqual([stopped.name, stopped.stopped.by], ['Fake Bank', 'Robin Fern']);
  const again = await kim.must('POST', '/banks/fakebank/stop', { reason: 'me too' });
  assert.deepEqual(again.stopped, stopped.stopped);
  await h.service.engine.drain();
  assert.equal(h.bank.submitted.length, 0);
  const { waiting } = await robin.must('GET', '/banks/fakebank');
  assert.deepEqual([waiting.payments, waiting.merchants], [1, 1]);
  assert.ok(waiting.amount.value > 0 && waiting.since !== null);
  await runFor({ minutes: 10 });
  const resumed = await kim.must('POST', '/banks/fakebank/resume', WHY);
  assert.equal(resumed.stopped, null);
  const ended = resumed.last_day.at(-1).to;
  await runFor({ minutes: 20 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  const listed = await robin.must('GET', '/banks');
  assert.deepEqual([listed.total, listed.data[0].consents_granted], [1, 1]);
  assert.deepEqual([listed.data[0].waiting.payments, listed.data[0].waiting.since], [0, null]);
  const { last_day: day, last_day_stops: stops } = listed.data[0];
  assert.deepEqual(
    [day[0].from, day.at(-1).to, day.at(-1).condition],
    [formatInstant(h.clock.at.subtract({ hours: 24 })), formatInstant(h.clock.at), null],
    'the fake bank is asked within this process, which measures no call',
  );
  assert.deepEqual(stops, [{ from: stopped.stopped.since, to: ended }]);
  for (const path of ['/banks/elmbank', '/banks/elmbank/stop']) {
    const verb = path.endsWith('stop') ? 'POST' : 'GET';
    const { status } = await robin.call(verb, path, verb === 'POST' ? WHY : undefined);
    assert.equal(status, 404, path);
  }
});

test('a payment without an outcome is listed with its age, and ended once the bank is no longer asked', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') throw new BankUnavailable('lost');
  };
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const early = await robin.call('POST', `/payments/${paymentId}/fail`, WHY);
  assert.deepEqual([early.status, early.body.error.code], [409, 'operation_refused']);
  assert.match(early.body.error.message, /^The payment was sent at .*\.$/);
  await runFor({ hours: 25 });
  h.bank.cheerUp();
  const waiting = await robin.must('GET', '/payments/waiting');
  assert.deepEqual(
    waiting.data.map((one: { payment_id: string; waits_for: string; age: string }) => [
      one.payment_id,
      one.waits_for,
      one.age,
    ]),
    [[paymentId, 'no_outcome', '1 day 1 hour']],
  );
  const overdue = await robin.must('GET', '/overdue');
  assert.deepEqual([overdue.total, overdue.data[0].id], [1, paymentId]);
  const states = await robin.must('GET', '/overdue/states');
  assert.deepEqual(states.data, [
    { noun: 'payments', state: 'submit', count: 1, oldest: overdue.data[0] },
  ]);
  const key = { 'idempotency-key': 'fail-it' };
  const ended = await robin.call('POST', `/payments/${paymentId}/fail`, WHY, key);
  assert.deepEqual(ended.body, { payment_id: paymentId, status: 'failed' });
  const replayed = await robin.call('POST', `/payments/${paymentId}/fail`, WHY, key);
  assert.deepEqual([replayed.body, replayed.headers['idempotent-replayed']], [ended.body, 'true']);
  const other = await robin.call('POST', `/payments/${paymentId}/fail`, WHY);
  assert.equal(other.body.error.code, 'operation_refused');
  const log = await robin.must('GET', `/activity?object_id=${paymentId}`);
  assert.equal(log.data[0].operator, 'Robin Fern');
  assert.match(log.data[0].reason, /Ms Hill/);
});

test('money above the operator’s amount goes to its payment once two operators decide the same', async () => {
  h.bank.mood.slow = true;
  const [id] = await allDue(h, 1);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id ?? '');
  const atBank = h.bank.paymentOf(paymentId, 1);
  atBank.status = 'credited';
  h.issuer.payIn({ ...atBank, amountPence: 2_000 });
  await runFor({ hours: 1 });
  h.bank.cheerUp();
  const { data, total } = await robin.must('GET', '/unallocated');
  assert.deepEqual([total, data[0].amount.value], [1, 2_000]);
  const path = `/unallocated/${data[0].item_id}`;
  const body = { ...WHY, payment_id: paymentId };
  for (const end of ['role', 'removal'] as const) {
    const gone = await admin.as(`Lost The ${end}`);
    await gone.must('POST', `${path}/accept`, body);
    if (end === 'removal') await robin.must('DELETE', `/operators/${gone.operatorId}`);
    else
      await robin.must('PUT', `/operators/${gone.operatorId}/roles`, {
        roles: ['support'],
        ...WHY,
      });
    const next = await kim.must('POST', `${path}/accept`, body);
    assert.equal(next.waits_for_second, true, `what they proposed counts for nothing: ${end}`);
    await h.db.transaction((tx) => tx.run('UPDATE unallocated_items SET proposed = NULL'));
  }
  const first = await robin.must('POST', `${path}/accept`, body);
  assert.deepEqual([first.waits_for_second, first.item.proposed.by], [true, 'Robin Fern']);
  const alone = await robin.call('POST', `${path}/accept`, body);
  assert.equal(alone.body.error.code, 'operation_refused');
  const puppet = await admin.as('Robins Other Me');
  const made = { personId: puppet.operatorId, byId: robin.operatorId, how: 'made' } as const;
  await h.db.transaction((tx) => recordLetIn(tx, { ...made, merchantId: null, at: h.clock.at }));
  const same = await puppet.call('POST', `${path}/accept`, body);
  assert.equal(same.body.error.code, 'operation_refused');
  const second = await kim.must('POST', `${path}/accept`, body);
  assert.equal(second.waits_for_second, false);
  assert.deepEqual(
    [second.item.ended.by, second.item.ended.confirmed_by],
    ['Robin Fern', 'Kim Ash'],
  );
  assert.equal((await robin.must('GET', '/unallocated')).total, 0);
  assert.ok((await robin.must('GET', '/unallocated?status=all')).total >= 1);
  const unknown = await robin.call('POST', '/unallocated/una_x/return', WHY);
  assert.equal(unknown.status, 404);
});

test('a day is reconciled on demand; a difference is resolved once, under the operator’s name', async () => {
  const report = await robin.must('POST', '/reconciliation/reports/2026-01-05/run');
  assert.deepEqual([report.date, report.unknown], ['2026-01-05', null]);
  const listed = await robin.must('GET', '/reconciliation/reports');
  assert.equal(listed.data[0].date, '2026-01-05');
  await h.db.transaction((tx) =>
    tx.run(
      `INSERT INTO reconciliation_items (issuer, item, date, amount_pence, what, found_at, seen_at)
       VALUES ('issuer', 'line 7', '2026-01-05', 7, 'is only on the statement', $1, $1)`,
      [h.clock.at],
    ),
  );
  const open = await robin.must('GET', '/reconciliation/differences');
  assert.ok(open.data.some((one: { item: string }) => one.item === 'line 7'));
  const body = { item: 'line 7', resolution: 'a test payment of ours' };
  await robin.must('POST', '/reconciliation/differences/resolve', body);
  const again = await robin.call('POST', '/reconciliation/differences/resolve', body);
  assert.equal(again.status, 404);
  const { differences } = await robin.must('GET', '/reconciliation/reports/2026-01-05');
  const resolved = differences.find((one: { item: string }) => one.item === 'line 7');
  assert.deepEqual([resolved.resolved_by, resolved.resolution], ['Robin Fern', body.resolution]);
  const wrong = await robin.call('GET', '/reconciliation/reports/monday');
  assert.deepEqual(Object.keys(wrong.body.error.details), ['date']);
  const future = await robin.call('POST', '/reconciliation/reports/2036-01-01/run');
  assert.deepEqual(Object.keys(future.body.error.details), ['date']);
});

test('a user is found by name, address and id, and a member is removed at once', async () => {
  const { merchant, owner } = await robin.must('POST', '/merchants', {
    name: 'Elm Gym',
    email: 'help@elm.example',
    website: 'https://elm.example',
    address: '1 Elm Row, York',
    terms: 'Cancel at any time.',
    settlement_account: { name: 'Elm Gym', sort_code: '089999', account_number: '66374958' },
    owner: { name: 'Sam Elm', email: 'sam@elm.example' },
  });
  for (const query of ['q=sam', 'q=SAM%40ELM', `q=${owner.id}`, `merchant_id=${merchant.id}`]) {
    const { data } = await robin.must('GET', `/users?${query}`);
    assert.deepEqual(
      data.map((one: { id: string }) => one.id),
      [owner.id],
      query,
    );
  }
  const { platform } = h;
  const asked = { now: h.clock.at, merchantId: merchant.id, actorId: 'operator:test' };
  const wanted = { email: 'dev@elm.example', name: 'Dev Elm', role: 'developer' } as const;
  const { userId } = await h.db.transaction((tx) => createUser(platform, { tx, ...asked }, wanted));
  const removed = await robin.must('POST', `/users/${userId}/remove`, WHY);
  assert.deepEqual(
    [removed.is_deleted, removed.request, removed.user.teams],
    [true, null, [{ merchant_id: merchant.id, role: 'developer' }]],
  );
  assert.equal((await robin.call('GET', `/users/${userId}`)).status, 404);
});

test('somebody is put on a team by a link, or, where their address has an account, by an invitation', async () => {
  const path = `/merchants/${h.merchantId}/users`;
  const person = { email: 'Pat@Elm.example', name: 'Pat Elm', role: 'finance' };
  const made = await robin.must('POST', path, person);
  assert.deepEqual([made.email, made.existing_account], ['pat@elm.example', null]);
  assert.match(made.url, /\/dashboard\/new-password\?token=[\w-]{43}$/);
  const again = await robin.call('POST', path, person);
  assert.deepEqual(again.body.error.details, { email: 'is a member of the team already' });
  const { data } = await robin.must('GET', '/users?q=sam@elm');
  const known = await robin.must('POST', path, { ...person, email: data[0].email });
  assert.deepEqual([known.existing_account.id, known.id], [data[0].id, data[0].id]);
  assert.doesNotMatch(known.url, /new-password/);
  assert.equal((await robin.must('GET', `/users/${known.id}`)).teams.length, 1, 'not on it yet');
  const nobody = await robin.call('POST', '/merchants/mer_x/users', person);
  assert.equal(nobody.status, 404);
  const wrong = await robin.call('POST', path, { ...person, role: 'cook' });
  assert.deepEqual(Object.keys(wrong.body.error.details), ['role']);
});

test('one search finds merchants and users by name, and whatever has an id', async () => {
  const id = await justDue(h);
  await runFor({ minutes: 5 });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const found = async (q: string) =>
    (await robin.must('GET', `/search?q=${encodeURIComponent(q)}`)).data.map(
      (one: { kind: string; id: string }) => [one.kind, one.id],
    );
  assert.deepEqual(await found(paymentId), [['payment', paymentId]]);
  assert.deepEqual(await found(`${paymentId}-a1`), [['payment', paymentId]]);
  assert.deepEqual(await found(id), [['schedule', id]]);
  assert.deepEqual(await found(h.merchantId), [['merchant', h.merchantId]]);
  assert.ok((await found('fernhill')).some(([kind]: string[]) => kind === 'merchant'));
  assert.deepEqual(await found('pay_0000000000000000000001'), []);
});

test('the activity log is filtered by operator, action and time, and exported as a file', async () => {
  const stops = await robin.must('GET', '/activity?action=bank_stopped');
  assert.deepEqual(
    stops.data.map((one: { operator: string; object_id: string; merchant_id: null }) => [
      one.operator,
      one.object_id,
      one.merchant_id,
    ]),
    [['Robin Fern', 'fakebank', null]],
  );
  const kims = await robin.must('GET', '/activity?operator=Kim%20Ash&limit=1');
  assert.equal(kims.data.length, 1);
  assert.ok(kims.total > 1);
  assert.equal((await robin.must('GET', '/activity?from=2036-01-01T00:00:00Z')).total, 0);
  const file = await admin.app.inject({
    url: '/admin/v1/activity/csv?action=bank_stopped',
    headers: { authorization: `Bearer ${robin.key}` },
  });
  assert.match(String(file.headers['content-disposition']), /activity-.*\.csv/);
  const [head, row] = file.body.split('\r\n');
  assert.equal(head, 'at,operator,action,object_id,merchant_id,from,reason');
  assert.match(row ?? '', /,Robin Fern,bank_stopped,fakebank,,,"Ms Hill of the bank, by phone"$/);
  assert.equal((await admin.app.inject('/admin/v1/activity/csv')).statusCode, 401);
});
