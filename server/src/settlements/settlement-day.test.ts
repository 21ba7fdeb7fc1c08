import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSettlementMoment, settlementDate, settlementMoment } from './settlement-day.ts';

function settled(collectedAt: string): { day: string; payAt: string } {
  const { day, payAt } = settlementMoment(Temporal.Instant.from(collectedAt));
  return { day: day.toString(), payAt: payAt.toString() };
}

test('a business day is paid out the next day at 06:00 London time, summer and winter', () => {
  assert.deepEqual(settled('2026-01-13T10:00:00Z'), {
    day: '2026-01-13',
    payAt: '2026-01-14T06:00:00Z',
  });
  assert.deepEqual(settled('2026-07-14T10:00:00Z'), {
    day: '2026-07-14',
    payAt: '2026-07-15T05:00:00Z',
  });
});

test('Friday is paid out on Monday, the weekend counts to Monday and is paid on Tuesday', () => {
  assert.equal(settled('2026-07-24T10:00:00Z').payAt, '2026-07-27T05:00:00Z');
  for (const at of ['2026-07-25T10:00:00Z', '2026-07-26T10:00:00Z', '2026-07-27T10:00:00Z']) {
    assert.deepEqual(settled(at), { day: '2026-07-27', payAt: '2026-07-28T05:00:00Z' });
  }
});

test('Christmas Eve is paid out after the holidays and their substitute day', () => {
  assert.deepEqual(settled('2026-12-24T10:00:00Z'), {
    day: '2026-12-24',
    payAt: '2026-12-29T06:00:00Z',
  });
});

test('the day ends at midnight in London, not in UTC', () => {
  assert.equal(settled('2026-04-02T22:59:59Z').day, '2026-04-02');
  // Half past midnight on Good Friday: counts towards Tuesday after Easter.
  assert.deepEqual(settled('2026-04-02T23:30:00Z'), {
    day: '2026-04-07',
    payAt: '2026-04-08T05:00:00Z',
  });
});

test('a settlement is of the day that it is in London, however late it is elsewhere', () => {
  const dayOf = (at: string): string => settlementDate(Temporal.Instant.from(at)).toString();
  assert.equal(dayOf('2026-07-14T22:59:59Z'), '2026-07-14');
  assert.equal(dayOf('2026-07-14T23:00:00Z'), '2026-07-15');
  assert.equal(dayOf('2026-01-14T23:00:00Z'), '2026-01-14');
});

test('what cannot be paid out goes with the next pay-outs: at 06:00 London time of the next business day', () => {
  const next = (at: string): string => nextSettlementMoment(Temporal.Instant.from(at)).toString();
  assert.equal(next('2026-01-13T05:00:00Z'), '2026-01-14T06:00:00Z');
  assert.equal(next('2026-07-24T05:00:00Z'), '2026-07-27T05:00:00Z');
  assert.equal(next('2026-12-24T06:00:00Z'), '2026-12-29T06:00:00Z');
});
