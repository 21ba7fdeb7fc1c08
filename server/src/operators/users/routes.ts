import Type, { type Static } from 'typebox';
import {
  type AccountFacts,
  findAccountById,
  searchAccounts,
} from '../../merchants/team/account-store.ts';
import { removeAccount, resetAccount } from '../../merchants/team/accounts.ts';
import { operatorActor } from '../../platform/actor.ts';
import { formatInstant } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import {
  Fields,
  Id,
  IdParams,
  Instant,
  ListOf,
  ListQuery,
  NamedObject,
  OrNull,
} from '../../platform/http/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { type AdminRoute, adminRoute } from '../admin/route.ts';

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

async function readUser(tx: Tx, userId: string): Promise<AccountFacts> {
  const account = await findAccountById(tx, userId);
  if (account === null) throw notFound('user');
  return account;
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
      handle: async ({ tx, params }) => viewUser(await readUser(tx, params.id)),
    }),
    resetRoute(platform),
    removeRoute(platform),
  ];
}

const resetRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/users/:id/reset',
    summary: 'Remove every way to sign in to an account',
    description:
      'Password, passkeys, second factor, sessions and links. Returns a link to set a new password; hand it to the person.',
    tag,
    operationId: 'resetUser',
    params: IdParams,
    response: NamedObject('ResetUser', {
      user: UserView,
      url: Type.String(),
      expires_at: Instant,
    }),
    errors: ['not_found'],
    async handle({ tx, now, operator, params }) {
      const { email } = await readUser(tx, params.id);
      const by = operatorActor(operator.name);
      const { link } = await resetAccount({ platform, tx, now }, email, by);
      return {
        user: viewUser(await readUser(tx, params.id)),
        url: link.url,
        expires_at: formatInstant(link.expiresAt),
      };
    },
  });

const removeRoute = (platform: Platform): AdminRoute =>
  adminRoute({
    method: 'POST',
    role: 'security',
    path: '/users/:id/remove',
    summary: 'Remove someone from a team, or from all of them',
    description: 'Without `merchant_id` the account is deleted. The keys they made are revoked.',
    tag,
    operationId: 'removeUser',
    params: IdParams,
    body: Fields({
      merchant_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      even_last_owner: Type.Optional(Type.Boolean()),
    }),
    response: NamedObject('RemovedUser', { user: UserView, is_deleted: Type.Boolean() }),
    errors: ['not_found', 'last_owner'],
    async handle({ tx, now, operator, params, body }) {
      const { email } = await readUser(tx, params.id);
      const { account, isDeleted } = await removeAccount(
        { platform, tx, now },
        email,
        operatorActor(operator.name),
        {
          merchantId: body.merchant_id ?? null,
          evenLastOwner: body.even_last_owner === true,
        },
      );
      return { user: viewUser(account), is_deleted: isDeleted };
    },
  });
