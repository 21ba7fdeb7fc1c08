import { realNow } from '../../platform/time/clock.ts';
import { type Bank, type BankTraits, LIMIT_PERIODS } from '../bank.ts';
import { bankKeys } from '../bank-keys.ts';
import { authorisationUrl, completeAuthorisation, refreshGrant } from './authorisation.ts';
import { backChannel, ORDERS_AT_ONCE } from './back-channel.ts';
import { type Now, oauthClient } from './client.ts';
import { checkConfig, type OpenBankingConfig } from './config.ts';
import { createConsent, deleteConsent, readConsent } from './consents.ts';
import { verifyNotification } from './notifications.ts';
import { confirmFunds, readPayment, submitPayment } from './payments.ts';
import { rateLimit } from './rate-limit.ts';
import { resourceCaller } from './resource.ts';
import { readSigned } from './signed-answers.ts';

/** A bank reached through the UK open banking read/write API; `close` ends its connections. */
export interface OpenBankingBank extends Bank {
  close(): Promise<void>;
}

/** What the standard promises of every bank. */
export const OPEN_BANKING_TRAITS: BankTraits = {
  returns: 'answer',
  givesTokens: true,
  namesPayer: true,
  needsContact: false,
  notifies: true,
  reportsCredit: true,
  explainsRefusals: true,
  fundsCheck: 'after_lack_of_funds',
  periods: LIMIT_PERIODS,
  endsUnusedAfterMonths: null,
  ordersAtOnce: ORDERS_AT_ONCE,
};

/**
 * Creates the connector of one bank; calls the bank only when used. `now` is the real clock, because tokens and signatures use
 * real time even in the sandbox (docs/rules/sandbox.md#business-time-and-protocol-time). Throws `BankDefect` for a wrong
 * configuration.
 */
export async function openBankingBank(
  config: OpenBankingConfig,
  now: Now = realNow,
): Promise<OpenBankingBank> {
  checkConfig(config);
  const channel = backChannel(config);
  const oauth = await oauthClient(config, channel, now);
  const keys = bankKeys(config.bankJwksUri, channel);
  const limit = rateLimit(now);
  const call = resourceCaller({ config, channel, oauth, bankKeys: keys, rateLimit: limit, now });
  return {
    bankId: config.bankId,
    name: config.name,
    traits: {
      ...OPEN_BANKING_TRAITS,
      fundsCheck: config.fundsCheck ?? OPEN_BANKING_TRAITS.fundsCheck,
      periods: config.periods ?? LIMIT_PERIODS,
      endsUnusedAfterMonths: config.endsUnusedAfterMonths ?? null,
    },
    get restSeconds() {
      return limit.restSeconds();
    },
    createConsent: (request) => createConsent(call, config, request),
    authorisationUrl: (i) => authorisationUrl(oauth, now, i),
    completeAuthorisation: (i) => completeAuthorisation(oauth, now, i),
    readConsent: (id) => readConsent(call, id),
    deleteConsent: (id) => deleteConsent(call, id),
    refresh: (grant, mayRenew) => refreshGrant(oauth, now, grant, mayRenew),
    confirmFunds: (grant, id, amountPence) => confirmFunds(call, grant, id, amountPence),
    submitPayment: (grant, request) => submitPayment(call, grant, request),
    readPayment: (id) => readPayment(call, id),
    readSigned: (about, id) => readSigned(call, { keys, keysAt: config.bankJwksUri }, about, id),
    verifyNotification: ({ body }) => verifyNotification(config, keys, now, body.toString()),
    close: () => channel.close(),
  };
}
