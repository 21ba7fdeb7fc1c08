import Type, { type Static } from 'typebox';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, Instant, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';
import { notFound } from '../../platform/values/errors.ts';
import { type SandboxAccount, throwRefused } from '../control.ts';
import type { SandboxDeps } from './deps.ts';

const tag = 'Sandbox';
const Text = Type.String();
const Pence = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const AccountView = NamedObject('SandboxAccount', {
  account: Type.String({ description: 'The name to log in with at the bank; the PIN is 1234.' }),
  holder: Text,
  nickname: Text,
  sort_code: Text,
  account_number: Text,
  behaviour: Text,
  summary: Type.String({ description: 'What happens when this account is asked to pay.' }),
  balance: Pence,
  payday: OrNull(
    NamedObject('SandboxPayday', {
      day: Type.Integer({ minimum: 1, maximum: 31 }),
      amount: Pence,
      next: OrNull(Instant),
    }),
  ),
});

const Banks = Type.Object({
  banks: Type.Array(
    NamedObject('SandboxBank', {
      bank_id: Text,
      name: Text,
      summary: Text,
      app_url: Text,
      behaviours: Type.Array(Text, {
        description: 'What the whole bank does besides its accounts.',
      }),
      accounts: Type.Array(AccountView),
    }),
  ),
});

const AccountParams = Type.Object({ bank_id: Text, account: Text });

/** Returns the routes of the documented customers of the sandbox's banks. */
export function accountRoutes({ partners: { control } }: SandboxDeps): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'GET',
      path: '/sandbox/accounts',
      summary: 'List the accounts of the sandbox banks',
      description:
        'Each customer behaves in one documented way. All of them have accounts at every bank.',
      tag,
      operationId: 'listSandboxAccounts',
      scope: null,
      permission: 'use_sandbox',
      response: Banks,
      handle: async () => {
        const [banks, accounts, wholes] = await Promise.all([
          control.banks(),
          control.accounts(),
          control.bankBehaviours(),
        ]);
        return {
          banks: banks.map(({ bank_id, name, summary, app_url }) => ({
            bank_id,
            name,
            summary,
            app_url,
            behaviours: wholes.find((one) => one.bank_id === bank_id)?.behaviours ?? [],
            accounts: accounts.filter(({ bank }) => bank === bank_id).map(view),
          })),
        };
      },
    }),
    routeWithOwnTransactions({
      method: 'PUT',
      path: '/sandbox/accounts/:bank_id/:account',
      summary: 'Change an account of a sandbox bank',
      description: 'The path names the account by its customer’s name or by its number.',
      tag,
      operationId: 'changeSandboxAccount',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      params: AccountParams,
      body: Fields({
        balance: Type.Optional(Pence),
        behaviour: Type.Optional(Type.String({ maxLength: 64 })),
      }),
      response: AccountView,
      errors: ['not_found'],
      handle: async ({ params, body }) => {
        const { login, account_number: number } = await findAccount(
          control,
          params.bank_id,
          params.account,
        );
        const field = body.behaviour === undefined ? 'balance' : 'behaviour';
        await control
          .changeAccount(params.bank_id, number, body)
          .catch((error: unknown) => throwRefused(error, () => field));
        const changed = await findAccount(control, params.bank_id, number);
        return view({ ...changed, login });
      },
    }),
  ];
}

/** Returns an account by its customer's name (the first one) or by its number. Throws 404. */
export async function findAccount(
  control: SandboxDeps['partners']['control'],
  bankId: string,
  account: string,
): Promise<SandboxAccount> {
  const atBank = (await control.accounts()).filter(({ bank }) => bank === bankId);
  if (atBank.length === 0) throw notFound('bank');
  const found = atBank.find(
    (one) => one.login === account.toLowerCase() || one.account_number === account,
  );
  if (found === undefined) throw notFound('account at this bank');
  return found;
}

function view(account: SandboxAccount): Static<typeof AccountView> {
  const { login, holder, nickname, sort_code, account_number, behaviour, summary } = account;
  const { payday_day: day, payday_pence: amount, next_payday: next } = account;
  return {
    account: login,
    holder,
    nickname,
    sort_code,
    account_number,
    behaviour,
    summary,
    balance: account.balance_pence,
    payday: day === null || amount === null ? null : { day, amount, next },
  };
}
