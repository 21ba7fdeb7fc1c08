import Type from 'typebox';
import { searchAccounts } from '../../merchants/team/account-store.ts';
import { findByBankPaymentId } from '../../payments/books/read-store.ts';
import { readInstructionId } from '../../payments/payment/payment.ts';
import type { Tx } from '../../platform/db/db.ts';
import { firstPage } from '../../platform/http/lists/page.ts';
import { Fields, NamedObject } from '../../platform/http/schemas/schemas.ts';
import { isId } from '../../platform/values/ids.ts';
import { findByStatementReference as findSchedules } from '../../schedules/books/word-store.ts';
import { findByStatementReference as findSettlements } from '../../settlements/store.ts';
import { type AdminRoute, adminRoute } from '../admin/route.ts';
import { listMerchants } from '../merchants/store.ts';
import { FINDABLE, FOUND_PREFIXES, type FoundObject, findObject } from './store.ts';
import { FoundView } from './view.ts';

const MAX_PER_KIND = 10;

/** The search over all merchants. */
export const searchRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/search',
    summary: 'Search all merchants',
    description:
      'By any id, by the end-to-end id of a payment, by a bank’s id of one, by the reference on a customer’s or merchant’s ' +
      'bank statement, or by a part of the name or email address of a merchant or user.',
    tag: 'Search',
    operationId: 'search',
    command: 'search',
    query: Fields({ q: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: NamedObject('SearchResults', { data: Type.Array(FoundView) }),
    handle: async ({ tx, query }) => ({ data: await search(tx, query.q.trim()) }),
  }),
];

async function search(tx: Tx, q: string): Promise<FoundView[]> {
  if (q === '') return [];
  const id = readInstructionId(q)?.paymentId ?? q;
  const prefix = FOUND_PREFIXES.find((one) => isId(one, id));
  if (prefix !== undefined) {
    const found = await findObject(tx, prefix, id);
    if (found === null) return [];
    return [viewOf(FINDABLE[prefix].kind, id, found)];
  }
  const page = firstPage(MAX_PER_KIND);
  const [payments, settlements, schedules, { data: merchants }, { data: accounts }] =
    await Promise.all([
      findByBankPaymentId(tx, q, MAX_PER_KIND),
      findSettlements(tx, q, MAX_PER_KIND),
      findSchedules(tx, q, MAX_PER_KIND),
      listMerchants(tx, { q }, page),
      searchAccounts(tx, { q }, page),
    ]);
  return [
    ...payments.map((one) => viewOf('payment', one.paymentId, one)),
    ...settlements.map((one) => viewOf('settlement', one.settlementId, one)),
    ...schedules.map((one) => viewOf('schedule', one.scheduleId, one)),
    ...merchants.map(
      ({ merchantId: of, name }): FoundView => ({
        kind: 'merchant',
        id: of,
        title: name,
        merchant_id: of,
      }),
    ),
    ...accounts.map(
      ({ userId, name, email }): FoundView => ({
        kind: 'user',
        id: userId,
        title: `${name} <${email}>`,
        merchant_id: null,
      }),
    ),
  ];
}

const viewOf = (
  kind: FoundView['kind'],
  id: string,
  { merchantId, merchantName: title }: FoundObject,
): FoundView => ({ kind, id, title, merchant_id: merchantId });
