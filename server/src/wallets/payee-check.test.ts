import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import { FERNHILL } from '../../test-support/merchant.ts';
import { normalisedAccount } from '../merchants/rules.ts';
import { createMerchant } from '../merchants/service.ts';
import { MOST_CHECKS, type PayeeAnswer } from '../merchants/settlement-account/payee-check.ts';
import { findLatestCheckOf } from '../merchants/settlement-account/payee-check-store.ts';
import { ApiError } from '../platform/values/errors.ts';
import { IssuerRefused, IssuerUnavailable } from './issuer.ts';
import { PROTOCOL_LIMITS } from './issuer-http.ts';
import { checkPayee } from './payee-check.ts';
import { planMerchantWallet } from './service.ts';

const ACCOUNT = { name: 'Fernhill', sortCode: '20-00-00', accountNumber: '55779911' };
const MATCH: PayeeAnswer = {
  result: 'match',
  reason: null,
  bankName: null,
  evidence: 'C1 MATCHED',
};
const CLOSE: PayeeAnswer = { ...MATCH, result: 'close_match', bankName: 'Fernhill Ltd' };

let h: Harness;
let asked = 0;
before(async () => {
  h = await openHarness();
});
after(() => h.close());

/** Lets the issuer answer so, and counts how often it is asked. */
function answering(answer: () => Promise<PayeeAnswer>): void {
  asked = 0;
  h.issuer.checkPayee = () => {
    asked += 1;
    return answer();
  };
}

beforeEach(() => answering(async () => MATCH));
afterEach(async () => {
  h.issuer.limits = { ...PROTOCOL_LIMITS, transfersMayBePending: false };
  await h.runUntil(h.clock.at.add({ hours: 25 }));
});

const check = (account = ACCOUNT, { by = 'member:usr_1', merchantId = h.merchantId } = {}) =>
  checkPayee(
    { platform: h.platform, issuer: h.issuer, patienceMs: 200 },
    {
      merchantId,
      by,
      transact: (work) => h.db.forMerchant(merchantId, work, { actor: by }),
      refuse: async () => undefined,
    },
    account,
  );

const rows = (sql: string) =>
  h.db.read((tx) => tx.rows<Record<string, unknown>>(sql, [h.merchantId]));
const stored = async () =>
  (
    await rows('SELECT * FROM payee_checks WHERE merchant_id = $1 ORDER BY check_id DESC LIMIT 1')
  )[0];
const trail = () =>
  rows(`SELECT actor, reason FROM state_changes WHERE merchant_id = $1 AND to_state = 'payee_checked'
        ORDER BY change_id DESC`);
const reasonOf = async (...given: Parameters<typeof check>) => {
  const { result, reason } = await check(...given);
  return `${result} ${reason}`;
};

test('a check is recorded with account, answer and the issuer’s word, and audited without the bank’s name', async () => {
  answering(async () => CLOSE);
  const made = await check();
  assert.deepEqual(
    [made.result, made.bankName, made.askedAt],
    ['close_match', 'Fernhill Ltd', h.clock.at],
  );
  const row = await stored();
  assert.deepEqual(
    [row?.checkId, row?.result, row?.evidence, row?.askedBy],
    [made.checkId, 'close_match', CLOSE.evidence, 'member:usr_1'],
  );
  assert.doesNotMatch(JSON.stringify(row), /Fernhill|55779911/, 'the account and name are sealed');
  const [entry] = await trail();
  assert.deepEqual(entry, {
    actor: 'member:usr_1',
    reason: 'Fernhill ••••00 ••••9911, name check: close match',
  });
});

test('no name comes with anything but a close match, whatever the issuer sends', async () => {
  for (const result of ['match', 'no_match', 'unavailable'] as const) {
    answering(async () => ({ ...CLOSE, result }));
    const made = await check({ ...ACCOUNT, name: result });
    assert.deepEqual([made.result, made.bankName], [result, null]);
    assert.equal((await stored())?.bankName, null);
  }
});

test('an issuer that is slow, down, at fault or has no such check stops nobody', async () => {
  const failing = (error: Error) => answering(() => Promise.reject(error));
  answering(() => new Promise(() => undefined));
  assert.equal(await reasonOf(), 'unavailable no_answer');
  for (const error of [
    new IssuerUnavailable('down'),
    new IssuerRefused('not_found', 'no such path'),
    new TypeError('a defect'),
  ]) {
    failing(error);
    assert.equal(await reasonOf(), 'unavailable no_answer', error.message);
  }
  answering(async () => MATCH);
  h.issuer.limits = { ...h.issuer.limits, checksPayees: false };
  assert.deepEqual([await reasonOf(), asked], ['unavailable not_offered', 0]);
});

test('an answer that comes too late changes nothing any more', async () => {
  const late = Promise.withResolvers<PayeeAnswer>();
  answering(() => late.promise);
  assert.equal(await reasonOf(), 'unavailable no_answer');
  late.resolve(CLOSE);
  await sleep(20);
  assert.deepEqual([(await stored())?.result, (await stored())?.bankName], ['unavailable', null]);
});

