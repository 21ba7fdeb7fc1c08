import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { SettlementAccount } from '../../merchants/merchant.ts';
import { merchantErrors } from '../../merchants/rules.ts';
import {
  PayeeCheckView,
  viewPayeeCheck,
} from '../../merchants/settlement-account/payee-check-view.ts';
import {
  cancelAccountChange,
  confirmAccountChange,
  requestAccountChange,
} from '../../merchants/settlement-account/settlement-account-service.ts';
import { reader } from '../../merchants/sign-in/fields.ts';
import { type Route, route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, IdParams } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { invalid } from '../../platform/values/errors.ts';
import { releaseAsOwner } from '../../settlements/account-hold.ts';
import type { PayeeDeps } from '../../wallets/payee-check.ts';
import type { Guards } from '../gate.ts';
import { addProved, PROOF_FIELDS, type ProvedDeps } from '../proved.ts';
import { checkAsOwner, showAccountChanges } from './service.ts';
import { AccountChangesView } from './view.ts';

const TAG = 'Settlement account';
const PATH = '/api/settlement_account';

const ACCOUNT_FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 70 }),
  sort_code: Type.String({ maxLength: 32 }),
  account_number: Type.String({ maxLength: 32 }),
};

const readChange = reader(Fields({ ...ACCOUNT_FIELDS, ...PROOF_FIELDS }));

type AccountBody = Static<ReturnType<typeof Fields<typeof ACCOUNT_FIELDS>>>;

const accountOf = ({ name, sort_code, account_number }: AccountBody): SettlementAccount => ({
  name,
  sortCode: sort_code,
  accountNumber: account_number,
});

/** Returns the wrong fields of a body, whose shape the schema checks. */
function accountErrors({ config }: Platform, body: unknown): Record<string, string> {
  const settlementAccount = accountOf(Object(body) as AccountBody);
  return withoutPrefix(merchantErrors({ settlementAccount }, config.mode));
}

/** Returns the routes that need only a session: showing the changes, checking a name, and cancelling a change. */
export function settlementAccountRoutes(deps: PayeeDeps): Route[] {
  const { platform } = deps;
  return [
    routeWithOwnTransactions({
      method: 'POST',
      path: `${PATH}/checks`,
      summary: 'Check the name on another settlement account, before it is asked for',
      tag: TAG,
      operationId: 'checkAccountName',
      scope: null,
      permission: 'change_settlement_account',
      proof: 'never',
      keyless: true,
      body: Fields(ACCOUNT_FIELDS),
      response: PayeeCheckView,
      check: (body) => accountErrors(platform, body),
      handle: async (call) => viewPayeeCheck(await checkAsOwner(deps, call, accountOf(call.body))),
    }),
    route({
      method: 'GET',
      path: PATH,
      summary: 'Get the changes of the settlement account',
      tag: TAG,
      operationId: 'getSettlementAccount',
      scope: null,
      permission: 'read',
      response: AccountChangesView,
      handle: (call) => showAccountChanges(platform, call),
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/changes/:id`,
      summary: 'Take a change back that is not in force yet',
      tag: TAG,
      operationId: 'takeBackSettlementAccount',
      scope: null,
      permission: 'change_settlement_account',
      proof: 'never',
      params: IdParams,
      response: AccountChangesView,
      errors: ['not_found'],
      handle: async (call) => {
        await cancelAccountChange(platform, call, call.params.id);
        return showAccountChanges(platform, call);
      },
    }),
  ];
}

/** Adds the routes that request and confirm a change: a session, which may be stolen, is not enough. */
export function addAccountChanges(
  app: FastifyInstance,
  deps: ProvedDeps & PayeeDeps,
  guards: Guards,
): void {
  const { platform } = deps;
  addProved(app, deps, guards, {
    method: 'POST',
    path: `${PATH}/changes`,
    operationId: 'changeSettlementAccount',
    permission: 'change_settlement_account',
    read(body) {
      const { name, sort_code, account_number, ...proof } = readChange(body);
      const wrong = accountErrors(platform, body);
      if (Object.keys(wrong).length > 0) throw invalid(wrong);
      return { ...proof, account: accountOf({ name, sort_code, account_number }) };
    },
    check: (caller, { account }) => checkAsOwner(deps, caller, account),
    change: async (asked, { account }, _params, check) => {
      await requestAccountChange(platform, asked, account, check ?? null);
      return showAccountChanges(platform, asked);
    },
  });
  addProved(app, deps, guards, {
    method: 'POST',
    path: `${PATH}/changes/:id/confirm`,
    operationId: 'confirmSettlementAccount',
    permission: 'change_settlement_account',
    read: reader(Fields(PROOF_FIELDS)),
    change: async (asked, _proof, { id = '' }) => {
      await confirmAccountChange(platform, asked, id);
      return showAccountChanges(platform, asked);
    },
  });
  addProved(app, deps, guards, {
    method: 'POST',
    path: `${PATH}/changes/:id/release`,
    operationId: 'releaseAccountHold',
    permission: 'change_settlement_account',
    read: reader(Fields(PROOF_FIELDS)),
    change: async (asked, _proof, { id = '' }) => {
      await releaseAsOwner(platform, asked, id);
      return showAccountChanges(platform, asked);
    },
  });
}

/** Shortens field names: `settlement_account.sort_code` is `sort_code` here. */
function withoutPrefix(wrong: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wrong).map(([field, problem]) => [field.split('.').at(-1) ?? field, problem]),
  );
}
