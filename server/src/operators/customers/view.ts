import Type, { type Static } from 'typebox';
import { Id, Instant, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';

/** A customer of any merchant: nothing that names them. */
export const CustomerView = NamedObject('Customer', {
  id: Id('cus'),
  merchant_id: Id('mer'),
  merchant_name: Type.String(),
  created_at: Instant,
  erased_at: OrNull(Instant),
});
export type CustomerView = Static<typeof CustomerView>;

/** A customer whom an operator searched for. */
export const FoundCustomerView = NamedObject('FoundCustomer', {
  id: Id('cus'),
  name: OrNull(Type.String()),
  number: Type.String({ description: 'The phone number, or sort code and account number.' }),
  reference: OrNull(Type.String({ description: 'The merchant’s own id of the customer.' })),
  merchant_id: Id('mer'),
  merchant_name: Type.String(),
});
export type FoundCustomerView = Static<typeof FoundCustomerView>;

/** What a search for customers shows. */
export const FoundCustomersView = NamedObject('FoundCustomers', {
  data: Type.Array(FoundCustomerView),
  has_more: Type.Boolean({
    description: 'Whether there are more than are shown: search for more of what you know.',
  }),
});
export type FoundCustomersView = Static<typeof FoundCustomersView>;
