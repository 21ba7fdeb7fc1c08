import { type Service, wireService } from '../../server/src/app/wiring/service.ts';
import type { Bank } from '../../server/src/banks/bank.ts';
import { OPEN_BANKING_TRAITS } from '../../server/src/banks/open-banking/connector.ts';
import type { Inbox } from '../../server/src/platform/inbox.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import type { Clock } from '../../server/src/platform/time/clock.ts';
import type { Issuer, Movement, TransferOrder } from '../../server/src/wallets/issuer.ts';
import { PROTOCOL_LIMITS } from '../../server/src/wallets/issuer-http.ts';
import { ISSUER_SOURCE } from '../../server/src/wallets/routes.ts';
import type { Sender } from '../../server/src/webhooks/sender.ts';
import { BANK_ID } from './seed.ts';

const refuse = (): never => {
  throw new Error('a partner of the benchmark is not asked this');
};

/** A bank in this process that pays at once: the remaining cost is our own work and PostgreSQL's. */
export const INSTANT_BANK: Bank = {
  bankId: BANK_ID,
  name: 'Instant Bank',
  traits: OPEN_BANKING_TRAITS,
  refresh: async (grant) => grant,
  submitPayment: async (_grant, { endToEndId }) => ({
    bankPaymentId: `bp-${endToEndId}`,
    bankStatus: 'ACCC',
    outcome: 'credited',
  }),
  createConsent: refuse,
  authorisationUrl: refuse,
  confirmFunds: refuse,
  completeAuthorisation: refuse,
  readConsent: refuse,
  deleteConsent: refuse,
  readPayment: refuse,
  verifyNotification: refuse,
};

/**
 * Returns the bank with instant credits: `receive` has taken the issuer's notification of each pay-in before the bank
 * responds. A seeded consent's initiation names the wallet.
 */
export function withPayIns(bank: Bank, clock: Clock, receive: Inbox): Bank {
  return {
    ...bank,
    async submitPayment(grant, payment) {
      const { endToEndId, amountPence, initiation: externalReference } = payment;
      const movementId = `in-${endToEndId}`;
      const at = clock.now().toString();
      const notice = { kind: 'payin', externalReference, movementId, endToEndId, amountPence, at };
      const body = JSON.stringify(notice);
      await receive({ source: ISSUER_SOURCE, notificationId: movementId, body });
      return bank.submitPayment(grant, payment);
    },
  };
}

async function* nothing(): AsyncGenerator<never> {}

/** An e-money issuer in this process that settles at once. */
export const INSTANT_ISSUER: Issuer = {
  transfer: async (orders) => new Map(orders.map((one) => [one.idempotencyKey, moved(one)])),
  limits: { ...PROTOCOL_LIMITS, transfersMayBePending: false },
  reserveWallet: refuse,
  findWallet: refuse,
  openWallet: refuse,
  closeWallet: refuse,
  readWallet: refuse,
  payOut: refuse,
  checkPayee: refuse,
  findMovement: refuse,
  readMovement: refuse,
  listMovements: refuse,
  findByReference: refuse,
  listStatement: nothing,
  listBalances: nothing,
  parseNotification: refuse,
};

const AT = Temporal.Instant.fromEpochMilliseconds(0);

function moved(order: TransferOrder): Movement {
  return {
    ...order,
    movementId: `mv-${order.idempotencyKey}`,
    kind: 'transfer',
    status: 'settled',
    error: null,
    destination: null,
    payer: null,
    endToEndId: null,
    originalMovementId: null,
    createdAt: AT,
    completedAt: AT,
  };
}

/**
 * Wires a service with these partners, by default the instant ones, and with instant credits; without a sender it sends webhooks
 * over the network.
 */
export function wireInstant(
  platform: Platform,
  { bank = INSTANT_BANK, ...partners }: { bank?: Bank; issuer?: Issuer; sender?: Sender } = {},
): Service {
  const receive: Inbox = (notification) => service.receive(notification);
  const banks = new Map([[BANK_ID, withPayIns(bank, platform.clock, receive)]]);
  const service = wireService(platform, { banks, issuer: INSTANT_ISSUER, ...partners });
  return service;
}

/** A sender whose receivers acknowledge at once. */
export const INSTANT_SENDER: Sender = {
  send: async () => ({ status: 200, body: '', error: null, durationMs: 0 }),
  close: async () => undefined,
};
