import Type, { type Static } from 'typebox';
import { type AccountFacts, searchAccounts } from '../../merchants/team/account-store.ts';
import { readAccountById } from '../../merchants/team/accounts.ts';
import {
  Fields,
  Id,
  IdParams,
  Instant,
  ListOf,
  ListQuery,
  NamedObject,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { actingOperator } from '../access/acting.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { askFor } from '../requests/service.ts';
import { RequestView, viewRequest } from '../requests/view.ts';
import { removeUser } from './remove.ts';

const tag = 'Users';

const UserView = NamedObject('User', {
  id: Id('usr'),
  name: Type.String(),
  email: Type.String(),
  created_at: Instant,
  made_by: Type.String({ description: '`operator`, `invitation` or `unknown`.' }),
  has_password: Type.Boolean(),
  passkeys: Type.Integer(),
  two_factor: Type.Boolean(),
  last_seen_at: OrNull(Instant),
  teams: Type.Array(Type.Object({ merchant_id: Id('mer'), role: Type.String() })),
});

function viewUser(account: AccountFacts): Static<typeof UserView> {
  return {
    id: account.userId,
    name: account.name,
    email: account.email,
    created_at: formatInstant(account.createdAt),
    made_by: account.madeBy,
    has_password: account.hasPassword,
    passkeys: account.passkeys,
    two_factor: account.twoFactor,
    last_seen_at: formatInstant(account.lastSeenAt),
    teams: account.teams.map(({ merchantId, role }) => ({ merchant_id: merchantId, role })),
  };
}

/** The endpoints of the people of merchants' teams. */
export function userRoutes(platform: Platform): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/users',
      summary: 'List and search users',
      tag,
      operationId: 'listUsers',
      query: Fields({
        ...ListQuery.properties,
        q: Type.Optional(
          Type.String({ maxLength: 200, description: 'An id, or a part of the name or address.' }),
        ),
      }),
      response: ListOf(UserView),
      async handle({ tx, query: { q, ...page } }) {
        const { accounts, total } = await searchAccounts(tx, q?.trim() || null, page);
        return { data: accounts.map(viewUser), total };
      },
    }),
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/users/:id',
      summary: 'Read a user',
      tag,
      operationId: 'getUser',
      params: IdParams,
      response: UserView,
      errors: ['not_found'],
      handle: async ({ tx, params }) => viewUser(await readAccountById(tx, params.id)),
    }),
    ...RESETS.map((reset) => resetRoute(platform, reset)),
    removeRoute(platform),
  ];
}

const RESETS = [
  {
    kind: 'user_reset',
    path: '/users/:id/reset',
    summary: 'Ask for the reset of somebody’s sign-in',
    description:
      'A second operator has to agree. Password, passkeys, sessions and links end, and a link to set a new password goes by email to the person alone. The second factor stays.',
    operationId: 'resetUser',
  },
  {
    kind: 'user_second_factor',
    path: '/users/:id/second_factor/remove',
    summary: 'Ask for the removal of somebody’s second factor',
    description: 'A second operator has to agree. The password stays.',
    operationId: 'removeUserSecondFactor',
  },
] as const;

const resetRoute = (platform: Platform, { kind, ...words }: (typeof RESETS)[number]): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    ...words,
    tag,
    params: IdParams,
    body: Fields({ reason: ADMIN_REASON }),
    response: RequestView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params, body: { reason } }) {
      const asking = { kind, wish: {}, subject: params.id, reason } as const;
      return viewRequest(await askFor({ platform, tx, now }, actingOperator(operator), asking));
    },
  });

const removeRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/users/:id/remove',
    summary: 'Remove someone from a team, or from all of them',
    description:
      'Without `merchant_id` the account is deleted. The keys they made are revoked. For an owner a second operator has to agree.',
    tag,
    operationId: 'removeUser',
    params: IdParams,
    body: Fields({
      merchant_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      even_last_owner: Type.Optional(Type.Boolean()),
      reason: ADMIN_REASON,
    }),
    response: NamedObject('RemovedUser', {
      user: UserView,
      is_deleted: Type.Boolean(),
      request: OrNull({
        ...RequestView,
        description: 'What a second operator has to agree with; null: it is done.',
      }),
    }),
    errors: ['not_found', 'last_owner', 'operation_refused'],
    async handle({ tx, now, operator, params, body }) {
      const { reason, merchant_id: merchantId = null, even_last_owner: even = false } = body;
      const wish = { merchantId, evenLastOwner: even };
      const asked = { userId: params.id, wish, reason };
      const work = { platform, tx, now };
      const { account, isDeleted, request } = await removeUser(
        work,
        actingOperator(operator),
        asked,
      );
      return {
        user: viewUser(account),
        is_deleted: isDeleted,
        request: request === null ? null : viewRequest(request),
      };
    },
  });
