import Type, { type Static } from 'typebox';
import { Amount, Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { SCHEDULE_STATUSES } from '../../schedules/books/list-store.ts';
import { CustomerLabel } from '../schedules/view.ts';

const STATUSES = ['pending', 'processing', 'success', 'failed'] as const;

const FoundCustomer = Type.Object({
  id: Type.String(),
  label: Type.String(),
  number: Type.String(),
  reference: OrNull(Type.String()),
});

/** What a search of everything found, by kind, the newest first. */
export const Found = Type.Object({
  schedules: Type.Array(
    Type.Object({
      id: Type.String(),
      description: Type.String(),
      customer: CustomerLabel,
      amount: Amount,
      status: OneOf(SCHEDULE_STATUSES),
    }),
  ),
  payments: Type.Array(
    Type.Object({
      id: Type.String(),
      description: Type.String(),
      customer: CustomerLabel,
      amount: Amount,
      status: OneOf(STATUSES),
      due_date: Instant,
    }),
  ),
  customers: Type.Array(FoundCustomer),
  did_you_mean: Type.Array(FoundCustomer, {
    description: 'Where nothing is found: customers with a name that is one edit away.',
  }),
  settlements: Type.Array(
    Type.Object({
      id: Type.String(),
      amount: Amount,
      status: OneOf(STATUSES),
      statement_reference: Type.String(),
      settlement_date: Type.String({ format: 'date' }),
    }),
  ),
});
export type Found = Static<typeof Found>;
