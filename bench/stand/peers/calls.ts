import { openGrant, openInitiation } from '../../../server/src/consents/grant.ts';
import { instructionId } from '../../../server/src/payments/payment/payment.ts';
import { openEventBody } from '../../../server/src/platform/state/events.ts';
import type { TransferOrder } from '../../../server/src/wallets/issuer.ts';
import { webhookRequest } from '../../../server/src/webhooks/request.ts';
import type { Answer } from '../../../server/src/webhooks/sender.ts';
import { secretContext } from '../../../server/src/webhooks/service.ts';
import type { PeerStand } from './peer.ts';

// The calls of a job to the outside, the same for every library: none is made within a transaction.

/** Calls in progress at a time within one batch. */
export const WIDTH = 32;

/** A payment with everything that its calls need. */
export interface OpenPayment {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  consent_id: string;
  bank_consent_id: string;
  bank_grant: string;
  initiation: string;
  amount_pence: number;
  currency: 'GBP';
  wallet_id: string;
  from_wallet: string;
  to_wallet: string;
  to_account: string;
}

/** Asks the bank for the funds and pays; returns the bank's id of the payment. Throws unless the bank has paid. */
export async function payAtBank(
  { world: { platform }, bank }: PeerStand,
  payment: OpenPayment,
): Promise<string> {
  const { merchant_id: merchantId, consent_id: consentId, bank_consent_id: atBank } = payment;
  const grant = openGrant(platform, merchantId, consentId, payment.bank_grant);
  await bank.confirmFunds(grant, atBank, payment.amount_pence);
  const name = instructionId(payment.payment_id, 1);
  const { outcome, bankPaymentId } = await bank.submitPayment(grant, {
    idempotencyKey: name,
    bankConsentId: atBank,
    initiation: openInitiation(platform, merchantId, consentId, payment.initiation),
    instructionId: name,
    endToEndId: name,
    amountPence: payment.amount_pence,
    currency: 'GBP',
  });
  if (outcome !== 'credited') throw new Error(`${name} is not paid yet`);
  return bankPaymentId;
}

/** Returns the transfer of a payment's money to the merchant's wallet at the issuer. */
export function toOrder(payment: OpenPayment): TransferOrder {
  return {
    idempotencyKey: `${payment.payment_id}-m0`,
    fromIssuerWalletId: payment.from_wallet,
    toIssuerWalletId: payment.to_wallet,
    amountPence: payment.amount_pence,
    reference: payment.payment_id,
  };
}

/** Returns the body of the event that a payment has succeeded. */
export function successBody(payment: OpenPayment, now: Temporal.Instant): string {
  const amount = { value: payment.amount_pence, currency: payment.currency };
  const { payment_id, schedule_id } = payment;
  const data = { payment_id, schedule_id, amount, completed_at: now.toString() };
  return JSON.stringify({ event: 'collection.success', data });
}

/** An event and the endpoint to which it is sent. */
export interface Outgoing {
  merchant_id: string;
  event_id: string;
  body: string;
  sequence: number | null;
  endpoint_id: string;
  url: string;
  secret: string;
}

/** Signs an event and sends it. */
export function sendEvent(
  { world: { platform }, sender }: PeerStand,
  event: Outgoing,
): Promise<Answer> {
  const { vault, clock } = platform;
  const context = secretContext(event.merchant_id, event.endpoint_id);
  const body = openEventBody(vault, event.event_id, event.body);
  const { event_id, sequence, url } = event;
  const request = webhookRequest({
    delivery: { event_id, body, sequence, url },
    secret: vault.open(event.secret, context),
    nextSecret: null,
    realNow: clock.now(),
    sandboxNow: null,
  });
  return sender.send(request);
}
