import { join } from 'node:path';
import type { Config } from '../platform/config/config.ts';
import type { SandboxFolder } from './folder.ts';

/** The ports of the partners. */
export interface SandboxPorts {
  bank: number;
  bankPages: number;
  issuer: number;
}

/** Our entry with the sandbox's banks, as a directory would publish it. */
export const THIRD_PARTY = {
  client_id: 'recollect',
  org_id: 'recollectorg',
  software_id: 'recollectsoftware',
} as const;
/** The subject of our certificate, with which we are registered at the token endpoints of the sandbox's banks. */
const CERTIFICATE_SUBJECT = 'CN=recollect-sandbox';
export const ISSUER_KEY_ID = 'recollect';
const BANKS_ORG_ID = 'sandboxbanks';
const LOOPBACK = '127.0.0.1';

/** The address of the banks' pages. */
export const pagesUrl = (ports: SandboxPorts): string => `http://localhost:${ports.bankPages}`;
/** The address of the issuer. */
export const issuerUrl = (ports: SandboxPorts): string => `http://${LOOPBACK}:${ports.issuer}`;

/** Returns the configuration file of `main.ts bank`. */
export function bankProgramConfig(
  config: Config,
  folder: SandboxFolder,
  ports: SandboxPorts,
): object {
  const { certificates, secrets, signing } = folder;
  return {
    data_dir: join(folder.dir, 'bank'),
    back_channel: { host: LOOPBACK, port: ports.bank },
    pages: { host: LOOPBACK, port: ports.bankPages },
    public_pages_url: pagesUrl(ports),
    back_channel_url: `https://localhost:${ports.bank}`,
    tls: { ca: certificates.ca, cert: certificates.serverCert, key: certificates.serverKey },
    control_secret: secrets.control,
    tpp: {
      ...THIRD_PARTY,
      org_name: config.brand.name,
      jwks: { keys: [signing.publicJwk] },
      tls_client_auth_subject_dn: CERTIFICATE_SUBJECT,
      redirect_uris: [`${config.baseUrl}/consent/callback`],
      notification_url: `${config.baseUrl}/notifications/banks/{bank_id}`,
    },
    faster_payments: { url: `${issuerUrl(ports)}/faster-payments`, secret: secrets.fasterPayments },
    org_id: BANKS_ORG_ID,
    exit_with_parent: true,
  };
}

/** Returns the configuration file of `main.ts issuer`. */
export function issuerProgramConfig(
  config: Config,
  folder: SandboxFolder,
  ports: SandboxPorts,
): object {
  const { secrets } = folder;
  return {
    data_dir: join(folder.dir, 'issuer'),
    host: LOOPBACK,
    port: ports.issuer,
    control_secret: secrets.control,
    partner: {
      key_id: ISSUER_KEY_ID,
      secret: secrets.issuer,
      notification_url: `${config.baseUrl}/notifications/issuer`,
      notification_secret: secrets.notifications,
    },
    faster_payments: {
      url: `http://${LOOPBACK}:${ports.bankPages}/faster-payments`,
      secret: secrets.fasterPayments,
    },
    modes: config.sandboxIssuerModes,
    exit_with_parent: true,
  };
}
