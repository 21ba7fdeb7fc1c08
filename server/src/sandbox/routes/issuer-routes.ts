import Type, { type Static } from 'typebox';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { Fields, NamedObject, Text } from '../../platform/http/schemas/schemas.ts';
import { type IssuerModes, throwRefused } from '../control.ts';
import type { SandboxDeps } from './deps.ts';

const tag = 'Sandbox';

const IssuerAnswer = NamedObject(
  'SandboxIssuer',
  {
    modes: Type.Array(Type.String(), { description: 'The modes that are on.' }),
    known: Type.Array(
      NamedObject(
        'SandboxIssuerMode',
        {
          mode: Text('Its name.'),
          summary: Text('How the issuer behaves while it is on.'),
        },
        'A mode that the issuer can be in.',
      ),
      { description: 'All modes that there are.' },
    ),
  },
  'How the e-money issuer of the sandbox behaves.',
);

/** Returns the routes that control how the sandbox's e-money issuer behaves. */
export function issuerRoutes({ partners: { control } }: SandboxDeps): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'GET',
      path: '/sandbox/issuer',
      summary: 'Show how the sandbox e-money issuer behaves',
      description: 'The modes that are on, and all that there are with what each does.',
      tag,
      operationId: 'readSandboxIssuer',
      scope: null,
      permission: 'use_sandbox',
      response: IssuerAnswer,
      handle: async () => view(await control.issuerModes()),
    }),
    routeWithOwnTransactions({
      method: 'PUT',
      path: '/sandbox/issuer',
      summary: 'Change how the sandbox e-money issuer behaves',
      description:
        'Exactly these modes are on afterwards, for everybody who uses this sandbox, and hold for what happens from then on. Refused for a mode that does not exist.',
      tag,
      operationId: 'changeSandboxIssuer',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      body: Fields(
        {
          modes: Type.Array(Type.String({ maxLength: 64, examples: ['pending_transfers'] }), {
            maxItems: 100,
            description: 'The modes that are to be on; none: it behaves as it should.',
          }),
        },
        'How the e-money issuer of the sandbox is to behave.',
      ),
      response: IssuerAnswer,
      errors: ['invalid_request'],
      handle: ({ body }) =>
        control
          .setIssuerModes(body.modes)
          .then(view, (error: unknown) => throwRefused(error, () => 'modes')),
    }),
  ];
}

function view({ modes, known }: IssuerModes): Static<typeof IssuerAnswer> {
  return {
    modes,
    known: Object.entries(known).map(([mode, summary]) => ({ mode, summary })),
  };
}
