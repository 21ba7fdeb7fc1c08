import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PEM files for mutual TLS in tests. */
export interface TestCertificates {
  ca: string;
  serverCert: string;
  serverKey: string;
  clientCert: string;
  clientKey: string;
  /** A second client, to test tokens that are bound to the first. */
  otherCert: string;
  otherKey: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates certificates for an authority, a localhost server and two clients; returns the file paths. */
export async function makeTestCertificates(dir: string): Promise<TestCertificates> {
  // tsyringe, an indirect dependency, requires these to exist; it needs no metadata here.
  Object.assign(Reflect, { getMetadata: () => undefined, defineMetadata: () => undefined });
  Object.assign(Reflect, { getOwnMetadata: () => undefined });
  const x509 = await import('@peculiar/x509');
  const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const file = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text);
    return path;
  };
  const authorityKeys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority',
    signingAlgorithm: ALGORITHM,
    keys: authorityKeys,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const issue = async (name: string, dns: string[]) => {
    const keys = await newKeys();
    const names = dns.map((value) => ({ type: 'dns' as const, value }));
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: authority.subject,
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: dns.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return {
      cert: file(`${name}.pem`, certificate.toString('pem')),
      key: file(`${name}.key`, x509.PemConverter.encode(key, 'PRIVATE KEY')),
    };
  };
  const server = await issue('server', ['localhost']);
  const client = await issue('client', []);
  const other = await issue('other', []);
  return {
    ca: file('ca.pem', authority.toString('pem')),
    serverCert: server.cert,
    serverKey: server.key,
    clientCert: client.cert,
    clientKey: client.key,
    otherCert: other.cert,
    otherKey: other.key,
  };
}
