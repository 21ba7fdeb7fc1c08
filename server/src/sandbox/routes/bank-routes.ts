import Type from 'typebox';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, NamedObject } from '../../platform/http/schemas/schemas.ts';
import { notFound } from '../../platform/values/errors.ts';
import { throwRefused } from '../control.ts';
import type { SandboxDeps } from './deps.ts';

const Text = Type.String({ maxLength: 64 });
const Fault = Type.Union([
  Type.Integer({ minimum: 400, maximum: 599 }),
  Type.Literal('lost_request'),
  Type.Literal('lost_answer'),
]);

const Behaviours = Type.Array(Text, {
  maxItems: 16,
  description:
    'What the whole bank does: unavailable, refuses_clients, stops_at_acsc, omits_optional_fields, bare_errors, loses_requests, loses_answers.',
});
const NextCalls = Type.Array(
  NamedObject('SandboxFault', {
    call: Type.String({
      maxLength: 64,
      description: 'Method and path as in the standard, such as GET /domestic-vrp-consents/:id.',
    }),
    fault: Fault,
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  }),
  { maxItems: 100, description: 'Faults of the next calls, used up one by one.' },
);

const BankView = NamedObject('SandboxBankBehaviour', {
  bank_id: Text,
  name: Text,
  behaviours: Behaviours,
  next_calls: NextCalls,
});

/** Returns the routes that control how whole banks of the sandbox behave. */
export function bankRoutes({ partners: { control } }: SandboxDeps): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'PUT',
      path: '/sandbox/banks/:bank_id',
      summary: 'Change what a sandbox bank does',
      description:
        'For every account at this bank, until the next reset: behaviours that the standard allows, and faults of its next calls.',
      tag: 'Sandbox',
      operationId: 'changeSandboxBank',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      params: Type.Object({ bank_id: Text }),
      body: Fields({
        behaviours: Type.Optional(Behaviours),
        next_calls: Type.Optional(NextCalls),
      }),
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
