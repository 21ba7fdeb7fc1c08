import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeVault } from '../platform/vault/vault.ts';
import { nextPollAt } from '../wallets/orders.ts';
import {
  isPayOutKeyOf,
  issuerReferenceIn,
  orderedReference,
  payOutKey,
  possibleReferences,
  referenceLetters,
  statementReference,
  statementReferenceOf,
} from './settlement.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');

const VAULT = makeVault(new Map([['k1', Buffer.alloc(32, 7)]]), Buffer.alloc(32, 8));
const DAY = Temporal.PlainDate.from('2026-03-30');
const of = (merchantId: string, days: number, part: number): string =>
  statementReferenceOf(VAULT, { merchantId, day: DAY.add({ days }), part });

test('the reference on the statement begins with the day, and is the same whenever it is derived', () => {
  assert.match(of('mer_a', 0, 1), /^S260330[BCDFGHJKLMNPQRSTVWXZ2-9]{8}$/);
  assert.equal(of('mer_a', 0, 1), of('mer_a', 0, 1));
  assert.notEqual(of('mer_a', 0, 1), of('mer_b', 0, 1));
});

test('no two settlements of a merchant have one reference, however many parts a day has', () => {
  const all = [0, 1, 2, 365, 36_000].flatMap((days) =>
    Array.from({ length: 100 }, (_, part) => of('mer_a', days, part + 1)),
  );
  assert.equal(new Set(all).size, all.length);
});

test('what an earlier version sent is shown as it left, and looked for beside the reference of today', () => {
  const settlementId = 'set_035abcdefGHIJKLMNOPQRS';
  const old = { settlementId, statementReference: null, issuerReference: null };
  assert.equal(statementReference(old), 'bcdefGHIJKLMNOPQRS'.slice(-18));
  assert.deepEqual(possibleReferences(old), [statementReference(old)]);
  const now = { ...old, statementReference: of('mer_a', 0, 1) };
  assert.equal(statementReference(now), of('mer_a', 0, 1));
  assert.deepEqual(possibleReferences(now), [of('mer_a', 0, 1), statementReference(old)]);
});

test('what the issuer says is shown and looked for, and what is ordered stays the same', () => {
  const settlement = {
    settlementId: 'set_035abcdefGHIJKLMNOPQRS',
    statementReference: of('mer_a', 0, 1),
    issuerReference: 'bcdefGHIJKLMNOPQRS',
  };
  assert.equal(statementReference(settlement), 'bcdefGHIJKLMNOPQRS');
  assert.equal(orderedReference(settlement), of('mer_a', 0, 1));
  const other = { ...settlement, issuerReference: 'S260101BCDFGHJK' };
  assert.deepEqual(possibleReferences(other), [
    of('mer_a', 0, 1),
    'bcdefGHIJKLMNOPQRS',
    'S260101BCDFGHJK',
  ]);
  for (const unsaid of [undefined, '', 'pay-out 1', 'x'.repeat(19)])
    assert.equal(issuerReferenceIn(other, unsaid), 'S260101BCDFGHJK', `${unsaid}`);
  assert.equal(issuerReferenceIn(other, of('mer_a', 0, 1)), null);
});

test('a key is that of one settlement, whatever its attempt', () => {
  assert.ok(isPayOutKeyOf('set_1', payOutKey('set_1', 12)));
  assert.ok(!isPayOutKeyOf('set_1', payOutKey('set_12', 1)));
});

test('what is compared with references has neither case nor blanks', () => {
  assert.equal(referenceLetters(' s260330 k7m2-q9xb '), 'S260330K7M2Q9XB');
  assert.equal(referenceLetters('£ · –'), '');
});

test('each try at a pay-out has a key of its own, the same whenever it is asked for', () => {
  assert.equal(payOutKey('set_a', 1), payOutKey('set_a', 1));
  assert.notEqual(payOutKey('set_a', 1), payOutKey('set_a', 2));
  assert.notEqual(payOutKey('set_a', 1), payOutKey('set_b', 1));
});

test('the issuer is asked ever less often, and never much less than every half hour', () => {
  for (const [polls, seconds] of [5, 5, 15, 60, 300, 1800, 1800].entries()) {
    const wait = nextPollAt(NOW, polls, 'set_a').since(NOW).total('seconds');
    assert.ok(wait >= seconds && wait <= seconds * 1.25, `${polls}: ${wait}`);
  }
});

test('pay-outs that one outage stopped are not all asked about at the same moment', () => {
  const waits = Array.from({ length: 50 }, (_, n) =>
    nextPollAt(NOW, 5, `set_${n}`).since(NOW).total('milliseconds'),
  );
  assert.ok(new Set(waits).size > 25, `${new Set(waits).size} moments`);
});
