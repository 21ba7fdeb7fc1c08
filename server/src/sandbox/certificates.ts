import { webcrypto, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

/** Where the PEM files of the sandbox's own certificate authority lie. */
export interface CertificatePaths {
  ca: string;
  serverCert: string;
  serverKey: string;
  clientCert: string;
  clientKey: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const LIFETIME_DAYS = 365;
const RENEW_BEFORE_DAYS = 30;

/**
 * Makes the certificates of the sandbox in `dir`: an authority of its own, a server certificate for loopback and a
 * client certificate for mutual TLS. What is there already is kept until 30 days before it ends. The authority's
 * private key is never written, so that nobody can issue a further certificate in its name.
 */
export async function makeCertificates(dir: string): Promise<CertificatePaths> {
  const paths: CertificatePaths = {
    ca: join(dir, 'ca.pem'),
    serverCert: join(dir, 'server.pem'),
    serverKey: join(dir, 'server.key'),
    clientCert: join(dir, 'client.pem'),
    clientKey: join(dir, 'client.key'),
  };
  const now = Temporal.Now.instant();
  if (await areUsable(paths, now)) return paths;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const authority = await makeAuthority(now);
  const server = await issue(authority, 'CN=localhost', serverExtensions(), now);
  const client = await issue(authority, 'CN=recollect-sandbox', clientExtensions(), now);
  await writeFile(paths.ca, authority.certificate.toString('pem'));
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

interface Authority {
  certificate: x509.X509Certificate;
  privateKey: CryptoKey;
}

async function makeAuthority(now: Temporal.Instant): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Recollect sandbox authority',
    ...validity(now),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, privateKey: keys.privateKey };
}

async function issue(
  authority: Authority,
  subject: string,
  extensions: x509.Extension[],
  now: Temporal.Instant,
): Promise<{ certificate: string; key: string }> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: authority.certificate.subject,
    ...validity(now),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      ...extensions,
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
  };
}

function serverExtensions(): x509.Extension[] {
  return [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([
      { type: 'dns', value: 'localhost' },
      { type: 'ip', value: '127.0.0.1' },
      { type: 'ip', value: '::1' },
    ]),
  ];
}

function clientExtensions(): x509.Extension[] {
  return [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])];
}

/** From an hour ago, so that a clock that is a little behind does not refuse a fresh certificate. */
function validity(now: Temporal.Instant): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.subtract({ hours: 1 }).epochMilliseconds),
    notAfter: new Date(now.add({ hours: LIFETIME_DAYS * 24 }).epochMilliseconds),
  };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
