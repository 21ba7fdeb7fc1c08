import { ModulrClient } from '../../wallets/modulr/client.ts';
import { RateLimiter } from '../../wallets/rate-limiter.ts';
import type { Aggregator, ListedBank } from '../aggregator.ts';
import {
  type Bank,
  BankDefect,
  type BankTraits,
  LIMIT_PERIODS,
  NotificationInvalid,
} from '../bank.ts';
import { completeAuthorisation } from '../consents-by-reading.ts';
import { isAllowedPage } from '../redirect.ts';
import { type CallModulr, modulrCaller } from './call.ts';
import type { ModulrConfig } from './config.ts';
import { createConsent, deleteConsent, readConsent } from './consents.ts';
import { confirmFunds, readPayment, submitPayment } from './payments.ts';
import { type Aspsp, readAspsps } from './wire.ts';

/** What Modulr's document promises of the banks behind it. */
export const MODULR_TRAITS: BankTraits = {
  returns: 'nothing',
  givesTokens: false,
  namesPayer: false,
  needsContact: false,
  notifies: false,
  reportsCredit: true,
  explainsRefusals: false,
  periods: LIMIT_PERIODS,
  fundsCheck: 'always', // a refused order may not say that funds are lacking
  endsUnusedAfterMonths: null,
  ordersAtOnce: 24, // of 32 connections, which all banks behind it share
};

const PER = Temporal.Duration.from({ minutes: 10 });

/**
 * Opens a connection to Modulr, whose banks share one client and rate; calls it only when used. Throws `BankDefect` for a wrong
 * configuration.
 */
export function openModulr(config: ModulrConfig, now: () => Temporal.Instant): Aggregator {
  const url = URL.parse(config.baseUrl);
  if (url === null || !isAllowedPage(url, config.sandbox ?? false))
    throw new BankDefect(`${config.bankId}: base_url must be an https address`, 'config');
  const { baseUrl, keyId, secret, requests, timeoutMs } = config;
  const client = new ModulrClient({
    baseUrl,
    keyId,
    secret,
    rate: new RateLimiter({ requests, per: PER }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const call = modulrCaller(client);
  return {
    bankId: config.bankId,
    list: () => listBanks(call, config),
    bank: (aspspId, name) => modulrBank(call, config, now, { aspspId, name }),
    close: () => client.close(),
  };
}

/** GET `/aspsps`. */
async function listBanks(call: CallModulr, config: ModulrConfig): Promise<ListedBank[]> {
  const answer = await call({ method: 'GET', path: '/aspsps' }, readAspsps);
  if (answer.kind === 'refused')
    throw new BankDefect(answer.refusal.message, answer.refusal.messages[0]?.code ?? '');
  const wanted = config.vrpType.endsWith('Sweeping') ? 'SWEEPING_VRP' : 'COMMERCIAL_VRP';
  const isOpen = ({ capabilities = [] }: Aspsp): boolean =>
    capabilities.some(({ type, status }) => type === wanted && status === 'ENABLED');
  return answer.value
    .map((one) => ({ id: one.id, name: one.name, isOpen: isOpen(one) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the connector of one bank behind Modulr. `now` decides whether a consent has reached its end. */
function modulrBank(
  call: CallModulr,
  config: ModulrConfig,
  now: () => Temporal.Instant,
  { aspspId, name }: { aspspId: string; name: string },
): Bank {
  return {
    bankId: `${config.bankId}-${aspspId}`,
    name,
    traits: MODULR_TRAITS,
    createConsent: (request) => createConsent(call, config, aspspId, request),
    async authorisationUrl() {
      throw new BankDefect('Modulr has no second authorisation of a consent', 'own');
    },
    completeAuthorisation: ({ bankConsentId }) =>
      completeAuthorisation(() => readConsent(call, now, bankConsentId)),
    readConsent: (id) => readConsent(call, now, id),
    deleteConsent: (id) => deleteConsent(call, now, id),
    refresh: async (grant) => grant,
    confirmFunds: async (_grant, id, amountPence) =>
      config.confirmsFunds ? confirmFunds(call, now, id, amountPence) : 'not_offered',
    submitPayment: (_grant, request) => submitPayment(call, now, request),
    readPayment: (id) => readPayment(call, id),
    async verifyNotification() {
      throw new NotificationInvalid('Modulr tells nothing of consents and their payments');
    },
  };
}
