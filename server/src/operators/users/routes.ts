import Type from 'typebox';
import { ROLES } from '../../merchants/role.ts';
import { readMerchant } from '../../merchants/service.ts';
import { searchAccounts } from '../../merchants/team/account-store.ts';
import { readAccountById } from '../../merchants/team/accounts.ts';
import { createUser } from '../../merchants/team/users.ts';
import { IdQuery } from '../../platform/http/lists/list-filters.ts';
import { mapList, pageOf } from '../../platform/http/lists/page.ts';
import {
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
import type { Platform } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { actingOperator } from '../access/acting.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { askFor } from '../requests/service.ts';
import { RequestView, viewRequest } from '../requests/view.ts';
import { removeUser } from './remove.ts';
import { UserView, viewUser } from './view.ts';

const tag = 'Users';

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
      command: 'user list',
      query: Fields({
        ...ListQuery.properties,
        q: Type.Optional(
          Type.String({
            maxLength: 200,
            description: 'An id, or a part of the name or address.',
          }),
        ),
        merchant_id: IdQuery('Only the members of this merchant.'),
      }),
      response: ListOf(UserView),
      async handle(call) {
        const { q, merchant_id: merchantId } = call.query;
        const filter = { ...(q?.trim() && { q: q.trim() }), ...(merchantId && { merchantId }) };
        return mapList(await searchAccounts(call.tx, filter, pageOf(call)), viewUser);
      },
    }),
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/users/:id',
      summary: 'Read a user',
      tag,
      operationId: 'getUser',
      command: 'user show',
      params: IdParams,
      response: UserView,
      errors: ['not_found'],
      handle: async ({ tx, params }) => viewUser(await readAccountById(tx, params.id)),
    }),
    createRoute(platform),
    ...RESETS.map((reset) => resetRoute(platform, reset)),
    removeRoute(platform),
  ];
}

const createRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/merchants/:id/users',
    summary: "Put somebody on a merchant's team",
    description:
      'The answer has a link to set a password, or, for an address that has an account in use, an invitation: its person accepts it with the password of that account.',
    tag,
    operationId: 'createUser',
    command: 'user create',
    params: IdParams,
    body: Fields({
      email: Type.String({ minLength: 1, maxLength: 254 }),
      name: Type.String({ minLength: 1, maxLength: 100 }),
      role: OneOf(ROLES, 'What they may do.'),
    }),
    response: NamedObject('CreatedUser', {
      id: Id('usr'),
      email: Type.String(),
      url: Type.String({ description: 'Hand it to the person; it works once.' }),
      expires_at: Instant,
      existing_account: OrNull({
        ...UserView,
        description: 'The account that the address has already; null: there was none in use.',
      }),
    }),
    errors: ['not_found'],
    async handle({ tx, now, operator, params, body }) {
      await readMerchant(platform, tx, params.id);
      const actorId = operatorActor(operator.name);
      const asked = { tx, now, merchantId: params.id, actorId };
      const user = await createUser(platform, asked, body);
      return {
        id: user.userId,
        email: user.email,
        url: user.url,
        expires_at: formatInstant(user.expiresAt),
        existing_account: user.existing === null ? null : viewUser(user.existing),
      };
    },
  });

const RESETS = [
  {
    kind: 'user_reset',
    path: '/users/:id/reset',
    summary: 'Ask for the reset of somebody’s sign-in',
    description:
      'A second operator has to agree. Password, passkeys, sessions and links end, and a link to set a new password goes by email to the person alone. The second factor stays.',
    operationId: 'resetUser',
    command: 'user reset',
  },
  {
    kind: 'user_second_factor',
    path: '/users/:id/second_factor/remove',
    summary: 'Ask for the removal of somebody’s second factor',
    description: 'A second operator has to agree. The password stays.',
    operationId: 'removeUserSecondFactor',
    command: 'user remove-second-factor',
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
    command: 'user remove',
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
