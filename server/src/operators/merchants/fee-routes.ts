import Type, { type Static } from 'typebox';
import { setFees } from '../../merchants/terms/fee-service.ts';
import { Fields, IdParams } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { ApiError, invalid } from '../../platform/values/errors.ts';
import { actingOperator } from '../access/acting.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute, readDay } from '../admin/route.ts';
import { askFor } from '../requests/service.ts';
import { RequestView, viewRequest } from '../requests/view.ts';
import { FEES_ALONE, needsTwoOperators } from './fee-limit.ts';
import { showMerchant } from './service.ts';
import { AdminMerchantView } from './view.ts';

const tag = 'Merchants';

const FEES = {
  fixed_pence: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  basis_points: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
  from: Type.Optional(
    Type.String({
      maxLength: 10,
      description: 'A day in London; without it, the next one.',
      examples: ['2026-12-01'],
    }),
  ),
};
const FeesBody = Fields(FEES);

const LIMIT = `${FEES_ALONE.fixedPence} pence and ${FEES_ALONE.basisPoints / 100} %`;

/** Returns the terms of a body. Throws 400 `invalid_request`. */
function termsOf({ config }: Platform, body: Static<typeof FeesBody>) {
  const { fixed_pence: fixedPence = 0, basis_points: basisPoints = 0, from } = body;
  if (config.mode === 'live' && config.feeWalletHolder === null)
    throw invalid({ fixed_pence: 'there is no wallet for fees: set FEE_WALLET_HOLDER' });
  const day = from === undefined ? null : readDay('from', from);
  return { fixedPence, basisPoints, day };
}

/** The endpoints of what the operator takes of a merchant's collections. */
export const feeRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/merchants/:id/fees',
    summary: 'Set what the operator takes of each collection',
    description: `Above ${LIMIT} it takes two operators: ask for it.`,
    tag,
    operationId: 'setFees',
    command: 'merchant fees',
    params: IdParams,
    body: FeesBody,
    response: AdminMerchantView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params, body }) {
      const fees = termsOf(platform, body);
      if (needsTwoOperators(fees))
        throw new ApiError(
          'operation_refused',
          `Fees above ${LIMIT} take two operators: POST /admin/v1/merchants/${params.id}/fees/ask asks for them.`,
        );
      const asked = { tx, now, merchantId: params.id };
      await setFees(platform, asked, fees, operatorActor(operator.name));
      return showMerchant(platform, tx, params.id);
    },
  }),
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/merchants/:id/fees/ask',
    summary: 'Ask for fees that take two operators',
    tag,
    operationId: 'askFees',
    command: 'request fees',
    params: IdParams,
    body: Fields({ ...FEES, reason: ADMIN_REASON }),
    response: RequestView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params, body: { reason, ...body } }) {
      const { day, ...terms } = termsOf(platform, body);
      const wish = { ...terms, day: day?.toString() ?? null };
      const asking = { kind: 'merchant_fees', wish, subject: params.id, reason } as const;
      return viewRequest(await askFor({ platform, tx, now }, actingOperator(operator), asking));
    },
  }),
];
