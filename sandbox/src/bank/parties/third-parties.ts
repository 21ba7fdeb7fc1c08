import type { ClientMetadata } from 'oidc-provider';
import type { Store } from '../../store.ts';
import type { BankConfig } from '../config.ts';
import { ApiProblem } from '../wire/problem.ts';
import type { Directory } from './directory.ts';
import { allRegistrations, findRegistration, type Registration } from './registrations.ts';

/** The clients of a bank: the configured third party, known to every bank from the start, and those that registered. */

export interface Client {
  clientId: string;
  orgId: string;
  softwareId: string;
  /** Its keys, as the directory publishes them at this moment. */
  jwks: { keys: Record<string, unknown>[] };
  /** As the OpenID provider knows it. */
  metadata: ClientMetadata;
}

type Deps = { store: Store; config: BankConfig; directory: Directory };

/** Finds a client of a bank; null if it is unknown, or if the directory no longer knows its software. */
export function findClient(deps: Deps, bankId: string, clientId: string): Client | null {
  const { tpp } = deps.config;
  const registration = findRegistration(deps.store, bankId, clientId);
  const softwareId = registration?.claims.software_id ?? tpp.software_id;
  const software = deps.directory.software(softwareId);
  if (!software || (!registration && clientId !== tpp.client_id)) return null;
  const { org_id: orgId, jwks } = software;
  const own = registration ? registered(registration) : configured(deps.config);
  return { clientId, orgId, softwareId, jwks, metadata: { ...own, ...COMMON, jwks } as never };
}

/** Like `findClient`; throws a 401 for a client that is unknown. */
export function requireClient(deps: Deps, bankId: string, clientId: string): Client {
  const client = findClient(deps, bankId, clientId);
  if (!client) throw new ApiProblem(401, undefined, 'The client is no longer registered');
  return client;
}

/** Records which client a new consent belongs to. */
export function assignConsent(store: Store, consentId: string, clientId: string): void {
  store.run('INSERT INTO consent_clients (consent_id, client_id) VALUES (:consentId, :clientId)', {
    consentId,
    clientId,
  });
}

/** Returns the client that a consent belongs to. */
export function clientOfConsent({ store, config }: Omit<Deps, 'directory'>, id: string): string {
  const row = store.get<{ client_id: string }>(
    'SELECT client_id FROM consent_clients WHERE consent_id = :id',
    { id },
  );
  return row?.client_id ?? config.tpp.client_id;
}

/** Returns the origins that customers may be sent back to. */
export function returnOrigins({ store, config }: Omit<Deps, 'directory'>): Set<string> {
  const registered = allRegistrations(store).flatMap(({ claims }) => claims.redirect_uris);
  return new Set([...config.tpp.redirect_uris, ...registered].map((uri) => new URL(uri).origin));
}

const COMMON = {
  require_signed_request_object: true,
  tls_client_certificate_bound_access_tokens: true,
} as const;

function configured({ tpp }: BankConfig): ClientMetadata {
  const subject = tpp.tls_client_auth_subject_dn;
  return {
    client_id: tpp.client_id,
    application_type: 'native',
    redirect_uris: tpp.redirect_uris,
    response_types: ['code id_token'],
    grant_types: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: 'PS256',
    scope: 'openid payments',
    ...(subject === undefined
      ? { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'PS256' }
      : { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: subject }),
  };
}

function registered({ clientId, claims }: Registration): ClientMetadata {
  const { software_id, software_statement, application_type, grant_types, ...own } = claims;
  return {
    ...(own as Partial<ClientMetadata>),
    client_id: clientId,
    // Only native clients may use loopback http redirects.
    application_type: own.redirect_uris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
    grant_types: [...grant_types, 'implicit'],
  };
}
