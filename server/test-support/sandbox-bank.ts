import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';
import type { OpenBankingConfig } from '../src/banks/open-banking/config.ts';
import { makeCertificates } from '../src/sandbox/certificates.ts';
import { makeSigningKey } from '../src/sandbox/signing-key.ts';
import { freePorts } from './free-ports.ts';

const MAIN = new URL('../../sandbox/src/main.ts', import.meta.url).pathname;
const REDIRECT_URI = 'http://localhost:4000/bank/return';
const TPP = { client_id: 'recollect', org_id: 'recollectorg', software_id: 'recollectsoftware' };
const ORG_ID = 'sandboxbanks';

/** The sandbox's banks as a child process, and what they send us. */
export interface SandboxBank {
  /** The connector's configuration for one of the banks, such as northbank. */
  config(bankId: string): OpenBankingConfig;
  redirectUri: string;
  pagesUrl: string;
  backChannelUrl: string;
  orgId: string;
  /** The paths of our files for this bank, in PEM, and of our signing key as a JWK. */
  files: { ca: string; cert: string; key: string; signing: string };
  /** Our software statement, signed by the sandbox's directory just now. */
  statement(): Promise<string>;
  /** The notifications (security event tokens) pushed so far. */
  notifications: string[];
  /** The Faster Payments credits received so far. */
  credits: unknown[];
  close(): Promise<void>;
}

interface ListedBank {
  bank_id: string;
  name: string;
  issuer: string;
  resource_base: string;
  org_id: string;
  jwks_uri: string;
  token_auth: 'private_key_jwt' | 'tls_client_auth';
}

/**
 * Starts the program with new certificates, keys and data; resolves when it is ready. `registered`: more of our entry with the
 * banks. `also`: another authority (PEM) whose certificates the banks accept, and another public signing key that the directory
 * publishes for us. `settings`: more of the program's configuration.
 */
export async function startSandboxBank(
  registered: object = {},
  also: { authority: string; publicJwk: object } | null = null,
  settings: object = {},
): Promise<SandboxBank> {
  const dir = await mkdtemp(join(tmpdir(), 'sandbox-bank-'));
  const certificates = await makeCertificates(dir);
  const signing = await makeSigningKey();
  const receiver = await startReceiver();
  const [backPort = 0, pagesPort = 0] = await freePorts(2);
  const theirCa = join(dir, 'accepted.pem');
  await writeFile(theirCa, `${await readFile(certificates.ca, 'utf8')}\n${also?.authority ?? ''}`);
  const pagesUrl = `http://localhost:${pagesPort}`;
  const file = join(dir, 'bank.json');
  const config = {
    data_dir: dir,
    back_channel: { host: '127.0.0.1', port: backPort },
    pages: { host: '127.0.0.1', port: pagesPort },
    public_pages_url: pagesUrl,
    back_channel_url: `https://localhost:${backPort}`,
    tls: { ca: theirCa, cert: certificates.serverCert, key: certificates.serverKey },
    control_secret: randomUUID(),
    tpp: {
      ...TPP,
      jwks: { keys: [signing.publicJwk, ...(also === null ? [] : [also.publicJwk])] },
      redirect_uris: [REDIRECT_URI],
      notification_url: `${receiver.url}/event-notifications`,
      ...registered,
    },
    faster_payments: { url: `${receiver.url}/faster-payments`, secret: randomUUID() },
    org_id: ORG_ID,
    exit_with_parent: true,
    ...settings,
  };
  await writeFile(file, JSON.stringify(config));
  const signingFile = join(dir, 'signing.jwk.json');
  await writeFile(signingFile, JSON.stringify(signing.privateJwk));
  const child = await startProgram(file);
  const listed = await listBanks(pagesUrl);
  const tls = {
    ca: await readFile(certificates.ca, 'utf8'),
    cert: await readFile(certificates.clientCert, 'utf8'),
    key: await readFile(certificates.clientKey, 'utf8'),
  };
  return {
    redirectUri: REDIRECT_URI,
    pagesUrl,
    backChannelUrl: config.back_channel_url,
    orgId: ORG_ID,
    files: {
      ca: certificates.ca,
      cert: certificates.clientCert,
      key: certificates.clientKey,
      signing: signingFile,
    },
    statement: () => readStatement(config.back_channel_url, tls),
    notifications: receiver.notifications,
    credits: receiver.credits,
    config: (bankId) => {
      const bank = listed.find((candidate) => candidate.bank_id === bankId);
      if (!bank) throw new Error(`the sandbox has no bank ${bankId}`);
      return {
        bankId,
        name: bank.name,
        issuer: bank.issuer,
        resourceBase: bank.resource_base,
        bankOrgId: bank.org_id,
        bankJwksUri: bank.jwks_uri,
        clientId: TPP.client_id,
        orgId: TPP.org_id,
        softwareId: TPP.software_id,
        vrpType: 'UK.OBIE.VRPType.CVRP1',
        tls,
        tokenAuth: bank.token_auth,
        signingJwk: signing.privateJwk,
        sandbox: true,
      };
    },
    close: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      receiver.server.closeAllConnections();
      receiver.server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function readStatement(url: string, tls: OpenBankingConfig['tls']): Promise<string> {
  const agent = new Agent({ connect: tls });
  const software = `${TPP.org_id}/software-statement/${TPP.software_id}`;
  const path = `/directory/organisation/tpp/${software}/software-statement-assertion`;
  try {
    const { body } = await request(url + path, { dispatcher: agent });
    return await body.text();
  } finally {
    await agent.close();
  }
}

/** Resolves when the program reports that it is ready; rejects with its output if it exits instead. */
async function startProgram(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, 'bank', '--config', file], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-4000);
  });
  const failed = once(child, 'exit').then(() => {
    throw new Error(`the sandbox bank did not start: ${complaint}`);
  });
  await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
  failed.catch(() => undefined);
  return child;
}

async function listBanks(pagesUrl: string): Promise<ListedBank[]> {
  const { body } = await request(`${pagesUrl}/banks`, { headers: { accept: 'application/json' } });
  const listed = (await body.json()) as ListedBank[] | { banks: ListedBank[] };
  return Array.isArray(listed) ? listed : listed.banks;
}

/** Plays the e-money issuer (accepts every credit) and our inbox of notifications. */
async function startReceiver(): Promise<{
  server: Server;
  url: string;
  notifications: string[];
  credits: unknown[];
}> {
  const notifications: string[] = [];
  const credits: unknown[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (incoming.url === '/event-notifications') {
      notifications.push(text);
      response.writeHead(202).end();
      return;
    }
    credits.push(JSON.parse(text));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"accepted":true}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, notifications, credits };
}
