import Type from 'typebox';
import type { Tx } from '../../platform/db/db.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import {
  Fields,
  IdParams,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { askFor } from '../requests/service.ts';
import { RequestView, viewRequest } from '../requests/view.ts';
import { actingOperator } from './acting.ts';
import { OPERATOR_ROLES } from './books/roles.ts';
import { listOperators } from './books/store.ts';
import { type Changed, changeEmail, changeRoles } from './change.ts';
import { operatorKeyRoutes } from './key-routes.ts';
import { readOperator } from './present.ts';
import { seeOperator, withNewness } from './see.ts';
import { removeOperator } from './service.ts';
import { OperatorView, viewOperator } from './view.ts';

const Name = Type.String({ minLength: 1, maxLength: 70 });
const Email = Type.String({
  minLength: 1,
  maxLength: 254,
  description:
    'Where notices go, and by which they sign in to the console through the identity provider.',
});
const Roles = Type.Array(OneOf(OPERATOR_ROLES), { minItems: 1, uniqueItems: true });
const tag = 'Operators';

const ChangedView = NamedObject('ChangedOperator', {
  operator: OperatorView,
  request: OrNull({
    ...RequestView,
    description: 'What a second operator has to agree with; null: it is done.',
  }),
});

async function viewChanged(tx: Tx, { operator, request }: Changed) {
  return {
    operator: viewOperator(await seeOperator(tx, operator)),
    request: request === null ? null : viewRequest(request),
  };
}

/** The endpoints of operators and their keys. */
export function accessRoutes(platform: Platform): AdminRoute[] {
  return [
    ...readRoutes(),
    createRoute(platform),
    ...changeRoutes(platform),
    ...operatorKeyRoutes(platform),
  ];
}

const readRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/me',
    summary: 'Read who calls',
    tag,
    operationId: 'getOperatorOfKey',
    command: 'operator me',
    response: OperatorView,
    handle: async ({ tx, operator }) =>
      viewOperator(await seeOperator(tx, await readOperator(tx, operator.operatorId))),
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/operators',
    summary: 'List operators',
    description: 'Removed ones too: the audit trail names them.',
    tag,
    operationId: 'listOperators',
    command: 'operator list',
    query: ListQuery,
    response: ListOf(OperatorView),
    async handle(call) {
      const page = await listOperators(call.tx, pageOf(call));
      return { ...page, data: (await withNewness(call.tx, page.data)).map(viewOperator) };
    },
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/operators/:id',
    summary: 'Read an operator',
    tag,
    operationId: 'getOperator',
    command: 'operator show',
    params: IdParams,
    response: OperatorView,
    errors: ['not_found'],
    handle: async ({ tx, params }) =>
      viewOperator(await seeOperator(tx, await readOperator(tx, params.id))),
  }),
];

const createRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/operators',
    summary: 'Ask for a new operator',
    description:
      'A second operator has to agree. A first key then goes by email to the person alone, who makes their own with it, or they come in through the identity provider. For 72 hours they have no say in what takes two.',
    tag,
    operationId: 'createOperator',
    command: 'operator invite',
    body: Fields({ name: Name, email: Email, roles: Roles, reason: ADMIN_REASON }),
    response: RequestView,
    errors: ['operation_refused'],
    async handle({ tx, now, operator, body: { name: given, email, roles, reason } }) {
      const name = given.trim();
      const asking = { kind: 'new_operator', subject: name, reason } as const;
      const wish = { name, email, roles };
      return viewRequest(
        await askFor({ platform, tx, now }, actingOperator(operator), { ...asking, wish }),
      );
    },
  });

const changeRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'PUT',
    role: 'auditor',
    path: '/operators/:id/email',
    summary: "Set an operator's address",
    description:
      'One’s own at once; another’s takes the role `security` and a second operator; taking it away (null) `security` alone. Unlinks their account at the identity provider, and ends its sessions, also where the address stays.',
    tag,
    operationId: 'setOperatorEmail',
    command: 'operator email',
    params: IdParams,
    body: Fields({ email: OrNull(Email), reason: ADMIN_REASON }),
    response: ChangedView,
    errors: ['not_found', 'operation_refused'],
    handle: async ({ tx, now, operator, params, body }) =>
      viewChanged(
        tx,
        await changeEmail({ platform, tx, now }, actingOperator(operator), params.id, body),
      ),
  }),
  adminRoute({
    method: 'PUT',
    role: 'security',
    path: '/operators/:id/roles',
    summary: 'Set what an operator may do',
    description: 'Less at once; more takes a second operator.',
    tag,
    operationId: 'setOperatorRoles',
    command: 'operator roles',
    params: IdParams,
    body: Fields({ roles: Roles, reason: ADMIN_REASON }),
    response: ChangedView,
    errors: ['not_found', 'operation_refused'],
    handle: async ({ tx, now, operator, params, body }) =>
      viewChanged(
        tx,
        await changeRoles({ platform, tx, now }, actingOperator(operator), params.id, body),
      ),
  }),
  adminRoute({
    method: 'DELETE',
    role: 'security',
    path: '/operators/:id',
    summary: 'Remove an operator',
    description:
      'Their keys and sessions end at once. The name stays taken. Two others of `security` must be left.',
    tag,
    operationId: 'removeOperator',
    command: 'operator remove',
    params: IdParams,
    response: OperatorView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params }) {
      const acting = actingOperator(operator);
      const removed = await removeOperator({ platform, tx, now }, params.id, acting);
      return viewOperator(await seeOperator(tx, removed));
    },
  }),
];
