import type { Bank } from '../../server/src/banks/bank.ts';
import { makeInbox, type Notification } from '../../server/src/platform/inbox.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import type { Issuer, Movement, TransferOrder } from '../../server/src/wallets/issuer.ts';
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
  refresh: async (grant) => grant,
  confirmFunds: async () => 'available',
  submitPayment: async (_grant, { endToEndId }) => ({
    bankPaymentId: `bp-${endToEndId}`,
    bankStatus: 'ACCC',
    outcome: 'credited',
  }),
  createConsent: refuse,
  authorisationUrl: refuse,
  completeAuthorisation: refuse,
  readConsent: refuse,
  deleteConsent: refuse,
  readPayment: refuse,
  verifyNotification: refuse,
};

/**
 * Returns the bank with instant credits: the issuer's notification of each pay-in is received before the bank responds (by
 * default: is in the inbox). A seeded consent's initiation names the wallet.
 */
export function withPayIns(
  bank: Bank,
  platform: Pick<Platform, 'db' | 'clock'>,
  receive: (notice: Notification) => Promise<void> = makeInbox(platform),
): Bank {
  return {
    ...bank,
    async submitPayment(grant, payment) {
      const { endToEndId, amountPence, initiation: externalReference } = payment;
      const movementId = `in-${endToEndId}`;
      const at = platform.clock.now().toString();
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
  reserveWallet: refuse,
  openWallet: refuse,
  closeWallet: refuse,
  readWallet: refuse,
  payOut: refuse,
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

/** A sender whose receivers acknowledge at once. */
export const INSTANT_SENDER: Sender = {
  send: async () => ({ status: 200, body: '', error: null, durationMs: 0 }),
  close: async () => undefined,
};
