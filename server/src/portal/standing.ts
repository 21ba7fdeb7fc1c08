import { type ConsentStatus, isOpen } from '../consents/consent.ts';
import type { ConsentRow } from '../consents/store.ts';
import type { PaymentUnderWay, Schedule } from '../schedules/schedule.ts';

/** Who asks, as the customer is shown it. */
export interface PortalMerchant {
  name: string;
  legalName: string;
  email: string;
  website: string;
  address: string;
  /** Terms and conditions, plain text. */
  terms: string;
  returnUrl: string | null;
  timeZone: string;
}

/** What a link means to its customer now. */
export type Phase =
  | 'deciding'
  | 'finishing' // the bank said yes; the wallet is being opened
  | 'granted'
  | 'denied'
  | 'rejected'
  | 'expired'
  | 'ended' // withdrawn, or ended with its schedule
  | 'replaced'
  | 'dropped'; // the merchant changed its mind first

const PHASES: Readonly<Record<ConsentStatus, Phase>> = {
  pending: 'deciding',
  authorising: 'deciding',
  authorised: 'finishing',
  granted: 'granted',
  denied: 'denied',
  rejected: 'rejected',
  expired: 'expired',
  revoked: 'ended',
  replaced: 'replaced',
  dropped: 'dropped',
};

/** A link that has run out is expired at that moment, whenever the engine comes to say so. */
export function phaseOf(
  consent: Pick<ConsentRow, 'status' | 'link_expires_at'>,
  now: Temporal.Instant,
): Phase {
  const ranOut = Temporal.Instant.compare(consent.link_expires_at, now) <= 0;
  return isOpen(consent.status) && ranOut ? 'expired' : PHASES[consent.status];
}

/** A link with everything that it leads to. */
export interface Standing {
  token: string;
  phase: Phase;
  consent: ConsentRow;
  schedule: Schedule;
  merchant: PortalMerchant;
  /** Of a consent that has ended: what the bank had already been asked for, and may still be taken. */
  underWay?: PaymentUnderWay[];
}

/** Whether payments go on under earlier terms whatever becomes of this consent. */
export function hasEarlierTerms({ consent, schedule }: Standing): boolean {
  return (
    schedule.status !== 'cancelled' &&
    schedule.consentId !== null &&
    schedule.consentId !== consent.consent_id
  );
}
