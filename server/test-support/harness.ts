import { wireService, type Service } from '../src/app/service.ts';
import type { Bank } from '../src/banks/bank.ts';
import { beginAuthorisation, completeAuthorisation } from '../src/consents/authorisation.ts';
import { readLink } from '../src/consents/service.ts';
import { refOf } from '../src/consents/store.ts';
import { createMerchant } from '../src/merchants/service.ts';
import { type Config, readConfig } from '../src/platform/config.ts';
import { type Db, openDb } from '../src/platform/db.ts';
import { makeIds } from '../src/platform/ids.ts';
import { receiveNotification } from '../src/platform/inbox.ts';
import { makeLog } from '../src/platform/log.ts';
import type { Platform } from '../src/platform/platform.ts';
import { makeVault } from '../src/platform/vault.ts';
import type { CreateBody, UpdateBody } from '../src/schedules/request.ts';
import { createSchedule, showSchedule } from '../src/schedules/service.ts';
import { updateSchedule } from '../src/schedules/update.ts';
import type { ScheduleView } from '../src/schedules/view.ts';
import { ISSUER_SOURCE } from '../src/wallets/routes.ts';
import type { Issuer } from '../src/wallets/issuer.ts';
import { planMerchantWallet } from '../src/wallets/service.ts';
import { testDatabase } from './database.ts';
import { FakeBank, FakeIssuer } from './fake-partners.ts';

/** A clock that the test moves. */
export interface TestClock {
  now(): Temporal.Instant;
  at: Temporal.Instant;
}

/** The core of the service over a real database, with partners in memory: for races, crashes and rare states. */
export interface Harness {
  platform: Platform;
  service: Service;
  clock: TestClock;
  bank: FakeBank;
  issuer: FakeIssuer;
  merchantId: string;
  db: Db;
  /** Another process on the same database; `wrap` may stand between it and the world. */
  another(wrap?: Wrap): Service;
  create(body?: Partial<CreateBody>): Promise<ScheduleView>;
  update(scheduleId: string, body: UpdateBody): Promise<ScheduleView>;
  show(scheduleId: string): Promise<ScheduleView>;
  /** Plays the customer of the link. */
  decide(consentUrl: string | undefined, fragment?: 'agreed' | 'access_denied'): Promise<string>;
  /** Moves the clock from one due moment to the next, up to `to`. */
  runUntil(to: string | Temporal.Instant, service?: Service): Promise<void>;
  close(): Promise<void>;
}

/** What may stand between a process and the world. */
export interface Wrap {
  db?: (db: Db) => Db;
  bank?: (bank: Bank) => Bank;
  issuer?: (issuer: Issuer) => Issuer;
}

const MOST_STEPS = 20_000;

/** Opens a harness at the given moment, on a database of its own. */
export async function openHarness(start = '2026-01-05T09:30:00Z', overrides: Partial<Config> = {}): Promise<Harness> {
  const database = await testDatabase();
  const db = openDb(database.url, 10);
  const clock: TestClock = { at: Temporal.Instant.from(start), now: () => clock.at };
  const issuer = new FakeIssuer(() => clock.at);
  const bank = new FakeBank(issuer);
  const config = { ...readConfig({}), ...overrides };
  const vault = makeVault(new Map([['k1', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2));
  const platform: Platform = { db, clock, ids: makeIds(), vault, log: makeLog('silent'), config, wake: () => undefined };
  const another = (wrap: Wrap = {}): Service => {
    const wrapped: Platform = { ...platform, db: wrap.db?.(db) ?? db };
    const banks = new Map([[bank.bankId, wrap.bank?.(bank) ?? bank]]);
    return wireService(wrapped, { banks, issuer: wrap.issuer?.(issuer) ?? issuer });
  };
  const service = another();
  const merchant = await createMerchant(platform, MERCHANT, (tx, id) => planMerchantWallet(platform, tx, id, clock.at));
  const merchantId = merchant.merchantId;
  issuer.onPayIn = (wallet, movement) => {
    const { movementId, amountPence, endToEndId } = movement;
    const body = { kind: 'payin', externalReference: wallet.externalReference, movementId, endToEndId, amountPence };
    void db.transaction((tx) =>
      receiveNotification(tx, clock.at, { source: ISSUER_SOURCE, notificationId: movementId, body: JSON.stringify(body) }),
    );
  };
  const runUntil = async (to: string | Temporal.Instant, by: Service = service): Promise<void> => {
    const end = Temporal.Instant.from(to.toString());
    for (let step = 0; step < MOST_STEPS; step++) {
      await by.engine.drain();
      const due = await by.engine.nextDue();
      if (due === null || Temporal.Instant.compare(due, end) > 0) break;
      if (Temporal.Instant.compare(due, clock.at) > 0) clock.at = due;
    }
    if (Temporal.Instant.compare(end, clock.at) > 0) clock.at = end;
    await by.engine.drain();
  };
  await runUntil(clock.at);
  return {
    platform,
    service,
    clock,
    bank,
    issuer,
    merchantId,
    db,
    another,
    create: (body) =>
      db.transaction((tx) => createSchedule(service.schedules, tx, clock.at, merchantId, { ...SCHEDULE, ...body })),
    update: (id, body) =>
      db.transaction((tx) => updateSchedule(service.schedules, tx, clock.at, merchantId, id, body)),
    show: (id) => db.transaction((tx) => showSchedule(service.schedules, tx, clock.at, merchantId, id)),
    async decide(consentUrl, fragment = 'agreed') {
      const consent = await readLink(platform, consentUrl?.split('/').at(-1) ?? '');
      if (consent === null) throw new Error('no such link');
      const begun = await beginAuthorisation(service.authorisation, refOf(consent), bank, { ip: '127.0.0.1', userAgent: 'test' });
      if (!('url' in begun)) return 'ended';
      const state = new URL(begun.url).searchParams.get('state') ?? '';
      return (await completeAuthorisation(service.authorisation, state, fragment)).outcome;
    },
    runUntil,
    async close() {
      await db.close();
      await database.drop();
    },
  };
}

const MERCHANT = {
  name: 'Fernhill Broadband',
  legalName: 'Fernhill Broadband Ltd',
  email: 'help@fernhill.example',
  website: 'https://fernhill.example',
  address: '1 Fern Hill, Leeds',
  terms: 'Cancel at any time.',
  settlementAccount: { sortCode: '089999', accountNumber: '66374958', name: 'Fernhill Broadband Ltd' },
};

const SCHEDULE: CreateBody = {
  amount: { value: 4999, currency: 'GBP' },
  frequency: 'monthly',
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Broadband',
  start_date: '2026-01-10T09:00:00Z',
};
