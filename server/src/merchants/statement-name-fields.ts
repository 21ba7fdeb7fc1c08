import Type from 'typebox';
import { OrNull } from '../platform/http/schemas/schemas.ts';

const WHAT =
  'What the references of new schedules on bank statements begin with, where you give none:';

/** The statement name as it is shown. */
export const StatementName = Type.String({
  description: `${WHAT} what you set, or the first word of your name.`,
  examples: ['FERNHILL'],
});

/** The statement name as it is set. */
export const StatementNameChange = OrNull(
  Type.String({ maxLength: 20, examples: ['FERNHILL'] }),
  `${WHAT} 1 to 10 letters and digits, stored in capitals. Null: the first word of your name.`,
);
