import Type from 'typebox';
import { rangesOf } from '../../merchants/keys/address-range.ts';
import { AllowedIps, keyErrors } from '../../merchants/keys/key-fields.ts';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { askFor } from '../requests/service.ts';
import { RequestView, viewRequest } from '../requests/view.ts';
import { actingOperator } from './acting.ts';
import { LONGEST_KEY_DAYS } from './books/operator-key.ts';
import { listOperatorKeys } from './books/store.ts';
import { makeOwnKey, revokeOperatorKey } from './keys.ts';
import { readOperator } from './present.ts';
import { seeOperator } from './see.ts';
import { NewOperatorKeyView, OperatorKeyView, viewNewKey, viewOperatorKey } from './view.ts';

const KeyParams = Type.Object({ id: Type.String(), key_id: Type.String() });
const tag = 'Operators';

/** The endpoints of operators' keys. */
export const operatorKeyRoutes = (platform: Platform): AdminRoute[] => [
  ...ownKeyRoutes(platform),
  ...otherKeyRoutes(platform),
];

const ownKeyRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/operators/:id/keys',
    summary: "List an operator's keys",
    tag,
    operationId: 'listOperatorKeys',
    command: 'operator keys',
    params: IdParams,
    query: ListQuery,
    response: ListOf(OperatorKeyView),
    errors: ['not_found'],
    async handle(call) {
      const { operatorId } = await readOperator(call.tx, call.params.id);
      return mapList(await listOperatorKeys(call.tx, operatorId, pageOf(call)), viewOperatorKey);
    },
  }),
  adminRoute({
    method: 'POST',
    role: 'auditor',
    path: '/operators/:id/keys',
    summary: 'Make a key of your own',
    description: 'The key is shown once. An operator’s keys are made by that operator alone.',
    tag,
    operationId: 'createOperatorKey',
    command: 'operator new-key',
    params: IdParams,
    body: Fields({
      name: Type.String({ minLength: 1, maxLength: 70 }),
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LONGEST_KEY_DAYS,
          description: `After how many days it ends; default and at most ${LONGEST_KEY_DAYS}.`,
        }),
      ),
      allowed_ips: Type.Optional(AllowedIps),
    }),
    check: keyErrors,
    response: NewOperatorKeyView,
    errors: ['not_found'],
    async handle({ tx, now, operator, params, body: { allowed_ips = null, ...body } }) {
      const wish = { ...body, allowedIps: rangesOf(allowed_ips) };
      const work = { platform, tx, now };
      const made = await makeOwnKey(work, actingOperator(operator), params.id, wish);
      return viewNewKey({ ...made, operator: await seeOperator(tx, made.operator) });
    },
  }),
];

const otherKeyRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/operators/:id/first_key',
    summary: 'Ask for a new first key of an operator who has no way in left',
    description:
      'A second operator has to agree. It goes by email to the person alone, who is a newcomer afterwards.',
    tag,
    operationId: 'sendOperatorKey',
    command: 'operator send-key',
    params: IdParams,
    body: Fields({ reason: ADMIN_REASON }),
    response: RequestView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params, body: { reason } }) {
      const asking = { kind: 'operator_key', wish: {}, subject: params.id, reason } as const;
      return viewRequest(await askFor({ platform, tx, now }, actingOperator(operator), asking));
    },
  }),
  adminRoute({
    method: 'DELETE',
    role: 'auditor',
    path: '/operators/:id/keys/:key_id',
    summary: "Revoke an operator's key",
    description: 'One’s own, or, with the role `security`, another’s. Its sessions end at once.',
    tag,
    operationId: 'revokeOperatorKey',
    command: 'operator revoke',
    params: KeyParams,
    response: OperatorKeyView,
    errors: ['not_found'],
    async handle({ tx, now, operator, params }) {
      const acting = actingOperator(operator);
      const work = { platform, tx, now };
      return viewOperatorKey(await revokeOperatorKey(work, acting, params.id, params.key_id));
    },
  }),
];
