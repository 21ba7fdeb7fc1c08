import Type, { type Static } from 'typebox';
import type { Tx } from '../../platform/db/db.ts';
import { mapList, pageOf, slicePage } from '../../platform/http/lists/page.ts';
import {
  Amount,
  Fields,
  Id,
  IdParams,
  Instant,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { confirmDoubtedAccount } from '../../settlements/account-trust.ts';
import {
  listWaiting,
  merchantOfDoubted,
  WAITS_FOR,
  type WaitingSettlement,
} from '../../settlements/return-store.ts';
import { resumePolling } from '../../settlements/service.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';

const tag = 'Settlements';

const WaitingView = NamedObject('AdminWaitingSettlement', {
  id: Id('set'),
  merchant_id: Id('mer'),
  amount: Amount,
  waits_for: OneOf(
    WAITS_FOR,
    '`account`: its pay-out came back, and the account is to be confirmed or changed. `amount`: the issuer has another amount, and is to correct it.',
  ),
  since: Instant,
  error_message: OrNull(Type.String()),
});

const viewWaiting = (row: WaitingSettlement): Static<typeof WaitingView> => ({
  id: row.settlementId,
  merchant_id: row.merchantId,
  amount: { value: row.amountPence, currency: 'GBP' },
  waits_for: row.waitsFor,
  since: formatInstant(row.since),
  error_message: row.errorMessage,
});

const DECISIONS = [
  {
    verb: 'confirm',
    operationId: 'confirmDoubtedAccount',
    summary: 'Confirm the account to which a pay-out came back',
    description: "The merchant's money goes out with the next settlement.",
    lacks: 'No such settlement waits for its account.',
    decide: async (tx: Tx, now: Temporal.Instant, settlementId: string, reason: string) => {
      const merchantId = await merchantOfDoubted(tx, settlementId);
      return merchantId !== null && confirmDoubtedAccount({ tx, now, merchantId }, reason);
    },
  },
  {
    verb: 'ask',
    operationId: 'askAboutSettlement',
    summary: 'Ask the issuer again about a pay-out of another amount',
    description: 'Once the issuer has corrected it.',
    lacks: 'No such settlement waits for its amount.',
    decide: resumePolling,
  },
] as const;

function decisionRoute({ verb, lacks, decide, ...words }: (typeof DECISIONS)[number]): AdminRoute {
  return adminRoute({
    method: 'POST',
    role: 'payments',
    path: `/settlements/:id/${verb}`,
    ...words,
    tag,
    command: `settlement ${verb}`,
    params: IdParams,
    body: Fields({ reason: ADMIN_REASON }),
    response: NamedObject('DecidedSettlement', { id: Id('set') }),
    errors: ['operation_refused'],
    async handle({ tx, now, params: { id }, body }) {
      if (!(await decide(tx, now, id, body.reason))) throw new ApiError('operation_refused', lacks);
      return { id };
    },
  });
}

/** The endpoints of pay-outs that cannot go on without a person: docs/rules/settlements.md. */
export const settlementRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/settlements/waiting',
    summary: 'List settlements that need a decision, oldest first',
    tag,
    operationId: 'listWaitingSettlements',
    command: 'settlement waiting',
    query: ListQuery,
    response: ListOf(WaitingView),
    async handle(call) {
      const waiting = await listWaiting(call.tx);
      const page = slicePage('settlements', waiting, pageOf(call), (row) => row.settlementId);
      return mapList(page, viewWaiting);
    },
  }),
  ...DECISIONS.map(decisionRoute),
];
