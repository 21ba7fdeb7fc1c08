import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import type { Running } from '../src/app/wiring/assemble.ts';
import { startService } from '../src/app/wiring/run.ts';
import { createKey } from '../src/merchants/keys/key-service.ts';
import type { NewMerchant } from '../src/merchants/merchant.ts';
import { createMerchant } from '../src/merchants/service.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { type Db, openDb } from '../src/platform/db/db.ts';
import type { Happening } from '../src/sandbox/happening.ts';
import { planMerchantWallet } from '../src/wallets/service.ts';
import { testDatabase } from './database.ts';
import { keepKeys, lendKeys, runHere } from './partners.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { watchMessages } from './sent-messages.ts';

/** The start of a test's sandbox clock: a Monday in winter. */
const START = '2026-01-05T09:30:00Z';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  body: T;
  headers: Record<string, string | string[] | undefined>;
}

export interface Advanced {
  from: string;
  to: string;
  happened: Happening[];
  truncated: boolean;
}

export interface Decided {
  consent_status: string;
  schedule_status: string;
  returned_to: string | null;
}

/** The parts of the sandbox bank's books that tests read. */
export interface BankBooks {
  payments: {
    payment_id: string;
    status: string;
    amount_pence: number;
    debited: boolean;
    end_to_end_id: string;
  }[];
  consents: { consent_id: string; status: string; reason: string | null }[];
  accounts: { bank: string; login: string; account_number: string; balance_pence: number }[];
}

/** The parts of the issuer's books that tests read. */
export interface IssuerBooks {
  wallets: {
    wallet_id: string;
    status: string;
    external_reference: string;
    balance: { value: number };
  }[];
  movements: { movement_id: string; kind: string; status: string; amount: { value: number } }[];
}

/** A whole service with a merchant, a receiver of its webhooks and the sandbox's partners. */
export interface TestService {
  running: Running;
  baseUrl: string;
  apiKey: string;
  merchantId: string;
  endpointId: string;
  /** Signs the webhooks of the merchant's endpoint. */
  webhookSecret: string;
  receiver: Receiver;
  db: Db;
  now(): Temporal.Instant;
  /** Moves the clock by a duration (`P1M`) or to an instant; it must succeed. */
  advance(byOrTo: string): Promise<Advanced>;
  /** Sends a request with the merchant's key. */
  api<T = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  grant(scheduleId: string, account?: string, bankId?: string): Promise<Decided>;
  deny(scheduleId: string, account?: string, bankId?: string): Promise<Decided>;
  bankBooks(): Promise<BankBooks>;
  issuerBooks(): Promise<IssuerBooks>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** The sandbox clock at the start. */
  start?: string;
  merchant?: Partial<NewMerchant>;
  /** Environment variables that override those of the test. */
  env?: Record<string, string>;
}

const MERCHANT: NewMerchant = {
  name: 'Fernhill Gym',
  legalName: 'Fernhill Gym Ltd',
  email: 'hello@fernhill.example',
  website: 'https://fernhill.example',
  address: '1 High Street, Leeds LS1 1AA',
  terms: 'Membership runs until it is cancelled.',
  settlementAccount: { sortCode: '089999', accountNumber: '66374958', name: 'Fernhill Gym Ltd' },
};

const EVENT_KINDS = [
  'schedule.setup_success',
  'schedule.setup_failed',
  'collection.success',
  'collection.failed',
  'settlement.success',
  'settlement.failed',
  'schedule.cancelled',
  'schedule.paused',
  'schedule.resumed',
  'consent.revoked',
  'consent.reauthentication_needed',
];

