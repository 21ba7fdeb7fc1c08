import { type ConsentRow, lockConsent } from '../../consents/store.ts';
import { findChangesOf } from '../books/changes-store.ts';
import { lastVersion, readTerms } from '../books/store.ts';
import { findTermsUnder, type TermsUnder } from '../books/under-store.ts';
import type { CountedPayment } from '../limits/room.ts';
import type { Changes } from '../terms/amounts.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';
import type { Lifecycle, UseHooks } from './hooks.ts';

/** The part of a consent that terms are compared with. */
export type ConsentLimits = Pick<ConsentRow, 'merchantId' | 'consentId' | 'controlParameters'>;

/** What a change of terms is decided by: read for one schedule when it is needed, or for many schedules at once. */
export interface TermsBooks {
  /** The terms that the merchant requested last. */
  asked(schedule: Schedule): Promise<Terms>;
  lastVersion(schedule: Schedule): Promise<number>;
  /** What was set for the schedule's coming occurrences. */
  changes(key: Pick<Schedule, 'merchantId' | 'scheduleId'>): Promise<Changes>;
  /** The consent under which the schedule collects; null: it is gone. */
  consent(schedule: Schedule): Promise<ConsentLimits | null>;
  /** What the schedules under a consent collect. */
  under(consent: ConsentLimits): Promise<readonly TermsUnder[]>;
  /** What counts against the limits of a consent. */
  used(consent: ConsentLimits): Promise<readonly CountedPayment[]>;
}

/** Returns the books of one change. The consent is locked, so that two concurrent changes do not both use the remaining room. */
export function booksOf({ hooks, tx, now }: Lifecycle<UseHooks>): TermsBooks {
  return {
    asked: ({ merchantId, scheduleId, termsVersion }) =>
      readTerms(tx, merchantId, scheduleId, termsVersion),
    lastVersion: ({ merchantId, scheduleId }) => lastVersion(tx, merchantId, scheduleId),
    changes: (key) => findChangesOf(tx, key, now),
    consent: ({ merchantId, consentId }) => lockConsent(tx, merchantId, consentId ?? ''),
    under: (consent) => findTermsUnder(tx, [consent], now),
    used: (consent) => hooks.usedUnder(tx, [consent]),
  };
}
