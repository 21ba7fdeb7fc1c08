import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import type { BankDeps } from '../bank.ts';
import type { Software } from '../parties/directory.ts';

/** The directory's endpoints: its own keys, the software's keys and statements, and who takes part in commercial VRP. */

type SoftwareParams = { org: string; software: string };

/** Adds the directory to the back channel, in the shape of Open Banking Limited's. */
export function registerDirectory(app: FastifyInstance, { directory }: BankDeps): void {
  const { kid, jwk } = directory.key;
  const { n, e, kty } = jwk;
  app.get('/directory/keys', async () => ({
    keys: [{ kty, n, e, kid, alg: 'PS256', use: 'sig' }],
  }));
  app.get<{ Params: SoftwareParams }>('/directory/:org/:software.jwks', async (request, reply) => {
    const found = softwareOf(request.params);
    return found ? found.jwks : reply.code(404).send();
  });
  const statements = `/directory/organisation/tpp/:org/software-statement/:software`;
  app.get<{ Params: SoftwareParams }>(
    `${statements}/software-statement-assertion`,
    async (request, reply) => {
      const found = softwareOf(request.params);
      if (!found) return reply.code(404).send();
      return reply.type('application/jws+json').send(await directory.statement(found));
    },
  );
  app.get('/directory/v2.1/organisation/mlastatus', async () => ({
    Data: directory.all().map((one) => ({
      OBOrganisationId: one.org_id,
      OrganisationCommonName: one.org_name,
      NCAId: 'GB-FCA-900001',
      MLAStatus: one.mla_status,
      MLAStatusUpdated: one.updated_at,
    })),
  }));

  function softwareOf({ org, software }: SoftwareParams): Software | null {
    const found = directory.software(software);
    return found?.org_id === org ? found : null;
  }
}

/** Adds the control endpoint that changes the directory: `PUT /sandbox/directory/{software_id}` returns its new statement. */
export function registerDirectoryControl(control: FastifyInstance, { directory }: BankDeps): void {
  control.put<{ Params: { software: string } }>(
    '/sandbox/directory/:software',
    async (request, reply) => {
      const { software } = request.params;
      const changes = (request.body ?? {}) as Record<string, unknown>;
      if (!/^[0-9a-zA-Z]{1,22}$/.test(software))
        return reply.code(400).send({ error: 'A software id has 1 to 22 letters and digits' });
      const wrong = Object.entries(changes).find(([name, value]) => !MEMBERS[name]?.(value));
      if (wrong) return reply.code(400).send({ error: `The directory does not take ${wrong[0]}` });
      const entry = directory.put(software, changes as Partial<Software>);
      const statement = await directory.statement(entry);
      return { ...entry, software_statement: statement, claims: decodeJwt(statement) };
    },
  );
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isOneOf =
  (...values: string[]) =>
  (value: unknown): boolean =>
    values.includes(String(value));

/** What may be set of an entry, and of which form. */
const MEMBERS: Record<string, (value: unknown) => boolean> = {
  org_id: (value) => /^[0-9a-zA-Z]{1,18}$/.test(String(value)),
  org_name: isText,
  redirect_uris: (value) => Array.isArray(value) && value.every(isText),
  jwks: (value) => Array.isArray((value as { keys?: unknown } | null)?.keys),
  roles: (value) => Array.isArray(value) && value.every(isOneOf('AISP', 'PISP', 'CBPII')),
  org_status: isOneOf('Active', 'Revoked', 'Withdrawn'),
  mode: isOneOf('Test', 'Live'),
  mla_status: isOneOf('Active', 'Suspended', 'Revoked'),
};
