import Type, { type Static } from 'typebox';
import { OneOf } from '../../platform/http/schemas/schemas.ts';

/** The lists that have saved views. */
const LISTS = [
  'schedules',
  'payments',
  'settlements',
  'refunds',
  'disputes',
  'customers',
  'events',
] as const;

const LONGEST_NAME = 40;
const LONGEST_QUERY = 2000;

/** A view to save: a list, and the query of its address. */
export const SavedViewFields = {
  list: OneOf(LISTS),
  name: Type.String({ minLength: 1, maxLength: LONGEST_NAME, pattern: '\\S' }),
  query: Type.String({
    maxLength: LONGEST_QUERY,
    description: 'Of the list’s address: its filters, sort and columns.',
  }),
};

/** A view of a list that the team has named. */
export const SavedView = Type.Object({ id: Type.String(), ...SavedViewFields });
export const SavedViewList = Type.Object({ data: Type.Array(SavedView) });
export type SavedView = Static<typeof SavedView>;
