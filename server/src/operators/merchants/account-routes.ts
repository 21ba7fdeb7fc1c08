import type { Static } from 'typebox';
import { merchantErrors } from '../../merchants/rules.ts';
import { readMerchant } from '../../merchants/service.ts';
import {
  agreeAsOperator,
  cancelChangeAsOperator,
  refuseNewOperator,
  requestAsOperator,
} from '../../merchants/settlement-account/settlement-account-by-operators.ts';
import { changesOf, MERCHANT_FIELDS, type MerchantChanges } from '../../merchants/view.ts';
import { Fields, Id, IdParams } from '../../platform/http/schemas/schemas.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { type Checker, checkPayee, type PayeeDeps } from '../../wallets/payee-check.ts';
import type { Operator } from '../access/books/operator-key.ts';
import { lockPresent } from '../access/present.ts';
import {
  ADMIN_REASON,
  type AdminRoute,
  adminRoute,
  adminRouteWithOwnTransactions,
} from '../admin/route.ts';
import type { OperatorChange } from '../notices/notice.ts';
import { notifySecurity } from '../notices/notify.ts';
import { showMerchant } from './service.ts';
import { AdminMerchantView } from './view.ts';

const tag = 'Merchants';

/** The endpoints that change the account that a merchant's settlements are paid to; two operators decide. */
export const accountRoutes = (deps: PayeeDeps): AdminRoute[] => [
  requestRoute(deps),
  checkRoute(deps),
  ...DECISIONS.map((decision) => decisionRoute(deps.platform, decision)),
];

const requestRoute = (deps: PayeeDeps): AdminRoute =>
  adminRouteWithOwnTransactions(deps.platform, {
    method: 'POST',
    role: 'payments',
    path: '/merchants/:id/settlement_account',
    summary: 'Ask for another settlement account',
    description:
      'Takes effect after 24 hours if a second operator has agreed by then, and lapses otherwise. Replaces a change that waits. The owners are told by email, can cancel it, and can confirm it, which puts it into force at once.',
    tag,
    operationId: 'requestSettlementAccount',
    command: 'merchant account',
    params: IdParams,
    body: Fields({
      settlement_account: MERCHANT_FIELDS.settlement_account,
      reason: ADMIN_REASON,
    }),
    check: (body) =>
      merchantErrors(
        changesOf(Object(body) as Static<typeof MerchantChanges>),
        deps.platform.config.mode,
      ),
    response: AdminMerchantView,
    errors: ['not_found'],
    async handle({ platform, now, operator, params, body: { reason, ...fields } }) {
      const { settlementAccount } = changesOf(fields);
      if (settlementAccount === undefined) throw new Error('the schema wants an account');
      const { operatorId: id, name: by } = operator;
      const checker = checkerOf(platform, operator, params.id);
      const check = await checkPayee({ ...deps, platform }, checker, settlementAccount);
      return platform.db.transaction(async (tx) => {
        await lockPresent(tx, id);
        const asked = { tx, now, merchantId: params.id };
        await requestAsOperator(platform, asked, settlementAccount, { id, by, reason }, check);
        const what = `${by} asks for another settlement account of ${params.id}`;
        await notifyAccountChange({ platform, tx, now }, 'account_asked', what, reason);
        return showMerchant(platform, tx, params.id);
      });
    },
  });

const checkRoute = (deps: PayeeDeps): AdminRoute =>
  adminRouteWithOwnTransactions(deps.platform, {
    method: 'POST',
    role: 'payments',
    path: '/merchants/:id/settlement_account/check',
    summary: 'Check the name on the settlement account with its bank',
    description:
      'For the account that a merchant begins with: a change is checked when it is asked for. Within a quarter of an hour a verdict is not asked for again.',
    tag,
    operationId: 'checkSettlementAccount',
    command: 'merchant check-account',
    params: IdParams,
    response: AdminMerchantView,
    errors: ['not_found'],
    async handle({ platform, operator, params }) {
      const { settlementAccount } = await platform.db.read((tx) =>
        readMerchant(platform, tx, params.id),
      );
      const checker = checkerOf(platform, operator, params.id);
      await checkPayee({ ...deps, platform }, checker, settlementAccount);
      return platform.db.read((tx) => showMerchant(platform, tx, params.id));
    },
  });

/** Who has a name checked, as an operator. */
function checkerOf({ db }: Platform, operator: Operator, merchantId: string): Checker {
  const { operatorId: id, name } = operator;
  return {
    merchantId,
    by: operatorActor(name),
    transact: db.transaction,
    refuse: (asked) => refuseNewOperator(asked, { id, name }),
  };
}

const DECISIONS = [
  {
    verb: 'agree',
    operationId: 'agreeSettlementAccount',
    command: 'merchant agree-account',
    summary: 'Agree, as a second operator, with another settlement account',
    decide: agreeAsOperator,
    told: 'account_agreed',
    did: 'agreed with',
  },
  {
    verb: 'take_back',
    operationId: 'takeBackSettlementAccount',
    command: 'merchant take-back-account',
    summary: 'Cancel a change of the settlement account that waits',
    decide: cancelChangeAsOperator,
    told: 'request_taken_back',
    did: 'took back',
  },
] as const;

const decisionRoute = (
  platform: Platform,
  { verb, operationId, command, summary, decide, told, did }: (typeof DECISIONS)[number],
): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: `/merchants/:id/settlement_account/${verb}`,
    summary,
    tag,
    operationId,
    command,
    params: IdParams,
    body: Fields({
      change_id: {
        ...Id('sac', 'The change that you mean: another may wait by now.'),
        maxLength: 64,
      },
      reason: ADMIN_REASON,
    }),
    response: AdminMerchantView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params, body }) {
      await lockPresent(tx, operator.operatorId);
      const { change_id: changeId, reason } = body;
      const word = { id: operator.operatorId, by: operator.name, reason };
      await decide(platform, { tx, now, merchantId: params.id }, changeId, word);
      const what = `${operator.name} ${did} another settlement account of ${params.id}`;
      await notifyAccountChange({ platform, tx, now }, told, what, reason);
      return showMerchant(platform, tx, params.id);
    },
  });

const notifyAccountChange = (
  work: Work,
  what: OperatorChange,
  subject: string,
  reason: string,
): Promise<void> =>
  notifySecurity(work, {
    what,
    subject,
    lines: [
      `${subject}.`,
      `The reason: ${reason}`,
      'If you did not expect this, look into it now.',
    ],
  });
