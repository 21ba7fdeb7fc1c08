import Type, { type Static } from 'typebox';
import { Instant, OneOf } from '../../platform/http/schemas/schemas.ts';

/** The accounting programs for which there is a layout. */
export const LAYOUT_NAMES = ['xero', 'quickbooks', 'sage'] as const;
export type LayoutName = (typeof LAYOUT_NAMES)[number];

const DateText = Type.String({ examples: ['2026-03-30'] });
const Pence = Type.Integer({ description: 'In pence.' });
const Account = Type.String({ examples: ['200'] });
const sides = { account: Account, debit: Pence, credit: Pence };

/** The settlements paid out on some days as journals: debits are credits, in each of them and together. */
export const Journal = Type.Object({
  currency: Type.String(),
  as_of: { ...Instant, description: 'The figures are of this moment.' },
  layout: OneOf(LAYOUT_NAMES),
  from: DateText,
  to: DateText,
  time_zone: Type.String(),
  accounts: Type.Object(
    { bank: Account, payments: Account, refunds: Account, fees: Account, recalls: Account },
    { description: 'The account of each part: those named, and for the others the usual ones.' },
  ),
  pay_outs: Type.Integer({ minimum: 0, description: 'How many were paid out.' }),
  came_back: Type.Integer({ minimum: 0, description: 'How many came back.' }),
  paid_out: Type.Integer({ description: 'In pence: what was paid out less what came back.' }),
  sums: Type.Array(Type.Object(sides), { description: 'The lines of each account together.' }),
  lines: Type.Array(
    Type.Object({
      date: DateText,
      number: Type.String({ description: 'Of the journal: its lines have the same one.' }),
      narration: Type.String(),
      text: Type.String(),
      ...sides,
    }),
    { description: 'By the moment at which it was paid out or came back.' },
  ),
});
export type Journal = Static<typeof Journal>;
