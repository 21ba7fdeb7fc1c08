import type { ConsentRef, RevocationReason, SetupFailure } from '../../consents/consent.ts';
import type { ConsentRow } from '../../consents/store.ts';
import type { Work } from '../../platform/platform.ts';
import { appendEvents, type DataOf } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { changeSchedule, type ScheduleChange } from '../books/state-store.ts';
import {
  findSchedulesOfConsent,
  lockSchedule,
  lockScheduleOf,
  lockSchedulesOfConsent,
  readTerms,
} from '../books/store.ts';
import type { SCHEDULE_EVENTS } from '../request/events.ts';
import type { Schedule, ScheduleStatus } from '../terms/schedule.ts';
import { agreedNotice } from './agreed-notice.ts';
import type { ChangeHooks, ConsentedHooks, Lifecycle } from './hooks.ts';
import {
  appendScheduleEvent,
  cancel,
  changeStatus,
  idleAgenda,
  nextUnder,
  openWhatIsDue,
} from './lifecycle.ts';
import { viewAmount, viewFirstPayment, viewFrequency } from './view.ts';

/** What schedules do when their consent changes. */

/**
 * Activates a schedule whose customer consented and whose wallet is open, on the terms that they saw, from the next occurrence
 * on. One that was paused meanwhile stays paused and keeps the consent. See
 * docs/rules/consents.md#the-first-consent-of-a-schedule.
 */
export async function onGranted(
  life: Lifecycle<ChangeHooks & ConsentedHooks>,
  consent: ConsentRow,
  bankName: string,
): Promise<void> {
  const { tx, now, platform } = life;
  const locked = await lockSchedule(tx, consent.merchantId, consent.scheduleId);
  if (locked === null || locked.status === 'cancelled')
    throw new Error('a consent outlived its schedule');
  const schedule = await openWhatIsDue(life, locked);
  const version = consent.termsVersion;
  const terms = await readTerms(tx, schedule.merchantId, schedule.scheduleId, version);
  const status = schedule.status === 'paused' ? 'paused' : 'active';
  const change: ScheduleChange & { status: ScheduleStatus } = {
    status,
    termsVersion: version,
    liveVersion: version,
    consentedVersion: version,
    consentId: consent.consentId,
    next: await (status === 'active'
      ? nextUnder(life, schedule, terms, beganAt(life, schedule, consent))
      : idleAgenda(life, schedule, terms)),
  };
  const joined = await changeStatus(life, schedule, change, 'the customer consented');
  await life.hooks.followConsent(tx, now, consent);
  // Once: a later consent, to other terms or from another account, finds a version that was agreed to.
  if (schedule.consentedVersion === null) await openFirst(life, joined, consent);
  // What waits until an earlier consent is confirmed, which nobody can do any more, is decided about at once.
  await life.hooks.sendNow(tx, now, schedule.merchantId, [schedule.scheduleId]);
  await appendScheduleEvent(life, schedule, 'schedule.setup_success', {
    schedule_id: schedule.scheduleId,
    customer_id: schedule.customerId,
    amount: viewAmount(terms),
    frequency: viewFrequency(terms.series.frequency),
    first_payment:
      schedule.consentedVersion === null ? viewFirstPayment(schedule, terms.currency) : null,
    created_at: formatInstant(now),
  });
  const agreed = { before: schedule, after: joined, terms, bankName };
  await platform.notify(tx, now, [await agreedNotice(life, consent, agreed)]);
}

/** Returns after when occurrences are collected under a consent: the first one promised what falls due while the wallet opens. */
const beganAt = ({ now }: Lifecycle, { liveVersion }: Schedule, { agreedAt }: ConsentRow) =>
  liveVersion === null ? (agreedAt ?? now) : now;

/** Opens the first payment, if there is one. A pause that came before the consent ends it, as every payment that waits. */
async function openFirst(
  { tx, now, hooks }: Lifecycle,
  schedule: Schedule,
  consent: ConsentRow,
): Promise<void> {
  if (schedule.firstPayment === null) return;
  await hooks.openFirst(tx, now, schedule, consent);
  if (schedule.status === 'paused') await hooks.stopPayments(tx, now, schedule, 'schedule_paused');
}

/**
 * Ends a set-up that was refused or expired. Without an earlier consent, the schedule is cancelled
 * (docs/rules/consents.md#failed-set-ups); with one, the change is dropped (docs/rules/consents.md#changes-beyond-the-consent).
 */
export async function onFailed(
  life: Lifecycle,
  ref: ConsentRef,
  error: { code: SetupFailure; message: string },
): Promise<void> {
  const { tx, now } = life;
  const schedule = await lockScheduleOf(tx, ref);
  await appendScheduleEvent(life, schedule, 'schedule.setup_failed', {
    schedule_id: schedule.scheduleId,
    customer_id: schedule.customerId,
    error,
    created_at: formatInstant(now),
  });
  if (schedule.liveVersion !== null)
    await changeSchedule(tx, schedule, { termsVersion: schedule.liveVersion }, now);
  else await cancel(life, schedule, error.code);
}

/** Cancels every schedule under a revoked consent. */
export async function onRevoked(
  life: Lifecycle,
  ref: ConsentRef,
  reason: RevocationReason,
): Promise<void> {
  for (const schedule of await lockSchedulesOfConsent(life.tx, ref.merchantId, ref.consentId)) {
    if (schedule.status === 'cancelled') continue;
    await appendScheduleEvent(life, schedule, 'consent.revoked', {
      schedule_id: schedule.scheduleId,
      customer_id: schedule.customerId,
      reason,
      created_at: formatInstant(life.now),
    });
    await cancel(life, schedule, reason, 'consent_revoked');
  }
}

/** Reports every schedule under a consent whose customer has to confirm it again at the bank. */
export async function onSuspended({ platform, tx, now }: Work, consent: ConsentRow): Promise<void> {
  const { merchantId, consentId } = consent;
  const under = await lockSchedulesOfConsent(tx, merchantId, consentId);
  const events = under
    .filter(({ status }) => status !== 'cancelled')
    .map(({ scheduleId, customerId }) => {
      const data: DataOf<typeof SCHEDULE_EVENTS, 'consent.reauthentication_needed'> = {
        schedule_id: scheduleId,
        customer_id: customerId,
        created_at: formatInstant(now),
      };
      const kind = 'consent.reauthentication_needed';
      return { merchantId, scheduleId, subjectId: scheduleId, kind, data };
    });
  await appendEvents({ platform, tx, now }, events);
}

/** Sends what waited under a consent that its customer has confirmed. */
export async function onConfirmed(
  { tx, now, hooks }: Lifecycle<ConsentedHooks>,
  ref: ConsentRef,
): Promise<void> {
  const under = await findSchedulesOfConsent(tx, ref.merchantId, ref.consentId);
  await hooks.sendNow(tx, now, ref.merchantId, under);
}
