import Type, { type Static } from 'typebox';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, Instant, NamedObject, OrNull, Text } from '../../platform/http/schemas/schemas.ts';
import { notFound } from '../../platform/values/errors.ts';
import { type SandboxAccount, throwRefused } from '../control.ts';
import type { SandboxDeps } from './deps.ts';

const tag = 'Sandbox';
const Pence = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const AccountView = NamedObject(
  'SandboxAccount',
  {
    account: Text('The login of its customer at the bank. The PIN is 1234.'),
    holder: Text('The account holder’s name.'),
    nickname: Text('What the bank app calls the account.'),
    sort_code: Text('The sort code, 6 digits.'),
    account_number: Text('The account number, 8 digits.'),
    behaviour: Text('How it behaves, such as `normal` or `fails_first`.'),
    summary: Text('What happens when a payment is collected from it.'),
    balance: Pence('How much is in it, in pence.'),
    payday: OrNull(
      NamedObject(
        'SandboxPayday',
        {
          day: Type.Integer({ minimum: 1, maximum: 31, description: 'The day of the month.' }),
          amount: Pence('How much comes, in pence.'),
          next: OrNull(Instant, 'When it comes next. Null: it does not.'),
        },
        'Money that comes into an account once a month.',
      ),
      'The money that comes into it once a month. Null: none does.',
    ),
  },
  'An account at a bank of the sandbox.',
);

const Banks = Type.Object(
  {
    banks: Type.Array(
      NamedObject(
        'SandboxBank',
        {
          bank_id: Text('The bank’s id.'),
          name: Text('The name that customers know.'),
          summary: Text('What is special about it.'),
          app_url: Text('Where its app is: log in there as a customer.'),
          behaviours: Type.Array(Type.String(), {
            description: 'What the whole bank does, besides what its accounts do.',
          }),
          accounts: Type.Array(AccountView, { description: 'Its accounts.' }),
        },
        'A bank of the sandbox, with its accounts.',
      ),
      { description: 'The banks of the sandbox.' },
    ),
  },
  { description: 'The banks of the sandbox, with their accounts.' },
);

const AccountParams = Type.Object({
  bank_id: Text('The id of the bank.'),
  account: Text('The login of the account’s customer, such as `alex`, or the account number.'),
});

/** Returns the routes of the documented customers of the sandbox's banks. */
export function accountRoutes({ partners: { control } }: SandboxDeps): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'GET',
      path: '/sandbox/accounts',
      summary: 'List the accounts of the sandbox banks',
      description:
        'Each customer behaves in one documented way. All of them have an account at every bank.',
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
      description: 'It changes only the fields sent, until the next reset.',
      tag,
      operationId: 'changeSandboxAccount',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      params: AccountParams,
      body: Fields(
        {
          balance: Type.Optional(Pence('How much is in it from now on, in pence.')),
          behaviour: Type.Optional(
            Type.String({
              maxLength: 64,
              description: 'How it behaves from now on. An unknown behaviour is refused.',
            }),
          ),
        },
        'Changes of an account of the sandbox.',
      ),
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
