import type { Bank } from '../../server/src/banks/bank.ts';
import type { Issuer, Movement, TransferOrder } from '../../server/src/wallets/issuer.ts';
import type { Sender } from '../../server/src/webhooks/sender.ts';
import { BANK_ID } from './seed.ts';

const refuse = (): never => {
  throw new Error('a partner of the benchmark is not asked this');
};

/** A bank in this process that pays at once: what is left is our own work and PostgreSQL's. */
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

/** An e-money issuer in this process that moves money at once. */
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
  listStatement: refuse,
  listBalances: refuse,
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

/** Receivers that acknowledge at once. */
export const INSTANT_SENDER: Sender = {
  send: async () => ({ status: 200, body: '', error: null, durationMs: 0 }),
  close: async () => undefined,
};