test('a merchant whose wallet is not open is not asked about, and an unknown one is 404', async () => {
  const fresh = await createMerchant(h.platform, FERNHILL, (tx, merchantId) =>
    planMerchantWallet(h.platform, { tx, now: h.clock.at, merchantId }),
  );
  const { merchantId } = fresh;
  assert.deepEqual(
    [await reasonOf(ACCOUNT, { merchantId }), asked],
    ['unavailable no_wallet_yet', 0],
  );
  const unknown = { merchantId: 'mer_0000000000000000000000' };
  await assert.rejects(check(ACCOUNT, unknown), { code: 'not_found' });
});

test('the same account and name are asked about once in a while; another name, and no verdict, again', async () => {
  const first = await check();
  assert.equal((await check({ ...ACCOUNT, sortCode: '200000' })).checkId, first.checkId);
  assert.equal(asked, 1);
  assert.notEqual((await check({ ...ACCOUNT, name: 'Fernhill Ltd' })).checkId, first.checkId);
  await h.runUntil(h.clock.at.add({ minutes: 16 }));
  assert.notEqual((await check()).checkId, first.checkId);
  answering(() => Promise.reject(new IssuerUnavailable('down')));
  const other = { ...ACCOUNT, accountNumber: '55779912' };
  await check(other);
  await check(other);
  assert.equal(asked, 2);
});

test('nobody probes names: a day has ten checks for the team, however many at once, and ten for operators', async () => {
  const names = Array.from({ length: MOST_CHECKS + 5 }, (_, n) => ({
    ...ACCOUNT,
    name: `Name ${n}`,
  }));
  const made = await Promise.all(
    names.map((account, n) =>
      check(account, { by: n % 2 === 0 ? 'member:usr_1' : 'member:usr_2' }),
    ),
  );
  assert.equal(asked, MOST_CHECKS);
  assert.equal(made.filter(({ reason }) => reason === 'too_many_checks').length, 5);
  assert.equal(await reasonOf({ ...ACCOUNT, name: 'Mule' }), 'unavailable too_many_checks');
  assert.equal(await reasonOf({ ...ACCOUNT, name: 'Elm' }, { by: 'operator:Kim' }), 'match null');
  await h.runUntil(h.clock.at.add({ hours: 24 }));
  assert.equal(await reasonOf({ ...ACCOUNT, name: 'Mule' }), 'match null');
});

test('no verdict vanishes behind too many checks, and what asked nobody leaves one row a day', async () => {
  answering(async () => ({ ...MATCH, result: 'no_match' }));
  const mule = { ...ACCOUNT, name: 'Mule' };
  const verdict = await check(mule);
  await h.runUntil(h.clock.at.add({ minutes: 20 }));
  for (let n = 1; n < MOST_CHECKS; n++) await check({ ...ACCOUNT, name: `Name ${n}` });
  const before = (await rows('SELECT 1 FROM payee_checks WHERE merchant_id = $1')).length;
  for (let n = 0; n < 3; n++) assert.equal((await check(mule)).checkId, verdict.checkId);
  for (const name of ['Ash', 'Oak', 'Ash'])
    assert.equal(await reasonOf({ ...ACCOUNT, name }), 'unavailable too_many_checks');
  assert.equal(asked, MOST_CHECKS);
  const since = (await rows('SELECT 1 FROM payee_checks WHERE merchant_id = $1')).length;
  assert.equal(since, before + 1);
  const latest = (account: typeof ACCOUNT) =>
    h.db.read((tx) =>
      findLatestCheckOf(tx, h.platform.vault, h.merchantId, normalisedAccount(account)),
    );
  assert.equal((await latest(mule))?.checkId, verdict.checkId);
  assert.equal((await latest({ ...ACCOUNT, name: 'Ash' }))?.reason, 'too_many_checks');
});

test('what asked nobody is not the latest check of an account that a bank was asked about', async () => {
  const elm = { ...ACCOUNT, name: 'Elm again' };
  const { checkId } = await check(elm);
  await h.runUntil(h.clock.at.add({ minutes: 20 }));
  h.issuer.limits = { ...h.issuer.limits, checksPayees: false };
  assert.equal(await reasonOf(elm), 'unavailable not_offered');
  const latest = await h.db.read((tx) =>
    findLatestCheckOf(tx, h.platform.vault, h.merchantId, normalisedAccount(elm)),
  );
  assert.equal(latest?.checkId, checkId);
});

test('whoever may not ask for another account learns no name, and costs no check', async () => {
  const refusing = {
    merchantId: h.merchantId,
    by: 'member:usr_1',
    transact: <T>(work: Parameters<typeof h.db.transaction<T>>[0]) => h.db.transaction(work),
    refuse: () => Promise.reject(new ApiError('forbidden', 'no')),
  };
  const before = (await stored())?.checkId;
  await assert.rejects(checkPayee({ platform: h.platform, issuer: h.issuer }, refusing, ACCOUNT), {
    code: 'forbidden',
  });
  assert.deepEqual([asked, (await stored())?.checkId], [0, before]);
});

test('a check is counted before the call, and says until the answer is in that nobody answered', async () => {
  const during: unknown[] = [];
  answering(async () => {
    const row = await stored();
    during.push(row?.result, row?.reason);
    return MATCH;
  });
  const { checkId } = await check();
  assert.deepEqual(during, ['unavailable', 'no_answer']);
  assert.deepEqual([(await stored())?.checkId, (await stored())?.result], [checkId, 'match']);
});
