import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Allocation, type ArrivedMoney, allocate, type Candidate } from './allocation.ts';
import { instructionId } from './payment.ts';

const START = Temporal.Instant.from('2026-03-02T09:00:00Z');
const aMoment = fc.integer({ min: 0, max: 72 }).map((hours) => START.add({ hours }));
const aWallet = fc.constantFrom('wal_a', 'wal_b');
const anAmount = fc.constantFrom(4998, 4999, 5000, 100);
const idOf = (n: number): string => `pay_${String(n).padStart(22, '0')}`;

interface Attempted {
  wallet: string;
  amount: number;
  sentAt: Temporal.Instant | null;
  standing: 'under way' | 'failed' | 'retried' | 'paid';
}

const anAttempt: fc.Arbitrary<Attempted> = fc.record({
  wallet: aWallet,
  amount: anAmount,
  sentAt: fc.option(aMoment, { nil: null, freq: 5 }),
  standing: fc.constantFrom('under way', 'failed', 'retried', 'paid'),
});

function toCandidate({ wallet, amount, sentAt, standing }: Attempted, n: number): Candidate {
  const status = {
    'under way': 'processing',
    failed: 'failed',
    retried: 'processing',
    paid: 'success',
  };
  return {
    paymentId: idOf(n),
    attempt: 1,
    walletId: wallet,
    amountPence: amount,
    paymentStatus: status[standing] as Candidate['paymentStatus'],
    isUnderWay: standing === 'under way',
    attemptStatus:
      standing === 'paid' ? 'success' : standing === 'under way' ? 'processing' : 'failed',
    sentAt,
    paidBy: standing === 'paid' ? 'name' : null,
  };
}

const attempts = fc.array(anAttempt, { maxLength: 8 }).map((all) => all.map(toCandidate));
const aName = fc.option(
  fc.oneof(
    fc.integer({ min: 0, max: 9 }).map((n) => instructionId(idOf(n), 1)),
    fc.constant('NOTPROVIDED'),
  ),
  { nil: null },
);
const money: fc.Arbitrary<ArrivedMoney> = fc.record({
  walletId: aWallet,
  amountPence: anAmount,
  endToEndId: aName,
  at: aMoment,
});

const paidBy = (found: Allocation): Candidate | null =>
  found.kind === 'unallocated' ? null : found.candidate;

const holds = (property: (m: ArrivedMoney, all: Candidate[]) => void): void =>
  fc.assert(fc.property(money, attempts, property), { numRuns: 2000 });

test('money pays only for an attempt of its wallet, of its amount, that has no money', () => {
  holds((m, all) => {
    const paid = paidBy(allocate(m, all));
    if (paid === null) return;
    assert.deepEqual(
      [paid.walletId, paid.amountPence, paid.paidBy],
      [m.walletId, m.amountPence, null],
    );
    assert.notEqual(paid.paymentStatus, 'success');
  });
});

test('money without a name of ours pays for the oldest attempt that awaits it, and for none that was sent later', () => {
  holds((m, all) => {
    const nameless = { ...m, endToEndId: null };
    const paid = paidBy(allocate(nameless, all));
    const awaiting = all.filter(
      (c) =>
        c.isUnderWay &&
        c.walletId === m.walletId &&
        c.amountPence === m.amountPence &&
        c.sentAt !== null &&
        Temporal.Instant.compare(c.sentAt, m.at) <= 0,
    );
    if (awaiting.length === 0) assert.equal(paid, null);
    for (const other of awaiting)
      assert.ok(
        paid?.sentAt && other.sentAt && Temporal.Instant.compare(paid.sentAt, other.sentAt) <= 0,
      );
  });
});

test('a name decides: nothing else is paid by money that names an attempt, save in exchange for an equal one', () => {
  holds((m, all) => {
    const named = all.find((c) => m.endToEndId === instructionId(c.paymentId, c.attempt));
    const paid = paidBy(allocate(m, all));
    if (named !== undefined && paid !== null) assert.equal(paid, named);
  });
});

test('the order in which attempts are found changes nothing', () => {
  holds((m, all) => {
    assert.deepEqual(allocate(m, [...all].reverse()), allocate(m, all));
  });
});

test('whatever comes, each attempt is paid at most once, and as many as can be are paid', () => {
  const aDay = fc.array(money, { maxLength: 10 });
  fc.assert(
    fc.property(aDay, attempts, (arriving, all) => {
      const paid = new Set<string>();
      for (const m of arriving) {
        const found = allocate(m, all);
        if (found.kind === 'unallocated') continue;
        assert.ok(!paid.has(found.candidate.paymentId));
        paid.add(found.candidate.paymentId);
        found.candidate.paidBy = found.kind === 'pays' ? found.by : 'name';
        found.candidate.isUnderWay = false;
      }
    }),
    { numRuns: 2000 },
  );
});

test('an attempt paid by the money of an equal one leaves its own money to that one', () => {
  const sent = (n: number): Candidate => ({
    ...toCandidate(
      { wallet: 'wal_a', amount: 4999, sentAt: START.add({ hours: n }), standing: 'under way' },
      n,
    ),
  });
  const [older, newer] = [sent(1), sent(2)];
  const arrived = {
    walletId: 'wal_a',
    amountPence: 4999,
    endToEndId: null,
    at: START.add({ hours: 3 }),
  };
  const first = allocate(arrived, [older, newer]);
  assert.ok(first.kind === 'pays' && first.candidate === older);
  Object.assign(older, {
    isUnderWay: false,
    paidBy: 'amount',
    paymentStatus: 'success',
    attemptStatus: 'success',
  });
  const second = allocate({ ...arrived, endToEndId: instructionId(older.paymentId, 1) }, [
    older,
    newer,
  ]);
  assert.ok(second.kind === 'pays' && second.candidate === newer);
  Object.assign(newer, {
    isUnderWay: false,
    paidBy: 'amount',
    paymentStatus: 'success',
    attemptStatus: 'success',
  });
  const third = allocate({ ...arrived, endToEndId: instructionId(older.paymentId, 1) }, [
    older,
    newer,
  ]);
  assert.deepEqual(
    [third.kind, third.kind === 'unallocated' && third.reason],
    ['unallocated', 'paid_already'],
  );
});
