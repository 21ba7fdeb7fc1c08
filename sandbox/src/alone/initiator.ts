import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as jose from 'jose';
import { type CertificateFiles, issueCertificates } from './certificates.ts';
import type { AloneSettings } from './settings.ts';

/** What an initiator is known by at the sandbox, and the secrets between its programs. Made once, and kept. */
export interface Initiator {
  client_id: string;
  org_id: string;
  software_id: string;
  tls: { ca: string; server: CertificateFiles; client: CertificateFiles };
  /** The public half of what signs its requests; the private one is in `signing_key`. */
  jwk: jose.JWK;
  /** Path of the private signing key, a JWK. */
  signing_key: string;
  issuer: { key_id: string; secret: string; notification_secret: string };
  control_secret: string;
  faster_payments_secret: string;
}

const FILE = 'initiator.json';
const NAMES = { client_id: 'initiator', org_id: 'initiatororg', software_id: 'initiatorsoftware' };
const secret = (): string => randomBytes(32).toString('base64url');

/** Opens what is known of the initiator; at the first start makes its key, certificates and secrets. */
export async function openInitiator(settings: AloneSettings): Promise<Initiator> {
  const dir = resolve(settings.data_dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, FILE);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Initiator;
  const made = await makeInitiator(dir, settings);
  // Complete or not there at all: a start that was cut short makes it again.
  writePrivate(`${file}.new`, made);
  renameSync(`${file}.new`, file);
  return made;
}

async function makeInitiator(dir: string, { public_host }: AloneSettings): Promise<Initiator> {
  const hosts = [...new Set([public_host, 'localhost', '127.0.0.1', '::1'])];
  const { ca, server, clients } = await issueCertificates(dir, hosts, ['initiator']);
  const { privateKey, publicKey } = await jose.generateKeyPair('PS256', { extractable: true });
  const naming = { kid: 'initiator-1', alg: 'PS256', use: 'sig' };
  const signing_key = join(dir, 'signing.jwk.json');
  writePrivate(signing_key, { ...(await jose.exportJWK(privateKey)), ...naming });
  return {
    ...NAMES,
    tls: { ca, server, client: clients.initiator },
    jwk: { ...(await jose.exportJWK(publicKey)), ...naming },
    signing_key,
    issuer: { key_id: 'initiator', secret: secret(), notification_secret: secret() },
    control_secret: secret(),
    faster_payments_secret: secret(),
  };
}

function writePrivate(path: string, content: object): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
