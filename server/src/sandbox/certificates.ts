import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realNow } from '../platform/time/clock.ts';

/** The paths of the PEM files of the sandbox's own certificate authority. */
export interface CertificatePaths {
  ca: string;
  serverCert: string;
  serverKey: string;
  clientCert: string;
  clientKey: string;
}

const RENEW_BEFORE_DAYS = 30;

/**
 * Creates the certificates of the sandbox in `dir`: an authority of its own, a server certificate for loopback and a client
 * certificate for mutual TLS. Existing ones are kept until 30 days before they expire. The authority's private key is never
 * written, so no further certificate can be issued in its name.
 */
export async function makeCertificates(dir: string): Promise<CertificatePaths> {
  const paths: CertificatePaths = {
    ca: join(dir, 'ca.pem'),
    serverCert: join(dir, 'server.pem'),
    serverKey: join(dir, 'server.key'),
    clientCert: join(dir, 'client.pem'),
    clientKey: join(dir, 'client.key'),
  };
  const now = realNow();
  if (await areUsable(paths, now)) return paths;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  // Loaded on demand: most starts find valid certificates.
  const { issueCertificates } = await import('./certificate-authority.ts');
  const { authority, server, client } = await issueCertificates(now);
  await writeFile(paths.ca, authority);
  await writeFile(paths.serverCert, server.certificate);
  await writeFile(paths.serverKey, server.key, { mode: 0o600 });
  await writeFile(paths.clientCert, client.certificate);
  await writeFile(paths.clientKey, client.key, { mode: 0o600 });
  return paths;
}

async function areUsable(paths: CertificatePaths, now: Temporal.Instant): Promise<boolean> {
  try {
    const files = Object.values(paths) as string[];
    const pems = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const certificates = pems.filter((pem) => pem.includes('BEGIN CERTIFICATE'));
    const [authority, ...issued] = certificates.map((pem) => new X509Certificate(pem));
    const limit = now.add({ hours: RENEW_BEFORE_DAYS * 24 }).epochMilliseconds;
    return (
      authority !== undefined &&
      issued.length === 2 &&
      issued.every((c) => c.validToDate.getTime() > limit && c.verify(authority.publicKey))
    );
  } catch {
    return false;
  }
}
