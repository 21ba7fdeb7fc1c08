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
