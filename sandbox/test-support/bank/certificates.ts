import { issueCertificates } from '../../src/alone/certificates.ts';

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

/** Creates certificates for an authority, a localhost server and two clients; returns the file paths. */
export async function makeTestCertificates(dir: string): Promise<TestCertificates> {
  const { ca, server, clients } = await issueCertificates(dir, ['localhost'], ['client', 'other']);
  return {
    ca,
    serverCert: server.cert,
    serverKey: server.key,
    clientCert: clients.client.cert,
    clientKey: clients.client.key,
    otherCert: clients.other.cert,
    otherKey: clients.other.key,
  };
}
