import Type from 'typebox';
import { Fields, IdParams, ListOf, ListQuery, OrNull } from '../../platform/http/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { type AdminRoute, adminRoute } from '../admin/route.ts';
import {
  createOperator,
  createOperatorKey,
  readOperator,
  removeOperator,
  revokeOperatorKey,
  setEmail,
} from './service.ts';
import { listOperatorKeys, listOperators } from './store.ts';
import {
  NewOperatorKeyView,
  OperatorKeyView,
  OperatorView,
  viewNewKey,
  viewOperator,
  viewOperatorKey,
} from './view.ts';

const KeyParams = Type.Object({ id: Type.String(), key_id: Type.String() });
const Name = Type.String({ minLength: 1, maxLength: 70 });
const Email = Type.String({
  minLength: 1,
  maxLength: 254,
  description: 'By which they sign in to the console through the identity provider.',
});
const tag = 'Operators';

/** The endpoints of operators and their keys. */
export function accessRoutes(platform: Platform): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/me',
      summary: 'Read who calls',
      tag,
      operationId: 'getOperatorOfKey',
      response: OperatorView,
      handle: async ({ tx, operator }) => viewOperator(await readOperator(tx, operator.operatorId)),
    }),
    ...operatorRoutes(platform),
    ...keyRoutes(platform),
  ];
}

const operatorRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/operators',
    summary: 'List operators',
    description: 'Removed ones too: the audit trail names them.',
    tag,
    operationId: 'listOperators',
    query: ListQuery,
    response: ListOf(OperatorView),
    async handle({ tx, query }) {
      const { operators, total } = await listOperators(tx, query.limit, query.offset);
      return { data: operators.map(viewOperator), total };
    },
  }),
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/operators',
    summary: 'Create an operator',
    description: 'Returns the operator with a first key, which is shown once.',
    tag,
    operationId: 'createOperator',
    body: Fields({ name: Name, email: Type.Optional(Email) }),
    response: NewOperatorKeyView,
    handle: async ({ tx, now, operator, body: { name, email } }) =>
      viewNewKey(
        await createOperator({ platform, tx, now }, name, operator.name, {
          email: email ?? null,
          giver: operator,
        }),
      ),
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/operators/:id',
    summary: 'Read an operator',
    tag,
    operationId: 'getOperator',
    params: IdParams,
    response: OperatorView,
    errors: ['not_found'],
    handle: async ({ tx, params }) => viewOperator(await readOperator(tx, params.id)),
  }),
  adminRoute({
    method: 'PUT',
    role: 'security',
    path: '/operators/:id/email',
    summary: "Set an operator's address for single sign-on",
    description:
      'Unlinks their account at the identity provider, and ends its sessions, also where the address stays; null: no address.',
    tag,
    operationId: 'setOperatorEmail',
    params: IdParams,
    body: Fields({ email: OrNull(Email) }),
    response: OperatorView,
    errors: ['not_found'],
    handle: async ({ tx, now, operator, params, body }) =>
      viewOperator(await setEmail({ platform, tx, now }, params.id, body.email, operator)),
  }),
  adminRoute({
    method: 'DELETE',
    role: 'security',
    path: '/operators/:id',
    summary: 'Remove an operator',
    description: 'Their keys stop working at once. The name stays taken.',
    tag,
    operationId: 'removeOperator',
    params: IdParams,
    response: OperatorView,
    errors: ['not_found'],
    handle: async ({ tx, now, operator, params }) =>
      viewOperator(await removeOperator({ platform, tx, now }, params.id, operator.name)),
  }),
];

const keyRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/operators/:id/keys',
    summary: "List an operator's keys",
    tag,
    operationId: 'listOperatorKeys',
    params: IdParams,
    query: ListQuery,
    response: ListOf(OperatorKeyView),
    errors: ['not_found'],
    async handle({ tx, params, query }) {
      const { operatorId } = await readOperator(tx, params.id);
      const { rows: keys, total } = await listOperatorKeys(tx, operatorId, query);
      return { data: keys.map(viewOperatorKey), total };
    },
  }),
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/operators/:id/keys',
    summary: 'Create a key for an operator',
    description: 'The key is shown once.',
    tag,
    operationId: 'createOperatorKey',
    params: IdParams,
    body: Fields({ name: Name }),
    response: NewOperatorKeyView,
    errors: ['not_found'],
    handle: async ({ tx, now, operator, params, body }) =>
      viewNewKey(await createOperatorKey({ platform, tx, now }, params.id, body.name, operator)),
  }),
  adminRoute({
    method: 'DELETE',
    role: 'security',
    path: '/operators/:id/keys/:key_id',
    summary: "Revoke an operator's key",
    tag,
    operationId: 'revokeOperatorKey',
    params: KeyParams,
    response: OperatorKeyView,
    errors: ['not_found'],
    handle: async ({ tx, now, params }) =>
      viewOperatorKey(await revokeOperatorKey({ platform, tx, now }, params.id, params.key_id)),
  }),
];
