import Type from 'typebox';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, NamedObject, Text } from '../../platform/http/schemas/schemas.ts';
import { notFound } from '../../platform/values/errors.ts';
import { throwRefused } from '../control.ts';
import type { SandboxDeps } from './deps.ts';

const Fault = Type.Union(
  [
    Type.Integer({ minimum: 400, maximum: 599 }),
    Type.Literal('lost_request'),
    Type.Literal('lost_answer'),
  ],
  {
    description:
      'What happens to the call: a bare HTTP status from 400 to 599, or the request or its response is lost.',
  },
);

const Behaviours = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 16,
  description:
    'What the whole bank does. `unavailable`: every call gets a 503. `refuses_clients`: its token endpoint lets nobody ' +
    'in. `stops_at_acsc`: payments end at `ACSC`. `omits_optional_fields`: responses leave out every optional field. ' +
    '`ignores_debtor_account`: customers may pay from any of their accounts, whichever the request names. ' +
    '`bare_errors`: every third call gets a bare 400, 403, 404 or 502. `loses_requests`: every third call is lost ' +
    'before it arrives. `loses_answers`: every third call is carried out, and its response is lost.',
});
const NextCalls = Type.Array(
  NamedObject(
    'SandboxFault',
    {
      call: Type.String({
        maxLength: 64,
        description:
          'Which calls: method and path as in the standard, such as `GET /domestic-vrp-consents/:id`.',
      }),
      fault: Fault,
      times: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'How many calls. Default: 1.' }),
      ),
    },
    'A fault of the next calls of one kind.',
  ),
  { maxItems: 100, description: 'Faults of the next calls, which are used up one by one.' },
);

const BankView = NamedObject(
  'SandboxBankBehaviour',
  {
    bank_id: Text('The bank’s id.'),
    name: Text('The name that customers know.'),
    behaviours: Behaviours,
    next_calls: NextCalls,
  },
  'How a whole bank of the sandbox behaves.',
);

/** Returns the routes that control how whole banks of the sandbox behave. */
export function bankRoutes({ partners: { control } }: SandboxDeps): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'PUT',
      path: '/sandbox/banks/:bank_id',
      summary: 'Change what a sandbox bank does',
      description:
        'For all of its accounts, until the next reset: exactly these behaviours are on afterwards, or exactly these faults are ordered. Changes only the fields sent.',
      tag: 'Sandbox',
      operationId: 'changeSandboxBank',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      params: Type.Object({
        bank_id: Type.String({ maxLength: 64, description: 'The id of the bank.' }),
      }),
      body: Fields(
        {
          behaviours: Type.Optional(Behaviours),
          next_calls: Type.Optional(NextCalls),
        },
        'Changes of how a bank of the sandbox behaves.',
      ),
      response: BankView,
      errors: ['not_found'],
      handle: async ({ params, body }) => {
        const fieldOf = (message: string): string =>
          body.behaviours !== undefined && message.includes('behaviours')
            ? 'behaviours'
            : 'next_calls';
        const changed = await control
          .changeBank(params.bank_id, body)
          .catch((error: unknown) => throwRefused(error, fieldOf));
        if (changed === null) throw notFound('bank');
        return changed;
      },
    }),
  ];
}
