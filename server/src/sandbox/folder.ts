import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CertificatePaths, makeCertificates } from './certificates.ts';
import { makeSigningKey, type SigningKey } from './signing-key.ts';

/** The secrets by which we and the sandbox's partners authenticate each other. None of them may be logged. */
export interface SandboxSecrets {
  /** Authorises calls of the partners' control endpoints. */
  control: string;
  /** The bank's secret for the issuer. */
  fasterPayments: string;
  /** Signs our requests to the issuer. */
  issuer: string;
  /** Signs the issuer's notifications. */
  notifications: string;
}

/** Everything of the sandbox that is created once and kept. */
export interface SandboxFolder {
  dir: string;
  secrets: SandboxSecrets;
  signing: SigningKey;
  certificates: CertificatePaths;
}

const secret = (): string => randomBytes(32).toString('base64url');

/**
 * Opens `<dataDir>/sandbox`, accessible only to our own user; creates what is missing, and renews certificates near their expiry.
 */
export async function openSandboxFolder(dataDir: string): Promise<SandboxFolder> {
  const dir = resolve(dataDir, 'sandbox');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const secrets = await readOrCreate(join(dir, 'secrets.json'), async () => ({
    control: secret(),
    fasterPayments: secret(),
    issuer: secret(),
    notifications: secret(),
  }));
  const signing = await readOrCreate(join(dir, 'signing-key.json'), makeSigningKey);
  const certificates = await makeCertificates(join(dir, 'certificates'));
  return { dir, secrets, signing, certificates };
}

/** Writes a file that only our own user may read; after a crash, either the old or the new file is complete. */
export async function writePrivate(path: string, content: object): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(content, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function readOrCreate<T extends object>(path: string, make: () => Promise<T>): Promise<T> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text !== null) return parse<T>(path, text);
  const made = await make();
  await writePrivate(path, made);
  return made;
}

function parse<T>(path: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${path} is damaged: delete it, and the sandbox creates a new one`);
  }
}
