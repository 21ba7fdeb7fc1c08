import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenBankingConfig } from '../src/banks/open-banking/config.ts';
import { signMessage } from '../src/banks/open-banking/message-signature.ts';
import { keySigner } from '../src/banks/open-banking/signer.ts';
import { makeCertificates } from '../src/sandbox/certificates.ts';
import { makeSigningKey, type SigningKey } from '../src/sandbox/signing-key.ts';

/** A call of a resource as received by the stub. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The stub's response to one call. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Default `true`; `forged` signs a different text. */
  signed?: boolean | 'forged';
  /** Closes the connection instead of responding. */
  drop?: boolean;
  /** Never responds. */
  hang?: boolean;
}

/** A bank whose responses are scripted call by call: for what a well-behaved bank never does. */
export interface StubBank {
  config: OpenBankingConfig;
  received: Received[];
  /** Returns how many tokens were issued to us as a client so far. */
  tokens(): number;
  /** The replies to the next calls, in order. */
  replies: Reply[];
  tokenReplies: { status: number; body: unknown }[];
  /** Members of the metadata that differ from the correct ones. */
  metadata: Record<string, unknown>;
  key: SigningKey;
  close(): Promise<void>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Starts a stub on a free port of loopback, with mutual TLS and certificates of its own. */
export async function startStubBank(): Promise<StubBank> {
  const dir = await mkdtemp(join(tmpdir(), 'stub-bank-'));
  const paths = await makeCertificates(dir);
  const pem = (path: string): Promise<string> => readFile(path, 'utf8');
  const ca = await pem(paths.ca);
  const key = await makeSigningKey();
  const ours = await makeSigningKey();
  const server = createServer({
    ca,
    cert: await pem(paths.serverCert),
    key: await pem(paths.serverKey),
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `https://localhost:${(server.address() as AddressInfo).port}`;
  let tokens = 0;
  const stub: StubBank = {
    key,
    received: [],
    replies: [],
    tokenReplies: [],
    metadata: {},
    tokens: () => tokens,
    config: {
      bankId: 'stub',
      name: 'Stub Bank',
      issuer: base,
      resourceBase: `${base}/pisp`,
      clientId: 'client-1',
      orgId: 'org-tpp',
      softwareId: 'software-1',
      bankOrgId: 'org-bank',
      bankJwksUri: `${base}/jwks`,
      vrpType: 'UK.OBIE.VRPType.CVRP1',
      tls: { ca, cert: await pem(paths.clientCert), key: await pem(paths.clientKey) },
      signingJwk: ours.privateJwk,
      timeoutMs: 3000,
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const path = request.url ?? '';
    if (path === '/.well-known/openid-configuration') {
      return send(response, 200, { ...metadata(base), ...stub.metadata });
    }
    if (path === '/jwks') return send(response, 200, { keys: [key.publicJwk] });
    if (path === '/token') {
      tokens += 1;
      const given = { access_token: `own-${tokens}`, token_type: 'Bearer', expires_in: 300 };
      const reply = stub.tokenReplies.shift() ?? { status: 200, body: given };
      return send(response, reply.status, reply.body);
    }
    stub.received.push({ method: request.method ?? '', path, headers: request.headers, body });
    return answer(response, stub.replies.shift() ?? { status: 500 }, key);
  });
  return stub;
}

async function answer(response: ServerResponse, reply: Reply, key: SigningKey): Promise<void> {
  if (reply.hang) return;
  if (reply.drop) {
    response.destroy();
    return;
  }
  const body = reply.body === undefined ? '' : JSON.stringify(reply.body);
  const headers: Record<string, string> = { ...JSON_TYPE, ...reply.headers };
  if (reply.signed !== false && body !== '') {
    const kid = key.publicJwk.kid ?? '';
    const signer = { signer: keySigner(key.privateJwk), kid, issuer: 'org-bank' };
    const signedText = reply.signed === 'forged' ? `${body} ` : body;
    headers['x-jws-signature'] = await signMessage(signedText, signer, Temporal.Now.instant());
  }
  response.writeHead(reply.status, headers).end(body);
}

function metadata(base: string): object {
  return {
    issuer: base,
    token_endpoint: `${base}/token`,
    authorization_endpoint: `${base}/auth`,
    jwks_uri: `${base}/jwks`,
    response_types_supported: ['code id_token'],
    id_token_signing_alg_values_supported: ['PS256'],
    subject_types_supported: ['public'],
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
