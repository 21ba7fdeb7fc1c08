import { asFetch, type PartnerChannel } from '../../platform/network/partner-channel.ts';
import { errorMessage } from '../../platform/values/thrown.ts';
import type { Aggregator } from '../aggregator.ts';
import { type Bank, BankDefect, type BankTraits, LIMIT_PERIODS } from '../bank.ts';
import { bankKeys, type FindKey } from '../bank-keys.ts';
import { completeAuthorisation } from '../consents-by-reading.ts';
import { isAllowedPage } from '../redirect.ts';
import { trueLayerCaller, trueLayerChannel } from './client.ts';
import type { TrueLayerConfig } from './config.ts';
import {
  type AtTrueLayer,
  authorisationUrl,
  bankIdOf,
  createConsent,
  deleteConsent,
  readConsent,
} from './consents.ts';
import { verifyNotification } from './notifications.ts';
import { confirmFunds, readPayment, submitPayment } from './payments.ts';
import { listBanks } from './providers.ts';
import { type RequestKey, readRequestKey } from './signature.ts';

/** What TrueLayer promises of the banks behind it, where the money goes to an account elsewhere. */
export const TRUELAYER_TRAITS: BankTraits = {
  returns: 'nothing',
  givesTokens: false,
  namesPayer: true,
  needsContact: true, // but not with a licence of one's own
  notifies: true,
  endsUnusedAfterMonths: null, // not said by TrueLayer
  reportsCredit: false,
  explainsRefusals: false,
  periods: LIMIT_PERIODS,
  fundsCheck: 'always', // a refused payment does not say that funds are lacking
  ordersAtOnce: 24, // of 32 connections, which all banks behind it share
};

/**
 * Opens a connection to TrueLayer; calls it only when used. `now` decides whether a consent has reached its end. Throws
 * `BankDefect` for a wrong configuration.
 */
export function openTrueLayer(config: TrueLayerConfig, now: () => Temporal.Instant): Aggregator {
  const key = checkConfig(config);
  const channel = trueLayerChannel(config);
  const call = trueLayerCaller(config, key, channel);
  const keys = keysThrough(config, channel);
  const verify: Verify = (notice) => verifyNotification(config, keys, notice);
  const bank = (providerId: string, name: string): Bank =>
    trueLayerBank({ call, config, now, providerId }, verify, name);
  return {
    bankId: config.bankId,
    list: () => listBanks(call, config),
    bank,
    receiver: { bankId: config.bankId, verifyNotification: verify },
    close: () => channel.close(),
  };
}

type Verify = Bank['verifyNotification'];

const keysThrough = ({ hosts }: TrueLayerConfig, channel: PartnerChannel): FindKey =>
  bankKeys(hosts.noticeKeys, { fetch: asFetch(channel.send) });

/** Returns the connector of one bank behind TrueLayer. */
function trueLayerBank(at: AtTrueLayer, verify: Verify, name: string): Bank {
  const { config, providerId } = at;
  return {
    bankId: bankIdOf(config, providerId),
    name,
    traits: { ...TRUELAYER_TRAITS, needsContact: !config.hasOwnLicence },
    createConsent: (request) => createConsent(at, request),
    authorisationUrl: (i) => authorisationUrl(at, i),
    completeAuthorisation: ({ bankConsentId }) =>
      completeAuthorisation(() => readConsent(at, bankConsentId)),
    readConsent: (id) => readConsent(at, id),
    deleteConsent: (id) => deleteConsent(at, id),
    refresh: async (grant) => grant,
    confirmFunds: async (_grant, id, amountPence) =>
      config.confirmsFunds ? confirmFunds(at, id, amountPence) : 'not_offered',
    submitPayment: (_grant, request) => submitPayment(at, request),
    readPayment: (id) => readPayment(at, id),
    verifyNotification: verify,
  };
}

/** Returns our key for requests. Throws `BankDefect` for a wrong configuration. */
function checkConfig(config: TrueLayerConfig): RequestKey {
  const { bankId, hosts, signingKid, signingKey, sandbox = false } = config;
  for (const [name, address] of Object.entries(hosts)) {
    const url = URL.parse(address);
    if (url === null || !isAllowedPage(url, sandbox))
      throw new BankDefect(`${bankId}: hosts.${name} must be an https address`, 'config');
  }
  try {
    return readRequestKey(signingKid, signingKey);
  } catch (cause) {
    const why = errorMessage(cause);
    throw new BankDefect(`${bankId}: the signing key cannot be used: ${why}`, 'config', cause);
  }
}
