import assert from 'node:assert/strict';
import { test } from 'node:test';
import { besideEarlier, decisiveOf, type PreparedAct } from './act.ts';

const NOW = Temporal.Instant.from('2026-01-05T09:30:00Z');
const at = (hours: number) => NOW.add({ hours });
const CONTENT = Buffer.from('content');

const act = (fields: Partial<PreparedAct>): PreparedAct => ({
  merchantId: 'mer_1',
  actId: 'act_1',
  keyId: 'key_1',
  agent: '',
  operation: 'createPayment',
  aboutId: null,
  inputs: null,
  identity: CONTENT,
  content: CONTENT,
  ground: {},
  summary: '',
  amountPence: 1,
  asksCustomer: false,
  status: 'prepared',
  objectId: null,
  decidedBy: null,
  createdAt: NOW,
  expiresAt: at(1),
  endedAt: null,
  ...fields,
});
const done = (hours: number) => act({ status: 'done', endedAt: at(hours) });

/** What preparing means, with the same content unless it is `other`. */
const beside = (earlier: PreparedAct | null, hasPurpose: boolean, hours = 0, other = false) =>
  besideEarlier(earlier, {
    content: other ? Buffer.from('other') : CONTENT,
    hasPurpose,
    now: at(hours),
  });

test('the same request is the same act for a day; with a purpose it is for good, and another plan is refused', () => {
  assert.equal(beside(null, false), 'new');
  assert.equal(beside(done(0), false, 23), 'same');
  assert.equal(beside(done(0), false, 24), 'new');
  assert.equal(beside(done(0), true, 24 * 80), 'same');
  assert.equal(beside(done(0), true, 24 * 80, true), 'done');
});

test('what was not committed is replaced by another plan, and once it has expired by the same plan too', () => {
  assert.equal(beside(act({}), true), 'same');
  assert.equal(beside(act({}), true, 0, true), 'replace');
  assert.equal(beside(act({ status: 'waiting', expiresAt: at(72) }), true, 71, true), 'replace');
  assert.equal(beside(act({}), false, 1), 'replace');
});

test('a decline holds for a day against the same plan', () => {
  const declined = act({ status: 'declined', endedAt: NOW });
  assert.equal(beside(declined, true, 23), 'same');
  assert.equal(beside(declined, true, 25), 'new');
  assert.equal(beside(declined, true, 1, true), 'new');
});

test('what can still be committed decides, else what is done, whatever the ids say', () => {
  const live = act({ actId: 'act_0' });
  const declined = act({ actId: 'act_9', status: 'declined', endedAt: at(5) });
  assert.equal(decisiveOf([done(1), live, declined]), live);
  assert.equal(decisiveOf([declined, done(1)])?.status, 'done');
  assert.equal(decisiveOf([done(1), done(3), done(2)])?.endedAt?.toString(), at(3).toString());
  assert.equal(decisiveOf([]), null);
});
