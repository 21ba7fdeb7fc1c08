import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { dateOf, realNow } from '../clock.ts';

/** Paths of a certificate and its key, both PEM. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const LIFETIME_HOURS = 24 * 365 * 5;
const { keyCertSign, digitalSignature } = x509.KeyUsageFlags;

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** Begins an hour ago, so that a clock that is slightly slow accepts a new certificate. */
function validity(): { notBefore: Date; notAfter: Date } {
  const begins = realNow().subtract({ hours: 1 });
  return {
    notBefore: dateOf(begins),
    notAfter: dateOf(begins.add({ hours: LIFETIME_HOURS })),
  };
}

const extensionsOf = (hosts: readonly string[]): x509.Extension[] =>
  hosts.length === 0
    ? [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])]
    : [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          hosts.map((value) => ({ type: isIP(value) > 0 ? 'ip' : 'dns', value })),
        ),
      ];

/**
 * Issues certificates into a folder: an authority (`ca.pem`), a server for `hosts` (`server.pem`, `server.key`), and one client
 * for each name. The authority's private key is never written, so nothing else can be issued in its name.
 */
export async function issueCertificates<Name extends string>(
  dir: string,
  hosts: readonly string[],
  clients: readonly Name[],
): Promise<{ ca: string; server: CertificateFiles; clients: Record<Name, CertificateFiles> }> {
  const authorityKeys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Sandbox authority',
    ...validity(),
    signingAlgorithm: ALGORITHM,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const write = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const issue = async (name: string, names: readonly string[]): Promise<CertificateFiles> => {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: authority.subject,
      ...validity(),
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(digitalSignature, true),
        await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
        ...extensionsOf(names),
      ],
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return {
      cert: write(`${name}.pem`, certificate.toString('pem')),
      key: write(`${name}.key`, x509.PemConverter.encode(key, 'PRIVATE KEY')),
    };
  };
  const issued: [Name, CertificateFiles][] = [];
  for (const name of clients) issued.push([name, await issue(name, [])]);
  return {
    ca: write('ca.pem', authority.toString('pem')),
    server: await issue('server', hosts),
    clients: Object.fromEntries(issued) as Record<Name, CertificateFiles>,
  };
}
