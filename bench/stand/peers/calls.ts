import { openGrant, openInitiation } from '../../../server/src/consents/grant.ts';
import { instructionId } from '../../../server/src/payments/payment/payment.ts';
import { openEventBody } from '../../../server/src/platform/state/events.ts';
import type { TransferOrder } from '../../../server/src/wallets/issuer.ts';
import { webhookRequest } from '../../../server/src/webhooks/request.ts';
import type { Answer } from '../../../server/src/webhooks/sender.ts';
import { secretContext } from '../../../server/src/webhooks/service.ts';
import type { PeerDeps } from './peer.ts';

// The calls of a job to the outside, the same for every library: none is made within a transaction.

/** Calls in progress at a time within one batch. */
export const WIDTH = 32;

/** A payment with everything that its calls need. */
export interface OpenPayment {
  merchantId: string;
  paymentId: string;
  scheduleId: string;
  consentId: string;
  bankConsentId: string;
  bankGrant: string;
  initiation: string;
  amountPence: number;
  currency: 'GBP';
  walletId: string;
  fromWallet: string;
  toWallet: string;
  toAccount: string;
}

/** Pays at the bank; returns the bank's id of the payment. Throws unless the bank has paid. */
export async function payAtBank(
  { world: { platform }, bank }: PeerDeps,
  payment: OpenPayment,
): Promise<string> {
  const { merchantId, consentId, bankConsentId } = payment;
  const grant = openGrant(platform, merchantId, consentId, payment.bankGrant);
  const name = instructionId(payment.paymentId, 1);
  const { outcome, bankPaymentId } = await bank.submitPayment(grant, {
    idempotencyKey: name,
    bankConsentId,
    initiation: openInitiation(platform, merchantId, consentId, payment.initiation),
    instructionId: name,
    endToEndId: name,
    amountPence: payment.amountPence,
    currency: 'GBP',
  });
  if (outcome !== 'credited') throw new Error(`${name} is not paid yet`);
  return bankPaymentId;
}

/** Returns the transfer of a payment's money to the merchant's wallet at the issuer. */
export function toOrder(payment: OpenPayment): TransferOrder {
  return {
    idempotencyKey: `${payment.paymentId}-m0`,
    fromIssuerWalletId: payment.fromWallet,
    toIssuerWalletId: payment.toWallet,
    amountPence: payment.amountPence,
    reference: payment.paymentId,
  };
}

/** Returns the body of the event that a payment has succeeded. */
export function successBody(payment: OpenPayment, now: Temporal.Instant): string {
  const amount = { value: payment.amountPence, currency: payment.currency };
  const { paymentId, scheduleId } = payment;
  const data = {
    payment_id: paymentId,
    schedule_id: scheduleId,
    amount,
    completed_at: now.toString(),
  };
  return JSON.stringify({ event: 'collection.success', data });
}

/** An event and the endpoint to which it is sent. */
export interface Outgoing {
  merchantId: string;
  eventId: string;
  body: string;
  sequence: number | null;
  endpointId: string;
  url: string;
  secret: string;
}

/** Signs an event and sends it. */
export function sendEvent(
  { world: { platform }, sender }: PeerDeps,
  event: Outgoing,
): Promise<Answer> {
  const { vault, clock } = platform;
  const context = secretContext(event.merchantId, event.endpointId);
  const body = openEventBody(vault, event.eventId, event.body);
  const { eventId, sequence, url } = event;
  const request = webhookRequest({
    delivery: { eventId, body, sequence, url },
    secret: vault.open(event.secret, context),
    nextSecret: null,
    realNow: clock.now(),
    sandboxNow: null,
  });
  return sender.send(request);
}
