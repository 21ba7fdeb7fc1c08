import { makePublishing } from '../src/app/deployment/platform.ts';
import { type Service, wireService } from '../src/app/wiring/service.ts';
import type { Bank } from '../src/banks/bank.ts';
import { beginAuthorisation } from '../src/consents/begin-authorisation.ts';
import { completeAuthorisation } from '../src/consents/complete-authorisation.ts';
import { readLink } from '../src/consents/service.ts';
import type { MerchantSettings } from '../src/merchants/merchant.ts';
import { createMerchant } from '../src/merchants/service.ts';
import { type Config, readConfig } from '../src/platform/config/config.ts';
import { type Db, openDb } from '../src/platform/db/db.ts';
import { receiveNotifications } from '../src/platform/inbox.ts';
import { makeLog } from '../src/platform/log/log.ts';
import type { Platform } from '../src/platform/platform.ts';
import { makeIds } from '../src/platform/values/ids.ts';
import { makeVault } from '../src/platform/vault/vault.ts';
import { requestAnotherAccount } from '../src/schedules/change/another-account.ts';
import { createSchedule, showSchedule } from '../src/schedules/change/service.ts';
import { updateSchedule } from '../src/schedules/change/update.ts';
import type { ScheduleView } from '../src/schedules/change/view.ts';
import type { CreateBody, UpdateBody } from '../src/schedules/request/request.ts';
import type { Issuer } from '../src/wallets/issuer.ts';
import { ISSUER_SOURCE } from '../src/wallets/routes.ts';
import { planMerchantWallet } from '../src/wallets/service.ts';
import { testDatabase } from './database.ts';
import { FakeBank } from './fake-bank.ts';
import { FakeIssuer } from './fake-issuer.ts';
import { FERNHILL } from './merchant.ts';

/** A clock that the test moves. */
export interface TestClock {
  now(): Temporal.Instant;
  at: Temporal.Instant;
}

/** A merchant's actions; the time is the clock's. */
export interface MerchantSide {
  merchantId: string;
  create(body?: Partial<CreateBody>): Promise<ScheduleView>;
  update(scheduleId: string, body: UpdateBody): Promise<ScheduleView>;
  anotherAccount(scheduleId: string): Promise<ScheduleView>;
  show(scheduleId: string): Promise<ScheduleView>;
  /** Creates a schedule that the customer agrees to at once. */
  agreed(body?: Partial<CreateBody>): Promise<ScheduleView>;
}

