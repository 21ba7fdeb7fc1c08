import type { FastifyInstance } from 'fastify';
import { makePublishing } from '../src/app/deployment/platform.ts';
import { wireService } from '../src/app/wiring/service.ts';
import {
  AuthorisationDenied,
  AuthorisationInvalid,
  type Bank,
  type BankConsentStatus,
  BankUnavailable,
  LIMIT_PERIODS,
  type LimitPeriod,
} from '../src/banks/bank.ts';
import { OPEN_BANKING_TRAITS } from '../src/banks/open-banking/connector.ts';
import { readMerchantWithBranding } from '../src/merchants/branding/branding-service.ts';
import type { Merchant, NewMerchant } from '../src/merchants/merchant.ts';
import { createMerchant } from '../src/merchants/service.ts';
import type { Config } from '../src/platform/config/config.ts';
import { makeHttpServer } from '../src/platform/http/server.ts';
import { portalRoutes } from '../src/portal/routes.ts';
import type { PortalDeps } from '../src/portal/service.ts';
import { createSchedule, type ScheduleDeps } from '../src/schedules/change/service.ts';
import { updateSchedule } from '../src/schedules/change/update.ts';
import type { ScheduleView } from '../src/schedules/change/view.ts';
import type { UpdateBody } from '../src/schedules/request/request.ts';
import { type Issuer, IssuerUnavailable } from '../src/wallets/issuer.ts';
import { PROTOCOL_LIMITS } from '../src/wallets/issuer-http.ts';
import { ownPlatform, type TestPlatform } from './slices/platform.ts';

/** A bank with scripted behaviour. */
export interface ToldBank extends Bank {
  isDown: boolean;
  /** The status it returns for every consent. */
  says: BankConsentStatus;
  /** The address where customers sign in. */
  signIn: string;
}

/** An issuer that supports wallets only. */
export interface ToldIssuer extends Issuer {
  isDown: boolean;
}

/** The portal over a database of its own. */
export interface PortalBench {
  platform: TestPlatform;
  deps: PortalDeps;
  schedules: ScheduleDeps;
  banks: { alder: ToldBank; birch: ToldBank };
  issuer: ToldIssuer;
  app: FastifyInstance;
  merchant(changes?: Partial<NewMerchant>): Promise<Merchant>;
  /** Creates a schedule of the merchant that waits for consent; `token` is its link's secret. */
  schedule(merchantId: string, changes?: object): Promise<{ view: ScheduleView; token: string }>;
  /** Changes a schedule as PUT does. */
  update(merchantId: string, scheduleId: string, body: UpdateBody): Promise<ScheduleView>;
  close(): Promise<void>;
}

/** Starts a bench at 10 o'clock on 2 March 2026. */
export async function portalBench(config: Partial<Config> = {}): Promise<PortalBench> {
  const own = await ownPlatform(config);
  const platform = Object.assign(own, makePublishing(own));
  const banks = {
    alder: toldBank('alder', 'Alder Bank'),
    birch: toldBank('birch', 'Birch & Sons', ['Day', 'Week', 'Month', 'Year']),
  };
  const issuer = toldIssuer();
  const { authorisation, schedules, refunds } = wireService(platform, {
    banks: new Map(Object.entries(banks)),
    issuer,
  });
  const deps: PortalDeps = {
    authorisation,
    refunds,
    merchantOf: (tx, merchantId) => readMerchantWithBranding(platform, tx, merchantId),
  };
  const app = await makeHttpServer({
    platform,
    routes: [],
    authenticate: async () => null,
    plain: portalRoutes(deps),
  });
  return {
    platform,
    deps,
    schedules,
    banks,
    issuer,
    app,
    merchant: (changes) => createMerchant(platform, { ...FERNHILL, ...changes }),
    schedule: async (merchantId, changes) => {
      const body = { ...BROADBAND, ...changes };
      const view = await platform.db.transaction((tx) =>
        createSchedule(schedules, { tx, now: platform.clock.now(), merchantId }, body),
      );
      return { view, token: tokenOf(view) };
    },
    update: (merchantId, scheduleId, body) =>
      platform.db.transaction((tx) =>
        updateSchedule(schedules, { tx, now: platform.clock.now(), merchantId }, scheduleId, body),
      ),
    close: async () => {
      await app.close();
      await platform.drop();
    },
  };
}

/** Returns the secret of a schedule's link. */
export function tokenOf(view: ScheduleView): string {
  return view.consent_url?.split('/').at(-1) ?? '';
}

