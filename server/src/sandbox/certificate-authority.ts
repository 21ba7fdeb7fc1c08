import { webcrypto } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const LIFETIME_DAYS = 365;

interface Issued {
  /** PEM. */
  certificate: string;
  key: string;
}

/** Issues a new authority (PEM), a server certificate for loopback and a client certificate. */
export async function issueCertificates(
  now: Temporal.Instant,
): Promise<{ authority: string; server: Issued; client: Issued }> {
  const authority = await makeAuthority(now);
  return {
    authority: authority.certificate.toString('pem'),
    server: await issue(authority, 'CN=localhost', serverExtensions(), now),
    client: await issue(authority, 'CN=recollect-sandbox', clientExtensions(), now),
  };
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
): Promise<Issued> {
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

/** Starts the validity an hour ago, so that a clock that is slightly slow accepts a new certificate. */
function validity(now: Temporal.Instant): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.subtract({ hours: 1 }).epochMilliseconds),
    notAfter: new Date(now.add({ hours: LIFETIME_DAYS * 24 }).epochMilliseconds),
  };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
