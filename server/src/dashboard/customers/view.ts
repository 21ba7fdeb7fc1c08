import Type, { type Static } from 'typebox';
import { SPAN_QUERY } from '../../platform/http/lists/list-filters.ts';
import { Fields, Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { CURSOR_QUERY, CursorListOf, SortBy, Typed } from '../cursor-list.ts';

/** The query of the list of customers; `from` and `to` limit when they were created. */
export const CustomerQuery = Fields({
  q: Typed,
  ...SPAN_QUERY,
  sort: SortBy(['-created_at', 'created_at']),
  ...CURSOR_QUERY,
});
export type CustomerQuery = Static<typeof CustomerQuery>;

const Count = Type.Integer({ minimum: 0 });
const Sum = Type.Object({ value: Type.Integer({ description: 'In pence.' }), count: Count });

const customerFields = {
  id: Type.String(),
  label: Type.String({ description: 'The name, else the number.' }),
  name: OrNull(Type.String()),
  email: OrNull(Type.String()),
  reference: OrNull(Type.String()),
  number: Type.String({
    description: 'The phone number, or sort code and account number, for people.',
  }),
  bank: OrNull(Type.Object({ id: Type.String(), name: Type.String() })),
  paying_account: OrNull(Type.Object({ sort_code: Type.String(), account_number: Type.String() })),
  phone: OrNull(Type.String()),
  bank_account: OrNull(Type.Object({ sort_code: Type.String(), account_number: Type.String() })),
  schedules: Type.Object({ active: Count, total: Count }),
  created_at: Instant,
};

const CustomerItem = Type.Object(customerFields);
export const CustomerList = CursorListOf(CustomerItem);
export type CustomerItem = Static<typeof CustomerItem>;
export type CustomerList = Static<typeof CustomerList>;

/** One customer, with the total collected from them and their wallet. */
export const CustomerDetail = Type.Object({
  ...customerFields,
  notes: OrNull(Type.String()),
  collected: Sum,
  failed: Sum,
  wallet: OrNull(
    Type.Object({
      id: Type.String(),
      status: OneOf(['planned', 'reserved', 'open', 'closing', 'closed'] as const),
      balance: Type.Object({ value: Type.Integer(), currency: Type.String() }),
    }),
  ),
});
export type CustomerDetail = Static<typeof CustomerDetail>;
