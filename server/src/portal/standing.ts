import { type ConsentStatus, isOpen } from '../consents/consent.ts';
import type { ConsentRow } from '../consents/store.ts';
import type { Branding } from '../merchants/branding/branding.ts';
import type { BusinessDetails, MerchantSettings } from '../merchants/merchant.ts';
import { isAfter } from '../platform/values/instants.ts';
import type { PaymentUnderWay, Schedule } from '../schedules/terms/schedule.ts';

/** The merchant, as shown to the customer. */
export interface PortalMerchant
  extends BusinessDetails,
    Pick<MerchantSettings, 'returnUrl' | 'timeZone'> {
  /** Absent: as everybody looks. */
  branding?: Branding;
}

/** The current phase of a link, for its customer. */
export type Phase =
  | 'deciding'
  | 'finishing' // the bank approved; the wallet is being opened
  | 'granted'
  | 'denied'
  | 'rejected'
  | 'expired'
  | 'ended' // withdrawn, or ended with its schedule
  | 'replaced'
  | 'dropped'; // the merchant cancelled the request first

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

/** Returns the phase. An expired link counts as expired at once, even before the engine has recorded it. */
export function phaseOf(
  consent: Pick<ConsentRow, 'status' | 'linkExpiresAt'>,
  now: Temporal.Instant,
): Phase {
  const ranOut = !isAfter(consent.linkExpiresAt, now);
  return isOpen(consent.status) && ranOut ? 'expired' : PHASES[consent.status];
}

/** A link with everything behind it. */
export interface ConsentPageState {
  token: string;
  phase: Phase;
  consent: ConsentRow;
  schedule: Schedule;
  merchant: PortalMerchant;
  /** Of a granted consent: when the schedule collects next, as it was changed; null: nothing is planned. */
  nextPaymentAt?: Temporal.Instant | null;
  /** Of a granted consent: the first payment that it brings, in pence; null: it brings none. */
  firstPence?: number | null;
  /** Of a consent that has ended: payments already sent to the bank, which may still be taken. */
  underWay?: PaymentUnderWay[];
  /** Of a link that is over: the one that took its place, if whoever holds this one may see it; null: none did. */
  newer?: { url: string | null } | null;
}

/** Names how far a link has come, for a page that follows it: another phase or other terms have another name. */
export function progressOf({
  phase,
  consent: { termsVersion },
}: Pick<ConsentPageState, 'phase'> & {
  consent: Pick<ConsentRow, 'termsVersion'>;
}): string {
  return `${phase} ${termsVersion}`;
}

/** Whether payments continue under earlier terms, however this consent is decided. */
export function hasEarlierTerms({ consent, schedule }: ConsentPageState): boolean {
  return (
    schedule.status !== 'cancelled' &&
    schedule.consentId !== null &&
    schedule.consentId !== consent.consentId
  );
}