/**
 * Starts everything on free ports with a database and books of its own; the sandbox's partners run in this process. Nothing
 * happens automatically between two calls of `advance`: the engine runs only then.
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const [database, dataDir, receiver] = await Promise.all([
    testDatabase(),
    mkdtemp(join(tmpdir(), 'recollect-')),
    startReceiver(),
  ]);
  await lendKeys(dataDir);
  const start = Temporal.Instant.from(options.start ?? START);
  const db = openDb(database.url, 2);
  await startClockAt(db, start);
  const config = readConfig({
    MODE: 'sandbox',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: '10',
    ROLES: 'api,portal',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    RATE_LIMIT_PER_MINUTE: '1000000',
    OPERATOR_PORT: '0',
    SANDBOX_BANK_PORT: '0',
    SANDBOX_BANK_PAGES_PORT: '0',
    SANDBOX_ISSUER_PORT: '0',
    ...options.env,
  });
  const messages = watchMessages();
  const running = await startService(config, undefined, runHere);
  await keepKeys(dataDir);
  const close = async (): Promise<void> => {
    await running.close();
    await Promise.all([receiver.close(), db.close()]);
    await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
    messages.end();
  };
  try {
    await running.sandbox?.partners.control.reset(running.platform.clock.now(), true);
    const { merchantId, apiKey } = await newMerchant(running, options.merchant);
    const tools = toolsOf(running, apiKey);
    const endpoint = await tools.api<{ id: string; secret: string }>(
      'POST',
      '/api/v1/webhook_endpoints',
      {
        url: receiver.url,
        event_kinds: EVENT_KINDS,
      },
    );
    assert.equal(endpoint.status, 200, JSON.stringify(endpoint.body));
    const { id: endpointId, secret: webhookSecret } = endpoint.body;
    return {
      running,
      merchantId,
      apiKey,
      endpointId,
      webhookSecret,
      receiver,
      db,
      close,
      ...tools,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sets the start of the clock, in the database. */
async function startClockAt(db: Db, start: Temporal.Instant): Promise<void> {
  const offset = start.epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
  await db.transaction((tx) =>
    tx.run('INSERT INTO sandbox_clock (offset_ms) VALUES ($1)', [offset]),
  );
}

/** Creates another merchant of a service, with an API key. */
export async function newMerchant(
  { platform }: Running,
  fields: Partial<NewMerchant> = {},
): Promise<{ merchantId: string; apiKey: string }> {
  const { merchantId } = await createMerchant(platform, { ...MERCHANT, ...fields }, (tx, id) =>
    planMerchantWallet(platform, { tx, now: platform.clock.now(), merchantId: id }),
  );
  const { secret } = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now: platform.clock.now(), merchantId }, 'test', 'made for a test'),
  );
  return { merchantId, apiKey: secret };
}

type Tools = Pick<
  TestService,
  'baseUrl' | 'now' | 'api' | 'advance' | 'grant' | 'deny' | 'bankBooks' | 'issuerBooks'
>;

function toolsOf({ config, platform, sandbox }: Running, apiKey: string): Tools {
  const { baseUrl } = config;
  const api: Tools['api'] = async <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => callApi<T>(baseUrl, method, path, body, { authorization: `Bearer ${apiKey}`, ...headers });
  const must = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await api<T>('POST', path, body);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const decide =
    (decision: 'grant' | 'deny') =>
    (scheduleId: string, account = 'alex', bankId = 'northbank'): Promise<Decided> =>
      must(`/sandbox/schedules/${scheduleId}/consent`, { decision, account, bank_id: bankId });
  const books = async (partner: 'bank' | 'issuer', name: string) =>
    sandbox === null ? [] : sandbox.partners.control.books(partner, name);
  return {
    baseUrl,
    now: () => platform.clock.now(),
    api,
    advance: (byOrTo) =>
      must('/sandbox/clock/advance', byOrTo.startsWith('P') ? { by: byOrTo } : { to: byOrTo }),
    grant: decide('grant'),
    deny: decide('deny'),
    bankBooks: async () =>
      ({
        payments: await books('bank', 'payments'),
        consents: await books('bank', 'consents'),
        accounts: await books('bank', 'accounts'),
      }) as BankBooks,
    issuerBooks: async () =>
      ({
        wallets: await books('issuer', 'wallets'),
        movements: await books('issuer', 'movements'),
      }) as IssuerBooks,
  };
}

async function callApi<T>(
  baseUrl: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer<T>> {
  const reply = await request(`${baseUrl}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    headersTimeout: 600_000,
  });
  return { status: reply.statusCode, body: (await reply.body.json()) as T, headers: reply.headers };
}