/** Returns the state that went to the bank with the customer. */
export function stateOf(bankUrl: string): string {
  return new URL(bankUrl).searchParams.get('state') ?? '';
}

const FERNHILL: NewMerchant = {
  name: 'Fernhill Broadband',
  legalName: 'Fernhill Broadband Ltd',
  email: 'help@fernhill.example',
  website: 'https://fernhill.example',
  address: '12 Weavers Row\nSheffield S1 2AB',
  terms: [
    '1. Fernhill Broadband Ltd collects the price of your service in advance on the day that you agreed to.',
    '2. We tell you at least ten days before a price changes, and collect a higher one once you have agreed.',
    '3. If we collect in error, we pay back what was collected within five working days.',
  ].join('\n\n'),
  settlementAccount: {
    sortCode: '200000',
    accountNumber: '55779911',
    name: 'Fernhill Broadband Ltd',
  },
};

const BROADBAND = {
  amount: { value: 3499, currency: 'GBP' },
  frequency: { type: 'monthly' as const, day: 31 },
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Full fibre 300 and line rental',
};

function toldBank(
  bankId: string,
  name: string,
  periods: readonly LimitPeriod[] = LIMIT_PERIODS,
): ToldBank {
  let made = 0;
  const bank: ToldBank = {
    bankId,
    name,
    traits: { ...OPEN_BANKING_TRAITS, periods },
    isDown: false,
    says: 'AUTH',
    signIn: `https://${bankId}.example/auth`,
    async createConsent() {
      if (bank.isDown) throw new BankUnavailable('no answer');
      made += 1;
      return { ...consentAt(`${bankId}-${made}`, 'AWAU'), initiation: '{}', redirectUrl: null };
    },
    authorisationUrl: async ({ state, redirectUri }) =>
      `${bank.signIn}?${new URLSearchParams({ state, redirect_uri: redirectUri })}`,
    async completeAuthorisation({ fragment }) {
      if (bank.isDown) throw new BankUnavailable('no answer');
      const answer = new URLSearchParams(fragment);
      if (answer.get('error') === 'access_denied')
        throw new AuthorisationDenied('the customer refused');
      if (answer.get('code') !== 'good') throw new AuthorisationInvalid('the code is not ours');
      const expiresAt = Temporal.Instant.from('2099-01-01T00:00:00Z');
      return { accessToken: 'access', refreshToken: null, expiresAt, boundTo: null };
    },
    readConsent: async (id) => consentAt(id, bank.says),
    deleteConsent: async () => undefined,
    refresh: async (grant) => grant,
    confirmFunds: notAsked,
    submitPayment: notAsked,
    readPayment: notAsked,
    verifyNotification: notAsked,
  };
  return bank;
}

const consentAt = (bankConsentId: string, status: BankConsentStatus) => ({
  bankConsentId,
  status,
  reason: null,
  debtor: null,
  limits: null,
});

function toldIssuer(): ToldIssuer {
  const account = { sortCode: '041307', accountNumber: '10000001', name: 'A customer' };
  const wallet = { externalReference: '', account, balancePence: 0 };
  const issuer: ToldIssuer = {
    isDown: false,
    limits: PROTOCOL_LIMITS,
    async reserveWallet({ idempotencyKey }) {
      if (issuer.isDown) throw new IssuerUnavailable('no answer');
      return { ...wallet, issuerWalletId: `w-${idempotencyKey}`, status: 'reserved' };
    },
    async openWallet(issuerWalletId) {
      if (issuer.isDown) throw new IssuerUnavailable('no answer');
      return { ...wallet, issuerWalletId, status: 'open' };
    },
    findWallet: async () => null,
    closeWallet: async () => undefined,
    readWallet: notAsked,
    transfer: notAsked,
    payOut: notAsked,
    checkPayee: notAsked,
    findMovement: notAsked,
    readMovement: notAsked,
    listMovements: notListed,
    findByReference: notAsked,
    listStatement: notListed,
    listBalances: notListed,
    parseNotification: () => {
      throw new Error('the portal does not ask this');
    },
  };
  return issuer;
}

async function notAsked(): Promise<never> {
  throw new Error('the portal does not ask this');
}

// biome-ignore lint/correctness/useYield: there is nothing to list
async function* notListed(): AsyncGenerator<never> {
  throw new Error('the portal does not ask this');
}
