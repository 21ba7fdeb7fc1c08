import Type, { type Static } from 'typebox';
import { Instant, OneOf } from '../../platform/http/schemas/schemas.ts';

const DateText = Type.String({ examples: ['2026-03-30'] });
const Pence = Type.Integer({ description: 'In pence; below zero: out of the wallet.' });
const Count = Type.Integer({ minimum: 0 });

const Kind = OneOf([
  'payments',
  'refunds',
  'fees',
  'recalled',
  'settlements',
  'came_back',
  'other',
]);
export type StatementKind = Static<typeof Kind>;

/** A month of the merchant's wallet: the closing balance is the opening one and everything that moved. */
export const Statement = Type.Object({
  currency: Type.String(),
  merchant: Type.Object({ name: Type.String(), legal_name: Type.String(), address: Type.String() }),
  month: Type.String({ examples: ['2026-03'] }),
  from: DateText,
  to: DateText,
  time_zone: Type.String(),
  as_of: { ...Instant, description: 'The figures are of this moment.' },
  is_complete: Type.Boolean({ description: 'Whether the month is over.' }),
  opening: Pence,
  closing: Pence,
  owed: Type.Integer({
    description:
      'What was owed at the end for recalled payments, in pence: netted from later settlements.',
  }),
  summary: Type.Array(Type.Object({ kind: Kind, value: Pence, count: Count })),
  lines: Type.Array(
    Type.Object({
      date: DateText,
      kind: Kind,
      value: Pence,
      count: Count,
      balance: Type.Integer({ description: 'After this line, in pence.' }),
    }),
    { description: 'One for each day and kind, the oldest first.' },
  ),
});
export type Statement = Static<typeof Statement>;