/** The core of the service over a real database, with in-memory partners: for races, crashes and rare states. */
export interface Harness extends MerchantSide {
  platform: Platform;
  service: Service;
  clock: TestClock;
  bank: FakeBank;
  issuer: FakeIssuer;
  db: Db;
  /** Starts another process on the same database; `wrap` may intercept its calls. */
  another(wrap?: Wrap): Service;
  /** Creates another merchant with an open wallet. */
  merchant(settings?: Partial<MerchantSettings>): Promise<MerchantSide>;
  /** Plays the customer of the link: goes to the bank and returns with a response. */
  decide(consentUrl: string | undefined, fragment?: Fragment): Promise<string>;
  /** Sends the customer to the bank; returns the state that the bank will send back, or null if the link is over. */
  begin(consentUrl: string | undefined): Promise<string | null>;
  /** Brings the customer back from the bank. */
  complete(state: string | null, fragment?: Fragment): Promise<string>;
  /** Moves the clock from one due moment to the next, up to `to`. */
  runUntil(to: string | Temporal.Instant, service?: Service): Promise<void>;
  /** Takes a backup of the database, and returns a function that restores it: everything written in between is lost. */
  backUp(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** What the customer's browser brings back from the bank. */
export type Fragment = 'agreed' | 'access_denied' | 'rejected';

/** Wrappers around a process's database and partners. */
export interface Wrap {
  db?: (db: Db) => Db;
  bank?: (bank: Bank) => Bank;
  issuer?: (issuer: Issuer) => Issuer;
}

const MAX_STEPS = 20_000;
const VISITOR = { ip: '127.0.0.1', userAgent: 'test' };

/** Opens a harness at the given moment, on a database of its own; `wrap` may put other partners into its service. */
export async function openHarness(
  start = '2026-01-05T09:30:00Z',
  overrides: Partial<Config> = {},
  wrap: Wrap = {},
): Promise<Harness> {
  const database = await testDatabase();
  const db = openDb(database.url, 10);
  const clock: TestClock = { at: Temporal.Instant.from(start), now: () => clock.at };
  const issuer = new FakeIssuer(() => clock.at);
  const bank = new FakeBank(issuer);
  const platform = makePlatform(db, clock, overrides);
  const another = (other: Wrap = {}): Service => {
    const { db: wrapDb, bank: wrapBank, issuer: wrapIssuer } = { ...wrap, ...other };
    const wrapped: Platform = { ...platform, db: wrapDb?.(db) ?? db };
    const atBank = wrapBank?.(bank) ?? bank;
    const banks = new Map([[atBank.bankId, atBank]]);
    return drainingNews(
      wireService(wrapped, { banks, issuer: wrapIssuer?.(issuer) ?? issuer }),
      told,
    );
  };
  const told = tellOfPayIns(db, clock, issuer);
  const service = another();
  const runUntil = async (to: string | Temporal.Instant, by: Service = service): Promise<void> => {
    const wanted = Temporal.Instant.from(to.toString());
    const end = Temporal.Instant.compare(wanted, clock.at) > 0 ? wanted : clock.at;
    await Promise.all(told.splice(0));
    let due = await by.engine.nextDue();
    for (let step = 0; step < MAX_STEPS; step++) {
      if (due === null || Temporal.Instant.compare(due, end) > 0) break;
      if (Temporal.Instant.compare(due, clock.at) > 0) clock.at = due;
      due = (await by.engine.drain()).nextDue;
    }
    clock.at = end;
  };
  const customer = customerOf(service, platform, wrap.bank?.(bank) ?? bank);
  const merchant = async (settings: Partial<MerchantSettings> = {}): Promise<MerchantSide> => {
    const created = await createMerchant(platform, { ...FERNHILL, ...settings }, (tx, id) =>
      planMerchantWallet(platform, { tx, now: clock.at, merchantId: id }),
    );
    await runUntil(clock.at);
    return merchantOf(service, platform, created.merchantId, customer.decide);
  };
  return {
    ...(await merchant()),
    ...customer,
    platform,
    service,
    clock,
    bank,
    issuer,
    db,
    another,
    merchant,
    runUntil,
    backUp: () => database.backUp(),
    async close() {
      await Promise.allSettled(told);
      await db.close();
      await database.drop();
    },
  };
}

/** The vault of every harness. */
export const TEST_VAULT = makeVault(new Map([['k1', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2));

function makePlatform(db: Db, clock: TestClock, overrides: Partial<Config>): Platform {
  const config = { ...readConfig({}), ...overrides };
  const vault = TEST_VAULT;
  const ids = makeIds();
  return {
    db,
    clock,
    ids,
    vault,
    ...makePublishing({ config, ids, vault }),
    log: makeLog('silent'),
    config,
    wake: () => undefined,
  };
}

/** Drains what the issuer tells meanwhile, too: its notices are stored beside the call that caused them. */
function drainingNews(service: Service, told: Promise<void>[]): Service {
  const { engine } = service;
  const drain: typeof engine.drain = async (options) => {
    let total = 0;
    for (let round = 0; round < MAX_STEPS; round++) {
      const drained = await engine.drain(options);
      total += drained.done;
      if ((await Promise.all(told.splice(0))).length === 0) return { ...drained, done: total };
    }
    throw new Error(`the issuer still tells of something after ${MAX_STEPS} rounds`);
  };
  return { ...service, engine: { ...engine, drain } };
}

/** Puts the issuer's notifications into the inbox, as over HTTP; returns promises to await before draining. */
function tellOfPayIns(db: Db, clock: TestClock, issuer: FakeIssuer): Promise<void>[] {
  const told: Promise<void>[] = [];
  issuer.onPayIn = (wallet, movement) => {
    const { movementId, amountPence, endToEndId } = movement;
    const body = {
      kind: 'payin',
      externalReference: wallet.externalReference,
      movementId,
      endToEndId,
      amountPence,
      at: movement.createdAt.toString(),
    };
    const notice = {
      source: ISSUER_SOURCE,
      notificationId: movementId,
      body: JSON.stringify(body),
    };
    told.push(db.transaction((tx) => receiveNotifications(tx, clock.at, [notice])));
  };
  issuer.onTakenBack = (wallet, kind, back) => {
    const { movementId, amountPence, originalMovementId } = back;
    const { externalReference } = wallet;
    const reason = { code: 'taken_back', message: 'Taken back' };
    const body = { kind, externalReference, movementId, originalMovementId, amountPence, reason };
    const notice = {
      source: ISSUER_SOURCE,
      notificationId: movementId,
      body: JSON.stringify(body),
    };
    told.push(db.transaction((tx) => receiveNotifications(tx, clock.at, [notice])));
  };
  return told;
}

function merchantOf(
  service: Service,
  { db, clock }: Platform,
  merchantId: string,
  decide: Harness['decide'],
): MerchantSide {
  const { schedules } = service;
  const create: MerchantSide['create'] = (body) =>
    db.transaction((tx) =>
      createSchedule(schedules, { tx, now: clock.now(), merchantId }, { ...SCHEDULE, ...body }),
    );
  const show: MerchantSide['show'] = (id) =>
    db.transaction((tx) => showSchedule(schedules, { tx, now: clock.now(), merchantId }, id));
  return {
    merchantId,
    create,
    show,
    update: (id, body) =>
      db.transaction((tx) =>
        updateSchedule(schedules, { tx, now: clock.now(), merchantId }, id, body),
      ),
    anotherAccount: (id) =>
      db.transaction((tx) =>
        requestAnotherAccount(schedules, { tx, now: clock.now(), merchantId }, id),
      ),
    async agreed(body) {
      const created = await create(body);
      await decide(created.consent_url);
      return show(created.id);
    },
  };
}

function customerOf(
  { authorisation }: Service,
  platform: Platform,
  bank: Bank,
): Pick<Harness, 'begin' | 'complete' | 'decide'> {
  const begin: Harness['begin'] = async (consentUrl) => {
    const consent = await readLink(platform, consentUrl?.split('/').at(-1) ?? '');
    if (consent === null) throw new Error('no such link');
    const shown = { ...consent, limitsOf: bank.bankId };
    const begun = await beginAuthorisation(authorisation, shown, bank, VISITOR);
    return 'url' in begun ? begun.state : null;
  };
  const complete: Harness['complete'] = async (state, fragment = 'agreed') =>
    (await completeAuthorisation(authorisation, state ?? '', fragment)).outcome;
  return {
    begin,
    complete,
    async decide(consentUrl, fragment) {
      const state = await begin(consentUrl);
      return state === null ? 'ended' : complete(state, fragment);
    },
  };
}

const SCHEDULE: CreateBody = {
  amount: { value: 4999, currency: 'GBP' },
  frequency: 'monthly',
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Broadband',
  start_date: '2026-01-10T09:00:00Z',
};
