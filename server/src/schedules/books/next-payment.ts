import type { Tx } from '../../platform/db/db.ts';
import type { Asked } from '../../platform/platform.ts';
import { earlier } from '../../platform/values/instants.ts';
import { type Changes, NO_CHANGES } from '../terms/amounts.ts';
import { firstIndexSince, occurrence, type Since } from '../terms/occurrences.ts';
import { comingSince, type Schedule, type Terms } from '../terms/schedule.ts';
import { findChanges } from './changes-store.ts';
import { findTerms, termsKey } from './store.ts';

/**
 * Returns the next occurrence that collects something, or may: skipped ones are passed over, and of a schedule that is paused
 * until a day, those before it. Before the consent, it is the first one that the consent would bring. `terms`: those that
 * collections use.
 */
export function nextOccurrence(
  schedule: Schedule,
  terms: Terms,
  changes: Changes,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const since = startsSince(schedule, now);
  if (since === null) return null;
  // Of one occurrence more than there are changes, at least one is not skipped.
  const first = firstIndexSince(terms.series, since);
  for (let n = first; n <= first + changes.size; n++) {
    const at = occurrence(terms.series, n);
    if (at === null || changes.get(at.epochMilliseconds) !== null) return at;
  }
  return null;
}

function startsSince(schedule: Schedule, now: Temporal.Instant): Since | null {
  const { status, dueAt, resumeAt } = schedule;
  const since = comingSince(schedule, now);
  if (status === 'pending_consent') return since;
  if (status === 'active') return dueAt && { ...since, after: dueAt.subtract({ milliseconds: 1 }) };
  return resumeAt && since;
}

/** What a look at the next payment needs from payments. */
export interface PlannedHook {
  /** Returns when the first of each schedule's ad-hoc payments that wait for their day is due; one without any is absent. */
  plannedAt(
    tx: Tx,
    now: Temporal.Instant,
    merchantId: string,
    scheduleIds: readonly string[],
  ): Promise<Map<string, Temporal.Instant>>;
}

/** A schedule, and the terms that the merchant requested last. */
interface AskedSchedule {
  schedule: Schedule;
  asked: Terms;
}

/**
 * Returns when each of these schedules collects next: an occurrence, or an ad-hoc payment that is due before it. Reads what was
 * set for occurrences, and the terms, only of schedules whose agenda does not say it.
 */
export async function findNextPayments(
  hooks: PlannedHook,
  asked: Asked,
  all: readonly AskedSchedule[],
): Promise<Map<string, Temporal.Instant | null>> {
  const { tx, now, merchantId } = asked;
  const active = all.filter(({ schedule: { status } }) => status === 'active');
  const [occurrences, planned] = await Promise.all([
    findOccurrences(asked, all),
    hooks.plannedAt(tx, now, merchantId, active.map(idOf)),
  ]);
  return new Map(
    all.map((one) => {
      const id = idOf(one);
      return [id, earlier(occurrences.get(id) ?? null, planned.get(id) ?? null)];
    }),
  );
}

const idOf = ({ schedule }: AskedSchedule): string => schedule.scheduleId;

async function findOccurrences(
  { tx, now, merchantId }: Asked,
  all: readonly AskedSchedule[],
): Promise<Map<string, Temporal.Instant | null>> {
  const special = all.map(({ schedule }) => schedule).filter(needsCheck);
  const keys = special.map(({ scheduleId }) => ({ merchantId, scheduleId }));
  const versions = special.map((schedule) => ({ ...schedule, version: versionOf(schedule) }));
  const changes = await findChanges(tx, keys, now);
  const terms =
    special.length === 0 ? new Map<string, Terms>() : await findTerms(tx, merchantId, versions);
  return new Map(
    all.map(({ schedule, asked }) => {
      const { scheduleId, status, dueAt } = schedule;
      if (status === 'active' && !needsCheck(schedule)) return [scheduleId, dueAt];
      const used = terms.get(termsKey(scheduleId, versionOf(schedule))) ?? asked;
      const set = changes.get(scheduleId) ?? NO_CHANGES;
      return [scheduleId, nextOccurrence(schedule, used, set, now)];
    }),
  );
}

const needsCheck = ({ hasChanges, resumeAt }: Schedule): boolean => hasChanges || resumeAt !== null;

const versionOf = ({ liveVersion, termsVersion }: Schedule): number => liveVersion ?? termsVersion;
