import { randomUUID } from 'node:crypto';
import * as jose from 'jose';
import { realNow } from '../../clock.ts';
import type { Store } from '../../store.ts';
import { type BankConfig, nameOfThirdParty } from '../config.ts';
import { openSigningKey, type SigningKey } from '../wire/keys.ts';

/**
 * The sandbox's directory: it knows each third party's software, publishes its keys, and signs software statements. The banks
 * trust no other.
 */

/** What the directory knows of one piece of a third party's software. */
export interface Software {
  software_id: string;
  org_id: string;
  org_name: string;
  redirect_uris: string[];
  jwks: { keys: Record<string, unknown>[] };
  roles: ('AISP' | 'PISP' | 'CBPII')[];
  org_status: 'Active' | 'Revoked' | 'Withdrawn';
  /** `Test` software may return customers to http on loopback; `Live` software may not. */
  mode: 'Test' | 'Live';
  /** Its place in the scheme for commercial VRP. */
  mla_status: 'Active' | 'Suspended' | 'Revoked';
  /** When anything of this last changed. */
  updated_at: string;
}

export const DIRECTORY_ISSUER = 'Sandbox Directory';

export interface Directory {
  key: SigningKey;
  /** Base of its addresses on the back channel. */
  url: string;
  /** Returns the software, or null if the directory does not know it. */
  software(softwareId: string): Software | null;
  all(): Software[];
  /** Sets some members of an entry, and creates it if it is new. */
  put(softwareId: string, changes: Partial<Software>): Software;
  /** Signs the software's statement as it stands now. */
  statement(software: Software): Promise<string>;
  /** The address at which a piece of software's keys are published. */
  jwksUri(software: Pick<Software, 'org_id' | 'software_id'>): string;
}

/** Opens the directory. It always knows the configured third party. */
export async function openDirectory(store: Store, config: BankConfig): Promise<Directory> {
  const key = await openSigningKey(store, 'directory');
  const url = `${config.back_channel_url}/directory`;
  const changesOf = (softwareId: string): Partial<Software> | null => {
    const row = store.get<{ entry: string }>(
      'SELECT entry FROM directory_software WHERE software_id = :softwareId',
      { softwareId },
    );
    return row ? (JSON.parse(row.entry) as Partial<Software>) : null;
  };
  const software = (softwareId: string): Software | null => {
    const changes = changesOf(softwareId);
    if (softwareId === config.tpp.software_id) return { ...configured(config), ...changes };
    return changes && { ...blank(softwareId), ...changes };
  };
  const jwksUri: Directory['jwksUri'] = ({ org_id, software_id }) =>
    `${url}/${org_id}/${software_id}.jwks`;
  return {
    key,
    url,
    software,
    all: () => {
      const rows = store.all<{ software_id: string }>('SELECT software_id FROM directory_software');
      const ids = new Set([config.tpp.software_id, ...rows.map((row) => row.software_id)]);
      return [...ids].flatMap((id) => software(id) ?? []);
    },
    put: (softwareId, changes) => {
      const entry = { ...changesOf(softwareId), ...changes, updated_at: realNow().toString() };
      store.run(
        `INSERT INTO directory_software (software_id, entry) VALUES (:softwareId, :entry)
         ON CONFLICT (software_id) DO UPDATE SET entry = :entry`,
        { softwareId, entry: JSON.stringify(entry) },
      );
      return { ...blank(softwareId), ...software(softwareId) };
    },
    statement: (one) =>
      new jose.SignJWT(claimsOf(one, jwksUri(one)))
        .setProtectedHeader({ alg: 'PS256', kid: key.kid, typ: 'JWT' })
        .setIssuer(DIRECTORY_ISSUER)
        .setIssuedAt()
        .setJti(randomUUID())
        .sign(key.privateKey),
    jwksUri,
  };
}

function configured({ tpp }: BankConfig): Software {
  return {
    ...blank(tpp.software_id),
    org_id: tpp.org_id,
    org_name: nameOfThirdParty(tpp),
    redirect_uris: tpp.redirect_uris,
    jwks: tpp.jwks,
  };
}

function blank(softwareId: string): Software {
  return {
    software_id: softwareId,
    org_id: 'unnamed',
    org_name: 'Unnamed',
    redirect_uris: [],
    jwks: { keys: [] },
    roles: ['PISP'],
    org_status: 'Active',
    mode: 'Test',
    mla_status: 'Active',
    updated_at: '2026-06-02T00:00:00.000Z',
  };
}

function claimsOf(software: Software, jwksUri: string): jose.JWTPayload {
  return {
    software_id: software.software_id,
    software_client_id: software.software_id,
    software_client_name: software.org_name,
    software_client_description: `${software.org_name} collects recurring payments`,
    software_environment: 'sandbox',
    software_mode: software.mode,
    software_version: '1.0',
    software_redirect_uris: software.redirect_uris,
    software_roles: software.roles,
    software_jwks_endpoint: jwksUri,
    organisation_competent_authority_claims: {
      authority_id: 'FCA',
      registration_id: '900001',
      status: software.org_status,
      authorisations: [{ member_state: 'GB', roles: software.roles }],
    },
    org_status: software.org_status,
    org_id: software.org_id,
    org_name: software.org_name,
  };
}
