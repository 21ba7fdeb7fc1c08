import { findConsent } from '../../consents/store.ts';
import type { Asked } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { formatInstant, parseInstant } from '../../platform/time/calendar.ts';
import { ApiError, notFound, orNotFound } from '../../platform/values/errors.ts';
import { isAfter, isBefore } from '../../platform/values/instants.ts';
import { hastenAnnouncements } from '../books/announce-store.ts';
import { findChangesOf, setOccurrence, unsetOccurrence } from '../books/changes-store.ts';
import { lockSchedule, readTermsInForce } from '../books/store.ts';
import { findTermsUnder } from '../books/under-store.ts';
import { insertWords } from '../books/word-store.ts';
import { amountEntry } from '../books/words.ts';
import { mostOfOne } from '../limits/limits.ts';
import {
  availablePence,
  type ControlParameters,
  firstCollection,
  roomUnder,
} from '../limits/room.ts';
import type { OccurrenceBody } from '../request/occurrence-schemas.ts';
import { type Changes, isOccurrence, plannedOccurrences } from '../terms/amounts.ts';
import { describeAmount } from '../terms/describe.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';
import { parametersFor, type ScheduleDeps } from './service.ts';
import { type OccurrenceView, viewOccurrence } from './upcoming.ts';

/** A coming occurrence of a locked schedule, and the terms that it follows. */
interface Coming {
  schedule: Schedule;
  terms: Terms;
  dueDate: Temporal.Instant;
}

/**
 * Sets the amount of a coming occurrence, or skips it. Throws 404 if there is no such occurrence, 409 `schedule_cancelled`, 409
 * `occurrence_passed`, 409 `limit_exceeded`. See docs/rules/schedules.md#amounts-of-single-occurrences.
 */
export async function changeOccurrence(
  deps: ScheduleDeps,
  asked: Asked,
  scheduleId: string,
  due: string,
  body: OccurrenceBody,
): Promise<OccurrenceView> {
  const { tx, now } = asked;
  const coming = await lockComing(asked, scheduleId, due);
  const amountPence = 'amount' in body ? body.amount.value : null;
  if (amountPence !== null) await requireRoom(deps, asked, coming, amountPence);
  await setOccurrence(tx, coming.schedule, coming.dueDate, amountPence, now);
  if (amountPence !== null)
    await insertWords(tx, asked.merchantId, scheduleId, [amountEntry(amountPence)]);
  const becomes = amountPence === null ? 'is skipped' : `collects ${describeAmount(amountPence)}`;
  return changed(asked, coming, becomes);
}

/** Takes back what was set for a coming occurrence. Throws as `changeOccurrence` does. */
export async function restoreOccurrence(
  asked: Asked,
  scheduleId: string,
  due: string,
): Promise<OccurrenceView> {
  const coming = await lockComing(asked, scheduleId, due);
  const wasSet = await unsetOccurrence(asked.tx, coming.schedule, coming.dueDate);
  return wasSet ? changed(asked, coming, 'is as usual again') : show(asked, coming);
}

/** Locks the schedule, so that the occurrence is changed before it is opened, or refused after it. */
async function lockComing(
  { tx, now, merchantId }: Asked,
  scheduleId: string,
  due: string,
): Promise<Coming> {
  const schedule = orNotFound(await lockSchedule(tx, merchantId, scheduleId), 'schedule');
  if (schedule.status === 'cancelled')
    throw new ApiError('schedule_cancelled', 'A cancelled schedule collects nothing more.');
  const terms = await readTermsInForce(tx, schedule);
  const dueDate = parseInstant(due);
  if (dueDate === null || !isOccurrence(terms, dueDate)) throw notFound('occurrence');
  if (isPassed(schedule, dueDate, now))
    throw new ApiError('occurrence_passed', 'This occurrence has fallen due already.');
  return { schedule, terms, dueDate };
}

/** Whether it has fallen due, or was opened: an active schedule's agenda stands at the next one to be opened. */
function isPassed(
  { status, dueAt }: Schedule,
  dueDate: Temporal.Instant,
  now: Temporal.Instant,
): boolean {
  if (!isAfter(dueDate, now)) return true;
  return status === 'active' && (dueAt === null || isBefore(dueDate, dueAt));
}

async function changed(asked: Asked, coming: Coming, becomes: string): Promise<OccurrenceView> {
  const { merchantId, scheduleId, status } = coming.schedule;
  const reason = `the collection of ${formatInstant(coming.dueDate)} ${becomes}`;
  await hastenAnnouncements(asked.tx, asked.now, merchantId);
  await recordChanges(asked.tx, asked.now, [
    {
      merchantId,
      objectId: scheduleId,
      scheduleId,
      from: status,
      to: 'occurrence_changed',
      reason,
    },
  ]);
  return show(asked, coming);
}

async function show({ tx }: Asked, { schedule, terms, dueDate }: Coming): Promise<OccurrenceView> {
  const changes = await findChangesOf(tx, schedule, dueDate);
  const since = { after: dueDate.subtract({ nanoseconds: 1 }), index: 0 };
  const [shown] = plannedOccurrences(terms, changes, since, 1);
  if (shown === undefined) throw notFound('occurrence');
  return viewOccurrence(shown, terms.currency);
}

/** Throws 409 `limit_exceeded` with what the limits leave for this occurrence beside the others of its period. */
async function requireRoom(
  deps: ScheduleDeps,
  asked: Asked,
  { schedule, terms, dueDate }: Coming,
  amountPence: number,
): Promise<void> {
  const own = mostOfOne(terms);
  const available = Math.min(own, await roomAtBank(deps, asked, { schedule, terms, dueDate }));
  if (amountPence <= available) return;
  throw new ApiError(
    'limit_exceeded',
    `The customer's limits leave ${describeAmount(available)} for this collection.`,
    { available: String(available) },
  );
}

/**
 * Returns what the consent leaves for an occurrence, in pence, or before there is one, what it will leave. Occurrences without an
 * amount of their own yet take nothing from each other.
 */
async function roomAtBank(
  { hooks }: ScheduleDeps,
  { tx, now, merchantId }: Asked,
  { schedule, terms, dueDate }: Coming,
): Promise<number> {
  const { consentId, scheduleId } = schedule;
  const consent = consentId === null ? null : await findConsent(tx, merchantId, consentId);
  const params: ControlParameters | null =
    consent === null
      ? parametersFor(terms, { now, until: now, maxRetries: schedule.maxRetries })
      : (roomUnder(consent.controlParameters)?.params ?? null);
  if (params === null) return 0;
  const used =
    consent === null
      ? firstCollection(terms, params.validFrom)
      : await hooks.usedUnder(tx, [consent]);
  const under =
    consent === null
      ? [
          {
            scheduleId,
            terms: { ...terms, changes: await findChangesOf(tx, schedule, now) },
            nextDueAt: now,
          },
        ]
      : await findTermsUnder(tx, [{ merchantId, consentId: consent.consentId }], now);
  const toCome = under.map((one) => ({
    terms: {
      ...one.terms,
      amountPence: one.terms.amountMode === 'per_occurrence' ? 0 : one.terms.amountPence,
      changes:
        one.scheduleId === scheduleId ? without(one.terms.changes, dueDate) : one.terms.changes,
    },
    from: one.nextDueAt ?? now,
  }));
  return availablePence({ params, used, toCome }, dueDate);
}

const without = (changes: Changes, dueDate: Temporal.Instant): Changes =>
  new Map([...changes, [dueDate.epochMilliseconds, null]]);
