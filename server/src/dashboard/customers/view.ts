import Type, { type Static } from 'typebox';
import type { FullCustomerView } from '../../customers/directory.ts';
import { FullCustomerAnswer } from '../../customers/schemas.ts';
import { OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

const Count = Type.Integer({ minimum: 0 });
const Sum = Type.Object({ value: Type.Integer({ description: 'In pence.' }), count: Count });

/** What the list of customers shows beside the API's view of each. */
export const CustomerShown = Type.Object({
  label: Type.String({ description: 'The name, else the number.' }),
  number: Type.String({
    description: 'The phone number, or sort code and account number, for people.',
  }),
  schedules: Type.Object({ active: Count, total: Count }),
});
export type CustomerShown = Static<typeof CustomerShown>;
export type CustomerItem = FullCustomerView & { shown: CustomerShown };

const Totals = Type.Object({
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

/** One customer, with the total collected from them and their wallet. */
export const CustomerDetail = Type.Object({
  ...FullCustomerAnswer.properties,
  shown: CustomerShown,
  ...Totals.properties,
});
export type CustomerDetail = CustomerItem & Static<typeof Totals>;
