import type { ConsentRef } from '../../consents/consent.ts';
import type { ConsentRow } from '../../consents/store.ts';
import { appendEvents, type DataOf } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findSchedulesOfConsent, lockSchedulesOfConsent } from '../books/store.ts';
import type { SCHEDULE_EVENTS } from '../request/events.ts';
import type { Lifecycle } from './lifecycle.ts';

/** What schedules do while their consent waits for its customer: docs/rules/consents.md#renewed-authentication. */

type Needed = DataOf<typeof SCHEDULE_EVENTS, 'consent.reauthentication_needed'>;

/** Reports every schedule under a consent whose customer has to confirm it again at the bank. */
export async function onSuspended(
  { platform, tx, now }: Lifecycle,
  consent: ConsentRow,
): Promise<void> {
  const { merchantId, consentId } = consent;
  const under = await lockSchedulesOfConsent(tx, merchantId, consentId);
  const events = under
    .filter(({ status }) => status !== 'cancelled')
    .map(({ scheduleId, customerId }) => {
      const data: Needed = {
        schedule_id: scheduleId,
        customer_id: customerId,
        created_at: formatInstant(now),
      };
      const kind = 'consent.reauthentication_needed';
      return { merchantId, scheduleId, subjectId: scheduleId, kind, data };
    });
  await appendEvents(tx, platform, now, events);
}

/** Sends what waited under a consent that its customer has confirmed. */
export async function onConfirmed({ tx, now, hooks }: Lifecycle, ref: ConsentRef): Promise<void> {
  const under = await findSchedulesOfConsent(tx, ref.merchantId, ref.consentId);
  await hooks.sendNow(tx, now, ref.merchantId, under);
}
