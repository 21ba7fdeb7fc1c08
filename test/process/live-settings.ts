import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSandboxFolder } from '../../server/src/sandbox/folder.ts';
import { FIRM_ENV } from '../../server/test-support/firm.ts';
import type { Env } from './recollect.ts';

/** Returns 32 random bytes in base64. */
export const secret = (): string => randomBytes(32).toString('base64');

/** What a live service is set up with: its settings, and the one bank of its banks' file. */
export interface LiveSettings {
  env: Env;
  bank: Record<string, unknown>;
  /** The key that signs our requests to the bank. */
  jwk: Record<string, unknown>;
  tls: { ca: string; cert: string; key: string };
}

/** Writes the files of a live service into a folder; returns its settings. */
export async function liveSettings(folder: string, databaseUrl: string): Promise<LiveSettings> {
  const { certificates, signing } = await openSandboxFolder(folder);
  const { ca, clientCert: cert, clientKey: key } = certificates;
  const tls = { ca, cert, key };
  const jwk = { ...signing.privateJwk };
  await writeFile(join(folder, 'signing.json'), JSON.stringify(jwk));
  const bank = {
    bank_id: 'fernbank',
    name: 'Fern Bank',
    issuer: 'https://auth.fernbank.example',
    resource_base: 'https://api.fernbank.example/pisp',
    client_id: 'recollect-at-fernbank',
    org_id: '0015800001041ReAAI',
    software_id: '4tkTJwBPfGS6pGd9Xw1Wgh',
    bank_org_id: '0015800000jfQ9aAAE',
    bank_jwks_uri: 'https://keystore.example/0015800000jfQ9aAAE.jwks',
    tls,
    signing_jwk: 'signing.json',
  };
  const env = {
    MODE: 'live',
    BASE_URL: 'https://pay.fernpayments.co.uk',
    TRUST_PROXY: '10.0.0.0/8',
    PORT: '0',
    OPERATOR_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl,
    BANKS_FILE: await writeBanksFile(folder, bank),
    ISSUER_URL: 'https://issuer.hillemoney.co.uk',
    ISSUER_KEY_ID: 'recollect',
    ISSUER_SECRET: secret(),
    ISSUER_NOTIFICATION_SECRET: secret(),
    ...FIRM_ENV,
    ENCRYPTION_KEYS: `k1:${secret()}`,
    BLIND_INDEX_KEY: secret(),
  };
  return { env, bank, jwk, tls };
}

/** Writes a banks' file with one bank; returns its path. */
export async function writeBanksFile(folder: string, bank: object): Promise<string> {
  const path = join(folder, `banks-${randomBytes(4).toString('hex')}.json`);
  await writeFile(path, JSON.stringify({ banks: [bank] }));
  return path;
}
