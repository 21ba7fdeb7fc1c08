import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { IssuerBench, RawNotification } from '../src/wallets/issuer-contract.ts';
import { HttpIssuer } from '../src/wallets/issuer-http.ts';
import { freePort } from './free-ports.ts';

const SANDBOX = fileURLToPath(new URL('../../sandbox/src/main.ts', import.meta.url));
/** The credentials of the connector at it. */
export const SANDBOX_ISSUER_SECRETS = { keyId: 'recollect', secret: 'a', notificationSecret: 'b' };

/** Starts the sandbox's issuer as a program of its own, with our connector to it, over real HTTP. */
export async function startSandboxIssuer(): Promise<IssuerBench> {
  const folder = await mkdtemp(join(tmpdir(), 'issuer-contract-'));
  const notifications: RawNotification[] = [];
  const listener = createServer(async (incoming, answer) => {
    notifications.push({ headers: incoming.headers, raw: await buffer(incoming) });
    answer.writeHead(204).end();
  });
  const notificationPort = await listen(listener);
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const configFile = join(folder, 'issuer.json');
  const notificationUrl = `http://127.0.0.1:${notificationPort}/issuer`;
  await writeFile(configFile, JSON.stringify(sandboxConfig(folder, baseUrl, notificationUrl)));
  const program = spawn(process.execPath, [SANDBOX, 'issuer', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answering(baseUrl, program);
  let now = Temporal.Instant.from('2026-11-21T10:00:00Z');
  const passTime = async (seconds: number): Promise<void> => {
    now = now.add({ seconds });
    const body = { now: now.toString(), running: false };
    await send(baseUrl, 'PUT', '/sandbox/clock', { 'x-sandbox-secret': 'control' }, body);
  };
  await passTime(0);
  const issuer = new HttpIssuer({ ...SANDBOX_ISSUER_SECRETS, baseUrl });
  return {
    issuer,
    notifications,
    passTime,
    payIn: (account, amountPence, endToEndId) => payIn(baseUrl, account, amountPence, endToEndId),
    tellsEndToEndIds: true,
    today: () => now.toZonedDateTimeISO('Europe/London').toPlainDate(),
    forge: ({ headers, raw }) => [
      { headers, raw: Buffer.from('{}') },
      { headers: {}, raw },
      { headers: { ...headers, 'x-timestamp': String(Number(headers['x-timestamp']) - 301) }, raw },
      { headers: { ...headers, 'x-signature': '00' }, raw },
    ],
    destinations: {
      settles: destination('12345678'),
      invalid: destination('99999999'),
      noAnswer: destination('88888888'),
    },
    payees: {
      match: destination('12345678'),
      close_match: { ...destination('44444444'), name: 'Fernhill Broadband' },
      no_match: { ...destination('44444444'), name: 'Mule' },
      unavailable: destination('33333333'),
    },
    close: async () => {
      await issuer.close();
      program.kill();
      await once(program, 'exit');
      listener.closeAllConnections();
      listener.close();
      await rm(folder, { recursive: true });
    },
  };
}

function sandboxConfig(folder: string, baseUrl: string, notificationUrl: string) {
  return {
    data_dir: join(folder, 'data'),
    port: Number(new URL(baseUrl).port),
    host: '127.0.0.1',
    control_secret: 'control',
    partner: {
      key_id: SANDBOX_ISSUER_SECRETS.keyId,
      secret: SANDBOX_ISSUER_SECRETS.secret,
      notification_url: notificationUrl,
      notification_secret: SANDBOX_ISSUER_SECRETS.notificationSecret,
    },
    faster_payments: { secret: 'bank' },
  };
}

const payIn = (
  baseUrl: string,
  account: IssuerBench['destinations']['settles'],
  value: number,
  endToEndId: string,
): Promise<void> =>
  send(
    baseUrl,
    'POST',
    '/faster-payments',
    { authorization: 'Bearer bank' },
    {
      payment_id: randomUUID(),
      end_to_end_id: endToEndId,
      reference: 'REF',
      amount: { value, currency: 'GBP' },
      creditor: {
        sort_code: account.sortCode,
        account_number: account.accountNumber,
        name: account.name,
      },
      debtor: { sort_code: '401276', account_number: '11223344', name: 'Ada Smith' },
    },
  );

async function send(
  baseUrl: string,
  method: 'PUT' | 'POST',
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<void> {
  const response = await request(baseUrl + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.statusCode, 200, await response.body.text());
}

function destination(accountNumber: string) {
  return { sortCode: '200000', accountNumber, name: 'Fernhill Broadband Ltd' };
}

async function answering(baseUrl: string, program: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600 && program.exitCode === null; tries += 1) {
    const answer = await request(baseUrl).catch(() => null);
    await answer?.body.dump();
    if (answer) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  program.kill();
  throw new Error('the sandbox issuer did not start');
}

/** Listens on a free port, and returns it. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
