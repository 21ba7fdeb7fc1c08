import Type, { type TSchema } from 'typebox';
import { findItem, listItems } from '../../payments/books/unallocated-store.ts';
import { viewItem, viewItemInFull } from '../../payments/books/unallocated-view.ts';
import { type EndDeps, endUnallocated } from '../../payments/operator/decide.ts';
import type { ItemEnd } from '../../payments/payment/unallocated-item.ts';
import { IdQuery } from '../../platform/http/lists/list-filters.ts';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import {
  Fields,
  IdParams,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
} from '../../platform/http/schemas/schemas.ts';
import { notFound } from '../../platform/values/errors.ts';
import {
  ADMIN_REASON,
  type AdminRoute,
  adminRoute,
  adminRouteWithOwnTransactions,
} from '../admin/route.ts';
import { disclosureOf, FullItemView, ItemView } from './view.ts';

const tag = 'Unallocated money';

/** The endpoints of money that no payment awaits. */
export function unallocatedRoutes(deps: EndDeps): AdminRoute[] {
  return [listRoute(), showRoute(deps), ...ENDS.map((end) => endRoute(deps, end))];
}

const listRoute = (): AdminRoute =>
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/unallocated',
    summary: 'List money that waits for a decision, oldest first',
    tag,
    operationId: 'listUnallocated',
    command: 'unallocated list',
    query: Fields({
      ...ListQuery.properties,
      status: Type.Optional(OneOf(['open', 'all'], 'Default: `open`.')),
      merchant_id: IdQuery('Only those of this merchant.'),
    }),
    response: ListOf(ItemView),
    async handle(call) {
      const { status, merchant_id: merchantId } = call.query;
      const filter = { onlyOpen: status !== 'all', ...(merchantId && { merchantId }) };
      const items = await listItems(call.tx, filter, pageOf(call));
      return mapList(items, (item) => viewItem(item, call.now));
    },
  });

const showRoute = ({ platform }: EndDeps): AdminRoute =>
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/unallocated/:id',
    summary: "Read all that is known of it, with the payer's account",
    tag,
    operationId: 'getUnallocated',
    command: 'unallocated show',
    params: IdParams,
    response: FullItemView,
    shows: (item) => [disclosureOf(item)],
    errors: ['not_found'],
    async handle({ tx, now, params }) {
      const item = await findItem(tx, params.id);
      if (item === null) throw notFound('unallocated money');
      return viewItemInFull(platform.vault, item, now);
    },
  });

const ENDS = [
  ['allocate', 'allocated', 'allocateUnallocated', 'Apply it to a payment of the same amount'],
  ['accept', 'accepted_in_part', 'acceptUnallocated', 'Accept it as part payment of a payment'],
  [
    'return',
    'returned',
    'returnUnallocated',
    'Record that the issuer has returned it to the payer',
  ],
  ['pay_on', 'paid_on', 'payOnUnallocated', 'Record that it was paid by hand to whom it belongs'],
  [
    'credit',
    'credited',
    'creditUnallocated',
    "Add what lies in a merchant's own wallet to the merchant's balance",
  ],
] as const satisfies readonly (readonly [string, ItemEnd, string, string])[];

const PaymentOf = Type.String({ minLength: 1, maxLength: 64 });

/** What an end takes as its payment; absent: none. */
const PAYMENT_OF: Partial<Record<ItemEnd, TSchema>> = {
  allocated: PaymentOf,
  accepted_in_part: PaymentOf,
  paid_on: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'The payment that the money settles, which is then collected no more; `none`: it settles none. Default: the likely payment.',
    }),
  ),
};

function endRoute(
  deps: EndDeps,
  [verb, end, operationId, summary]: (typeof ENDS)[number],
): AdminRoute {
  const payment = PAYMENT_OF[end];
  return adminRouteWithOwnTransactions(deps.platform, {
    method: 'POST',
    role: 'payments',
    path: `/unallocated/:id/${verb}`,
    summary,
    description:
      'Above FOUR_EYES_ABOVE_PENCE the decision waits until a second operator makes the same one.',
    tag,
    operationId,
    command: `unallocated ${verb.replaceAll('_', '-')}`,
    params: IdParams,
    body: Fields({
      reason: ADMIN_REASON,
      ...(payment === undefined ? {} : { payment_id: payment }),
    }),
    response: NamedObject('UnallocatedDecision', {
      waits_for_second: Type.Boolean({ description: 'A second operator must approve.' }),
      item: FullItemView,
    }),
    errors: ['not_found'],
    shows: ({ item }) => [disclosureOf(item)],
    async handle({ platform, now, operator, params, body }) {
      const { reason, payment_id: paymentId = null } = body as {
        reason: string;
        payment_id?: string;
      };
      const found = await platform.db.read((tx) => findItem(tx, params.id));
      if (found === null) throw notFound('unallocated money');
      const { operatorId: byId, name: by } = operator;
      const decision = { end, paymentId, by, byId, reason };
      const { kind, item } = await endUnallocated({ ...deps, platform }, params.id, decision);
      const after = await platform.db.read((tx) => findItem(tx, item.itemId));
      return {
        waits_for_second: kind === 'waits',
        item: viewItemInFull(platform.vault, after ?? item, now),
      };
    },
  });
}
