import Type, { type Static } from 'typebox';
import { Amount, Fields, OneOf, OrNull } from '../../../platform/http/schemas/schemas.ts';

const Day = Type.String({ format: 'date' });

/** The body of a statement to be matched. */
export const StatementInput = Fields({
  statement: Type.String({
    description: 'Lines of a bank statement, a CSV with a heading, or a camt.053 file.',
  }),
});

const Line = Type.Object({
  place: Type.String({ description: 'Where it stands, such as `Line 7`.' }),
  date: OrNull(Day),
  amount: OrNull(Amount),
  text: Type.String(),
});

const Settlement = Type.Object({
  id: Type.String(),
  statement_reference: Type.String(),
  amount: Amount,
  date: Day,
});

/** Which settlement each credit of a statement is, and what is left on both sides. */
export const StatementMatches = Type.Object({
  format: OneOf(['camt', 'table', 'lines']),
  period: OrNull(Type.Object({ from: Day, to: Day })),
  matched: Type.Array(
    Type.Object({
      line: Line,
      settlement: Settlement,
      by: OneOf(['reference', 'amount_and_day'], '`amount_and_day` is a guess.'),
      repeated: Type.Boolean(),
      other_amount: Type.Boolean(),
    }),
  ),
  unmatched: Type.Array(Line),
  missing: Type.Array(Settlement, { description: 'Paid out in the period, and on no line.' }),
  unread: Type.Array(Type.Object({ place: Type.String(), why: Type.String() })),
  debits: Type.Integer({ description: 'How many lines left the account.' }),
});
export type StatementMatches = Static<typeof StatementMatches>;
