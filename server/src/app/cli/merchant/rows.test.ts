import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { Payment, SandboxMoved, Schedule, Settlement } from '@recollect/sdk';
import { answerLines } from '../client/print.ts';
import {
  movedLines,
  paymentLines,
  paymentRow,
  type Style,
  scheduleRow,
  settlementRow,
} from './rows.ts';

const plain: Style = { timeZone: 'Europe/London', paint: (_colour, text) => text };
const gbp = (value: number) => ({ value, currency: 'GBP' });
const lines = (rows: object[], width = 200): string[] => answerLines({ data: rows }, width);

const schedule = (change: object): Schedule =>
  ({
    id: 'sch_1',
    status: 'active',
    amount: gbp(4999),
    amount_mode: 'fixed',
    frequency: { type: 'monthly', day: 1, interval: 1 },
    customer: { id: 'cus_1', type: 'phone', name: 'Alex Morgan', reference: null },
    start_date: '2026-01-01T09:00:00.000Z',
    next_payment_date: '2026-07-01T23:30:00.000Z',
    ...change,
  }) as unknown as Schedule;
const payment = (change: object): Payment =>
  ({
    id: 'pay_1',
    status: 'failed',
    amount: gbp(123456),
    due_date: '2026-01-07T09:00:00.000Z',
    schedule_id: 'sch_1',
    next_retry_at: null,
    refunded: gbp(0),
    error: { code: 'insufficient_funds', message: 'There was not enough money.' },
    attempts: [],
    ...change,
  }) as unknown as Payment;

test('schedules are a table: who, how much, how often, and the next day in the merchant’s time', () => {
  const varying = {
    amount_mode: 'per_occurrence',
    status: 'pending_consent',
    next_payment_date: null,
  };
  assert.deepEqual(
    lines(
      [schedule({}), schedule({ id: 'sch_2', ...varying })].map((one) => scheduleRow(one, plain)),
    ),
    [
      'SCHEDULE  CUSTOMER     AMOUNT  EVERY             STATUS           NEXT',
      'sch_1     Alex Morgan  £49.99  month on the 1st  active           Thu 2 Jul 2026',
      'sch_2     Alex Morgan  varies  month on the 1st  pending consent',
    ],
  );
});

test('amounts of payments stand below each other, and failed ones say why', () => {
  const rows = [payment({}), payment({ id: 'pay_2', amount: gbp(500), status: 'success' })];
  assert.deepEqual(lines(rows.map((one) => paymentRow(one, plain))), [
    'PAYMENT  DUE                AMOUNT  STATUS   WHY                 SCHEDULE',
    'pay_1    Wed 7 Jan 2026  £1,234.56  failed   insufficient funds  sch_1',
    'pay_2    Wed 7 Jan 2026      £5.00  success                      sch_1',
  ]);
});

test('a colour changes no column', () => {
  const style: Style = { ...plain, paint: (_colour, text) => `\u001b[31m${text}\u001b[39m` };
  const rows = [payment({}), payment({ status: 'success' })];
  const shown = lines(rows.map((one) => paymentRow(one, style)));
  const bare = lines(rows.map((one) => paymentRow(one, plain)));
  assert.notDeepEqual(shown, bare);
  assert.deepEqual(
    shown.map((line) => stripVTControlCharacters(line)),
    bare,
  );
});

test('one payment is its fields and its attempts', () => {
  const attempt = {
    number: 1,
    status: 'failed',
    started_at: '2026-01-07T09:00:05.000Z',
    error: null,
  };
  const text = answerLines(paymentLines(payment({ attempts: [attempt] }), plain), 200).join('\n');
  assert.match(text, /why +There was not enough money\./);
  assert.match(text, /due +Wed 7 Jan 2026, 09:00/);
  assert.match(
    text,
    /attempts:\n {2}ATTEMPT {2}STARTED +STATUS\n {2}1 +Wed 7 Jan 2026, 09:00 {2}failed$/,
  );
  assert.doesNotMatch(text, /refunded/);
});

test('settlements say what was collected, what it cost, and what was paid out', () => {
  const settlement = {
    id: 'set_1',
    status: 'success',
    settlement_date: '2026-01-08',
    gross: gbp(10000),
    fees: gbp(0),
    amount: gbp(10000),
    statement_reference: 'RCL 7K2',
  } as Settlement;
  assert.deepEqual(lines([settlementRow(settlement, plain)]), [
    'SETTLEMENT  DAY             COLLECTED  PAID OUT  STATUS   REFERENCE',
    'set_1       Thu 8 Jan 2026    £100.00   £100.00  success  RCL 7K2',
  ]);
});

test('a move of the clock is its events by kind, and what reached no endpoint', () => {
  const event = (kind: string) => ({ kind: 'event', event: kind });
  const moved = {
    from: '2026-01-01T09:00:00.000Z',
    to: '2026-02-01T09:00:00.000Z',
    happened: [
      event('collection.success'),
      event('collection.failed'),
      event('collection.success'),
      { kind: 'delivery_attempt', error: 'no answer within 1000 ms' },
    ],
    stopped: false,
  } as unknown as SandboxMoved;
  assert.deepEqual(answerLines(movedLines(moved, plain), 200), [
    'from           Thu 1 Jan 2026, 09:00',
    'to             Sun 1 Feb 2026, 09:00',
    'not delivered  1: no answer within 1000 ms',
    'events:',
    '  EVENT               TIMES',
    '  collection.success  2',
    '  collection.failed   1',
  ]);
});
