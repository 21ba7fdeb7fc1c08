import type { ConsentRow } from '../../consents/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Work } from '../../platform/platform.ts';
import type { PlannedHook } from '../books/next-payment.ts';
import type { CountedPayment } from '../limits/room.ts';
import type { PaymentUnderWay, Schedule } from '../terms/schedule.ts';

/** What schedules need of their payments, by who asks; the app passes it in, and it runs in the same transaction. */

/** Asked where a schedule is shown. */
export interface ViewHooks extends PlannedHook {
  /** Returns the payments that may still arrive. */
  underWay(tx: Tx, merchantId: string, scheduleId: string): Promise<PaymentUnderWay[]>;
}

type ConsentKey = Pick<ConsentRow, 'merchantId' | 'consentId'>;

/** A payment that counts against the limits of its consent. */
export interface PaymentUnder extends CountedPayment {
  consentId: string;
}

/** Asked where a wish is held against the limits of a consent. */
export interface UseHooks {
  /** Returns what counts against the limits of these consents: every payment under them that did not fail. */
  usedUnder(tx: Tx, consents: readonly ConsentKey[]): Promise<PaymentUnder[]>;
}

/** Called when a schedule is changed. */
export interface ChangeHooks extends UseHooks {
  /** Opens the first payment of a schedule, due as soon as the consent has room for it: the schedule has just joined it. */
  openFirst(tx: Tx, now: Temporal.Instant, schedule: Schedule, consent: ConsentRow): Promise<void>;
  /** Opens the schedule's due occurrences under the current terms. */
  openDue(tx: Tx, now: Temporal.Instant, schedule: Schedule): Promise<void>;
  /** Ends the payments of a locked schedule that have nothing at the bank; no further order is sent for the others. */
  stopPayments(
    tx: Tx,
    now: Temporal.Instant,
    schedule: Schedule,
    code: 'consent_revoked' | 'schedule_paused' | 'schedule_cancelled',
  ): Promise<void>;
  hasPayments(tx: Tx, schedule: Schedule): Promise<boolean>;
  /** Whether payments of other schedules, which go on under consents of their own, still wait under this one's consent. */
  othersWaitUnder(tx: Tx, schedule: Schedule): Promise<boolean>;
}

/** Called when a customer has consented, or has confirmed a consent. */
export interface ConsentedHooks {
  /** Moves the payments of a schedule that are not due yet to its new consent, which it has just joined. */
  followConsent(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<void>;
  /** Sends the payments of these schedules that waited until their customer had confirmed the consent. */
  sendNow(
    tx: Tx,
    now: Temporal.Instant,
    merchantId: string,
    scheduleIds: readonly string[],
  ): Promise<void>;
}

/** All of them. */
export type ScheduleHooks = ViewHooks & ChangeHooks & ConsentedHooks;

/** The context of changes to a schedule within one transaction. */
export interface Lifecycle<H = ChangeHooks> extends Work {
  readonly hooks: H;
}
