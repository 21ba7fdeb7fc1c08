import { randomUUID } from 'node:crypto';
import type { Store } from '../../store.ts';

/** What a client asked for when it registered, after the checks (OBClientRegistrationRequest1). */
export interface RegistrationClaims {
  redirect_uris: string[];
  token_endpoint_auth_method: 'private_key_jwt' | 'tls_client_auth';
  token_endpoint_auth_signing_alg?: string;
  tls_client_auth_subject_dn?: string;
  grant_types: string[];
  response_types: string[];
  software_id: string;
  scope: string;
  software_statement: string;
  application_type: string;
  id_token_signed_response_alg: string;
  request_object_signing_alg: string;
}

/** The claims of a software statement that registration uses; the others are returned as they came. */
export interface StatementClaims {
  software_id: string;
  org_id: string;
  org_status: string;
  software_mode: string;
  software_roles: string[];
  software_redirect_uris: string[];
  software_jwks_endpoint: string;
}

/** A client that registered itself with one bank. */
export interface Registration {
  clientId: string;
  bank: string;
  /** Real time, in seconds. */
  issuedAt: number;
  claims: RegistrationClaims;
  statement: StatementClaims;
}

interface Row {
  client_id: string;
  bank: string;
  issued_at: number;
  claims: string;
  statement: string;
}

/** Finds a client of a bank. */
export function findRegistration(
  store: Store,
  bank: string,
  clientId: string,
): Registration | null {
  const row = store.get<Row>(
    'SELECT * FROM registrations WHERE bank = :bank AND client_id = :clientId',
    { bank, clientId },
  );
  return row ? registrationOf(row) : null;
}

/** Returns the registrations of all banks. */
export function allRegistrations(store: Store): Registration[] {
  return store.all<Row>('SELECT * FROM registrations ORDER BY issued_at').map(registrationOf);
}

/** Registers a new client; `issuedAt` is real time in seconds. */
export function addRegistration(
  store: Store,
  bank: string,
  content: Pick<Registration, 'claims' | 'statement' | 'issuedAt'>,
): Registration {
  const registration = { ...content, bank, clientId: randomUUID() };
  store.run(
    `INSERT INTO registrations (client_id, bank, issued_at, claims, statement)
     VALUES (:clientId, :bank, :issuedAt, :claims, :statement)`,
    {
      clientId: registration.clientId,
      bank,
      issuedAt: registration.issuedAt,
      claims: JSON.stringify(registration.claims),
      statement: JSON.stringify(registration.statement),
    },
  );
  return registration;
}

/** Replaces what a client asked for. Its tokens stay in force. */
export function changeRegistration(
  store: Store,
  before: Registration,
  content: Pick<Registration, 'claims' | 'statement'>,
): Registration {
  store.run(
    `UPDATE registrations SET claims = :claims, statement = :statement
     WHERE client_id = :clientId`,
    {
      clientId: before.clientId,
      claims: JSON.stringify(content.claims),
      statement: JSON.stringify(content.statement),
    },
  );
  return { ...before, ...content };
}

/** Deletes a client, and everything that was issued to it. */
export function deleteRegistration(store: Store, { bank, clientId }: Registration): void {
  store.transaction(() => {
    store.run('DELETE FROM registrations WHERE client_id = :clientId', { clientId });
    store.run(
      `DELETE FROM oidc_records WHERE bank = :bank AND json_extract(payload, '$.clientId') = :clientId`,
      { bank, clientId },
    );
  });
}

/** Records a request's `jti` until the request expires; returns false if it was used before. `now` is real time in seconds. */
export function useRequestId(
  store: Store,
  bank: string,
  request: { jti: string; exp: number },
  now: number,
): boolean {
  store.run('DELETE FROM registration_requests WHERE expires_at <= :now', { now });
  const added = store.run(
    `INSERT INTO registration_requests (bank, jti, expires_at) VALUES (:bank, :jti, :exp)
     ON CONFLICT DO NOTHING`,
    { bank, jti: request.jti, exp: request.exp },
  );
  return added === 1;
}

function registrationOf({ client_id, bank, issued_at, claims, statement }: Row): Registration {
  return {
    clientId: client_id,
    bank,
    issuedAt: issued_at,
    claims: JSON.parse(claims) as RegistrationClaims,
    statement: JSON.parse(statement) as StatementClaims,
  };
}
