import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as jose from 'jose';
import { request } from 'undici';
import type { BankConfig } from '../../src/bank/config.ts';
import { startBank } from '../../src/bank/start.ts';
import { freePorts } from '../ports.ts';
import { makeTestCertificates, type TestCertificates } from './certificates.ts';

/** A running sandbox bank with all of its counterparties. */
export interface Bench {
  config: BankConfig;
  certificates: TestCertificates;
  /** The third party's private signing key. */
  tppKey: jose.JWK;
  /** Faster Payments received, and the response to the next ones. */
  creditor: { received: Record<string, unknown>[]; answer: { status: number; body: object } };
  /** Claims of the security events received, oldest first. */
  events: jose.JWTPayload[];
  notificationStatus: { value: number };
  /** Sets the bank's clock and stops it; returns when the next work is due. */
  clock(now: string): Promise<string | null>;
  control(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<ControlAnswer>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The members of control responses that tests check. */
interface ControlAnswer {
  status: number;
  body: {
    next_due?: string | null;
    payments?: { payment_id: string; status: string; amount_pence: number; debited: boolean }[];
    consents?: { consent_id: string; status: string; reason: string | null }[];
    accounts?: { bank: string; account_number: string; balance_pence: number }[];
    balance_pence?: number;
    banks?: { bank_id: string; behaviours: string[]; next_calls: object[] }[];
    behaviours?: string[];
  };
}

export const START = '2026-12-01T09:00:00Z';
const SECRET = 'control-secret-of-the-test';

/** Starts a bank on free ports, its clock stopped at START. */
export async function startBench(): Promise<Bench> {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-bank-'));
  const certificates = await makeTestCertificates(dir);
  const { privateKey, publicKey } = await jose.generateKeyPair('PS256', { extractable: true });
  const naming = { kid: 'tpp-1', alg: 'PS256' };
  const tppKey = { ...(await jose.exportJWK(privateKey)), ...naming };
  const publicJwk = { ...(await jose.exportJWK(publicKey)), ...naming, use: 'sig' };
  const partners = await startPartners();
  const config = await configOf(dir, certificates, publicJwk, portOf(partners.server));
  let running = await startBank(config);
  const control: Bench['control'] = (...call) => callControl(config, ...call);
  const clock = async (now: string): Promise<string | null> => {
    const { status, body } = await control('PUT', '/sandbox/clock', { now, running: false });
    assert.equal(status, 200);
    return body.next_due ?? null;
  };
  await clock(START);
  return {
    config,
    certificates,
    tppKey,
    ...partners,
    clock,
    control,
    restart: async () => {
      await running.close();
      running = await startBank(config);
    },
    stop: async () => {
      await running.close();
      partners.server.closeAllConnections();
      partners.server.close();
      rmSync(dir, { recursive: true });
    },
  };
}

type Partners = Pick<Bench, 'creditor' | 'events' | 'notificationStatus'> & { server: Server };

/** Starts one small server for the creditor's institution and the third party's inbox. */
async function startPartners(): Promise<Partners> {
  const creditor: Bench['creditor'] = {
    received: [],
    answer: { status: 200, body: { accepted: true } },
  };
  const events: jose.JWTPayload[] = [];
  const notificationStatus = { value: 202 };
  const server = await listen(async (incoming, response) => {
    const body = await text(incoming);
    if (incoming.url === '/faster-payments') {
      creditor.received.push(JSON.parse(body));
      return answer(response, creditor.answer.status, creditor.answer.body);
    }
    if (notificationStatus.value === 202) events.push(jose.decodeJwt(body));
    return answer(response, notificationStatus.value, {});
  });
  return { server, creditor, events, notificationStatus };
}

async function configOf(
  dir: string,
  certificates: TestCertificates,
  publicJwk: Record<string, unknown>,
  partnersPort: number,
): Promise<BankConfig> {
  const partnersUrl = `http://127.0.0.1:${partnersPort}`;
  const [backPort = 0, pagesPort = 0] = await freePorts(2);
  return {
    data_dir: dir,
    back_channel: { host: '127.0.0.1', port: backPort },
    pages: { host: '127.0.0.1', port: pagesPort },
    public_pages_url: `http://localhost:${pagesPort}`,
    back_channel_url: `https://localhost:${backPort}`,
    tls: { ca: certificates.ca, cert: certificates.serverCert, key: certificates.serverKey },
    control_secret: SECRET,
    tpp: {
      client_id: 'tpp-client',
      org_id: 'tpporg',
      software_id: 'tppsoftware',
      jwks: { keys: [publicJwk] },
      redirect_uris: ['http://localhost:4000/portal/callback', 'http://127.0.0.1:4000/callback'],
      notification_url: `${partnersUrl}/event-notifications`,
    },
    faster_payments: { url: `${partnersUrl}/faster-payments`, secret: 'fps-secret' },
    org_id: 'bankorg',
    start_at: START,
  };
}

async function callControl(
  config: BankConfig,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: object,
): Promise<ControlAnswer> {
  const reply = await request(`${config.public_pages_url}${path}`, {
    method,
    headers: { 'x-sandbox-secret': SECRET, 'content-type': 'application/json' },
    body: method === 'GET' ? null : JSON.stringify(body ?? {}),
  });
  return { status: reply.statusCode, body: (await reply.body.json()) as ControlAnswer['body'] };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function listen(
  handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Server> {
  const server = createServer((incoming, response) => void handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
