import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import type { BankAccount } from '../../src/issuer/movements.ts';
import { signNotification } from '../../src/issuer/notifications.ts';
import { signRequest } from '../../src/issuer/signature.ts';
import { startIssuer } from '../../src/issuer/start.ts';
import { freePorts } from '../ports.ts';

/** Every member that a response or a notification may have; a test reads those of its endpoint. */
export interface Json {
  wallet_id: string;
  movement_id: string;
  external_reference: string;
  status: string;
  account: BankAccount;
  balance: { value: number };
  amount: { value: number; currency: string };
  end_to_end_id: string;
  completed_at: string | null;
  error: { code: string };
  movements: Json[];
  next_cursor: string | null;
  next_due: string | null;
  now: string;
  books: { in_order: boolean; total: number };
  kind: string;
  at: string;
  movement: Json;
  payin: Json;
}

export interface Answer {
  status: number;
  json: Json;
}

/** The partner's notification endpoint: what it received, and how it responds. */
export interface PartnerEnd {
  received: Json[];
  statusToAnswer: number;
  holdMs: number;
  mostAtOnce: number;
}

/** A running issuer with a listening partner, and the calls that tests make. */
export interface Bench {
  partner: PartnerEnd;
  send(method: string, path: string, headers: Record<string, string>, raw: string): Promise<Answer>;
  /** Sends a signed request as the partner. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Sends a request as the sandbox's owner; it must succeed. */
  control(method: string, path: string, body?: unknown): Promise<Json>;
  /** Restarts the issuer with the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an issuer in its own folder, on free ports. */
export async function startBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'issuer-'));
  const partner: PartnerEnd = { received: [], statusToAnswer: 200, holdMs: 0, mostAtOnce: 0 };
  const listener = partnerServer(partner);
  const notificationPort = await listen(listener);
  const [port = 0] = await freePorts(1);
  const config = {
    data_dir: folder,
    port,
    host: '127.0.0.1',
    control_secret: 'control',
    partner: {
      key_id: 'recollect',
      secret: 'partner secret',
      notification_url: `http://127.0.0.1:${notificationPort}/hook`,
      notification_secret: 'notify secret',
    },
    faster_payments: { secret: 'bank secret' },
  };
  let issuer = await startIssuer(config);
  const send: Bench['send'] = (method, path, headers, raw) =>
    sendTo(`http://127.0.0.1:${port}`, method, path, headers, raw);
  return {
    partner,
    send,
    call: (method, path, body, key = randomUUID()) => {
      const raw = body === undefined ? '' : JSON.stringify(body);
      return send(method, path, { ...signed(method, path, raw), 'idempotency-key': key }, raw);
    },
    control: async (method, path, body) => {
      const raw = body === undefined ? '' : JSON.stringify(body);
      const answer = await send(method, path, { 'x-sandbox-secret': 'control' }, raw);
      assert.equal(answer.status, 200);
      return answer.json;
    },
    restart: async () => {
      await issuer.close();
      issuer = await startIssuer(config);
    },
    close: async () => {
      await issuer.close();
      listener.closeAllConnections();
      listener.close();
      await rm(folder, { recursive: true });
    },
  };
}

function signed(method: string, path: string, raw: string): Record<string, string> {
  const timestamp = String(Math.floor(Temporal.Now.instant().epochMilliseconds / 1_000));
  const nonce = randomUUID();
  const signature = signRequest(
    'partner secret',
    { method, path, rawBody: Buffer.from(raw) },
    timestamp,
    nonce,
  );
  return {
    'x-key-id': 'recollect',
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': signature,
  };
}

async function sendTo(
  base: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  raw: string,
): Promise<Answer> {
  const type: Record<string, string> = raw === '' ? {} : { 'content-type': 'application/json' };
  const response = await request(base + path, {
    method: method as 'GET',
    headers: { ...headers, ...type },
    body: raw === '' ? null : raw,
  });
  return { status: response.statusCode, json: (await response.body.json()) as Json };
}

function partnerServer(partner: PartnerEnd): Server {
  let atOnce = 0;
  return createServer((incoming, answer) => {
    atOnce += 1;
    partner.mostAtOnce = Math.max(partner.mostAtOnce, atOnce);
    void text(incoming).then((raw) => {
      const timestamp = String(incoming.headers['x-timestamp']);
      const genuine =
        incoming.headers['x-signature'] === signNotification('notify secret', timestamp, raw);
      const status = genuine ? partner.statusToAnswer : 401;
      setTimeout(() => {
        atOnce -= 1;
        if (status < 300) partner.received.push(JSON.parse(raw) as Json);
        answer.writeHead(status).end();
      }, partner.holdMs);
    });
  });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
