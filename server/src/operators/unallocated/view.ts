import Type, { type Static } from 'typebox';
import { ITEM_STATUSES } from '../../payments/payment/unallocated-item.ts';
import {
  Amount,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import type { Disclosure } from '../admin/disclosure.ts';

const properties = {
  item_id: Id('una'),
  merchant_id: Id('mer'),
  amount: Amount,
  status: OneOf(ITEM_STATUSES),
  age: Type.String(),
  arrived_at: Instant,
  source: Type.Object({ movement_id: Type.String(), wallet_id: Type.String() }),
  reason: Type.String(),
  why: Type.String({ description: 'The reason in words.' }),
  came_back_of: OrNull(
    Type.String({
      description: 'Of money that came back: the settlement, refund or earlier item that it was.',
    }),
  ),
  guess: OrNull(Type.Object({ payment_id: Id('pay'), attempt: OrNull(Type.Integer()) })),
  proposed: OrNull(
    Type.Object(
      {
        end: Type.String(),
        paymentId: OrNull(Type.String()),
        by: Type.String(),
        reason: Type.String(),
        at: Type.String(),
      },
      { description: 'What a first operator decided, where a second must agree.' },
    ),
  ),
};

/** Money that no payment awaits. */
export const ItemView = NamedObject('UnallocatedItem', properties);
export type ItemView = Static<typeof ItemView>;

export const FullItemView = NamedObject('UnallocatedItemInFull', {
  ...properties,
  end_to_end_id: OrNull(Type.String()),
  part_of: OrNull(Type.String()),
  payer: OrNull(
    Type.Object({
      name: OrNull(Type.String()),
      sort_code: OrNull(Type.String()),
      account_number: OrNull(Type.String()),
    }),
  ),
  ended: OrNull(
    Type.Object({
      at: Instant,
      by: OrNull(Type.String()),
      confirmed_by: OrNull(Type.String()),
      reason: OrNull(Type.String()),
    }),
  ),
});
export type FullItemView = Static<typeof FullItemView>;

/** Returns that somebody was shown who paid. */
export const disclosureOf = (item: FullItemView): Disclosure => ({
  ...{ merchantId: item.merchant_id, objectId: item.item_id, to: 'shown' },
  ...{ reason: 'unallocated money with its payer', isPage: true },
});
