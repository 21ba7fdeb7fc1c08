import { opaque } from '../../platform/values/opaque.ts';
import type { Noun } from '../findings/nouns.ts';
import { bySql, type Law, type Part } from './law.ts';

/** What rows `x` of a table are called, and the row of another table that each names. */
interface Name {
  /** SQL: a table's rows `x`, read from their subjects `k`. */
  rows: string;
  called: string;
  other: string;
  /** The condition on the key of the other table `o`, after its merchant. */
  key: string;
  /** The rows that name one; by default all of them. */
  where?: string;
}

/** The rows of a table by their subject, whose id is this column. */
const of = (table: string, id: string): string =>
  `${table} x ON x.merchant_id = k.merchant_id AND x.${id} = k.id`;

/** Finds rows that name one that is not there. A page names a subject once for each of its rows. */
const missing = (noun: Noun, ...names: Name[]): Part =>
  bySql(
    noun,
    names
      .map(
        ({ rows, called, other, key, where = 'true' }) =>
          `SELECT k.merchant_id, k.id, k.merchant_id || ' ' || ${called} || ' names one of ${other} that is not there' AS what
           FROM (SELECT DISTINCT merchant_id, id FROM scope) k JOIN ${rows}
           WHERE ${where} AND NOT EXISTS (SELECT FROM ${other} o WHERE o.merchant_id = x.merchant_id AND ${key})`,
      )
      .join(' UNION ALL '),
  );

const OF_PAYMENT = { other: 'payments', key: 'o.payment_id = x.payment_id' };

const PARTS: readonly Part[] = [
  missing(
    'payment',
    {
      rows: of('payments', 'payment_id'),
      called: 'x.payment_id',
      other: 'schedules',
      key: 'o.schedule_id = x.schedule_id',
    },
    {
      rows: of('payments', 'payment_id'),
      called: 'x.payment_id',
      other: 'settlements',
      key: 'o.settlement_id = x.settlement_id',
      where: opaque('x.settlement_id IS NOT NULL'),
    },
  ),
  missing('work', {
    rows: of('payment_work', 'payment_id'),
    called: `'the work of ' || x.payment_id`,
    ...OF_PAYMENT,
  }),
  missing('attempt', {
    rows: of('attempts', 'payment_id'),
    called: `'attempt ' || x.number || ' of ' || x.payment_id`,
    ...OF_PAYMENT,
  }),
  missing('order', {
    rows: of('payment_orders', 'payment_id'),
    called: `'order ' || x.call || ' of ' || x.payment_id || ' attempt ' || x.attempt`,
    other: 'attempts',
    key: 'o.payment_id = x.payment_id AND o.number = x.attempt',
  }),
  missing('to settle', {
    rows: of('to_settle', 'payment_id'),
    called: `'what is to be settled of ' || x.payment_id`,
    ...OF_PAYMENT,
  }),
  missing(
    'event',
    { rows: of('events', 'event_id'), called: 'x.event_id', other: 'merchants', key: 'true' },
    {
      rows: of('deliveries', 'event_id'),
      called: 'x.delivery_id',
      other: 'webhook_endpoints',
      key: 'o.endpoint_id = x.endpoint_id',
    },
  ),
];

/** Finds transfers of which an account is missing. */
const accountMissing = (noun: Noun, rows: string): Part =>
  missing(
    noun,
    ...['debit_account_id', 'credit_account_id'].map((column) => ({
      rows,
      called: 'x.transfer_id',
      other: 'accounts',
      key: `o.account_id = x.${column}`,
    })),
  );

const UNDER_SEALS = `transfer_seals s ON s.merchant_id = k.merchant_id AND s.from_id = k.id
  JOIN transfers x ON x.merchant_id = s.merchant_id AND x.transfer_id >= s.from_id AND x.transfer_id < s.to_id`;

/** The product's database does not see to it: docs/decisions/0027-keys-in-tests-alone.md. */
export const NOTHING_MISSING: Law = {
  name: 'no-row-names-a-missing-one',
  sentence:
    'Every payment has its schedule, every attempt its payment, every transfer its accounts: no row names one that is not there.',
  parts: [...PARTS, accountMissing('transfer', of('transfers', 'transfer_id'))],
  hourly: [...PARTS, accountMissing('seal', UNDER_SEALS)],
};
