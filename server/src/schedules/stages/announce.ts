import { channelsOf } from '../../customers/reach.ts';
import { findHeld } from '../../merchants/holds/hold-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { claim, earliestDue } from '../../platform/engine/claim.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import type { NewNotice } from '../../platform/state/notify.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { earlier, later } from '../../platform/values/instants.ts';
import {
  ANNOUNCEMENTS,
  type Announced,
  findComing,
  findDaysAhead,
  findUnannounced,
  nextChangeAfter,
  nextDueAfter,
  type Reach,
  recordAnnounced,
  setNextCheck,
  type UnannouncedRow,
} from '../books/announce-store.ts';
import { toTerms } from '../books/store.ts';
import { isOccurrence } from '../terms/amounts.ts';
import { describeAmount } from '../terms/describe.ts';

/** How many collections of a merchant are looked at together: each look passes those that were announced before. */
const BATCH_SIZE = 5_000;
const LEASE_MS = 60_000;
/** A paused schedule may go on, and a customer may get an address: what is set is looked at once a day. */
const AT_LEAST_EVERY = Temporal.Duration.from({ hours: 24 });
/** Where many are due at moments of their own, one look serves those of an hour. */
const COMING_AT_MOST_EVERY = Temporal.Duration.from({ hours: 1 });

interface Announcing {
  merchantId: string;
  daysAhead: number;
}

/**
 * Notifies customers of what changes before a collection, or of each coming one, as many days ahead as their merchant wants
 * (docs/rules/notices.md#what-changes). The last notice is compared with what is set, in the transaction that writes the next
 * one, so a repeat sends nothing twice. A merchant who has not turned it on has no row here.
 */
export function announceStage(platform: Platform, what: Announced): Stage {
  const { db } = platform;
  return {
    name: what === 'changes' ? 'schedules.announce' : 'schedules.announce_coming',
    batch: 10,
    ...earliestDue(ANNOUNCEMENTS[what]),
    async run(now, limit) {
      const due = await db.transaction((tx) =>
        claim<Announcing>(tx, now, LEASE_MS, limit, {
          table: ANNOUNCEMENTS[what],
          key: ['merchant_id'],
          returning: 't.merchant_id, t.days_ahead',
        }),
      );
      for (const one of due) await db.transaction((tx) => announce(platform, tx, now, what, one));
      return due.length;
    },
  };
}

/** Of a suspended merchant nothing is collected, so nothing is announced: it is looked at again the next day. */
async function announce(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  what: Announced,
  { merchantId, daysAhead }: Announcing,
): Promise<void> {
  const until = now.add({ hours: 24 * daysAhead });
  const scope = { platform, tx, merchantId, reach: { now, until, limit: BATCH_SIZE } };
  const isSuspended = (await findHeld(tx, 'suspended', [merchantId])).has(merchantId);
  const next = isSuspended ? now.add(AT_LEAST_EVERY) : await announceIn[what](scope);
  await setNextCheck(tx, merchantId, what, next);
}

/** Whose coming collections are announced, and how far ahead. */
interface Scope {
  platform: Platform;
  tx: Tx;
  merchantId: string;
  reach: Reach;
}

/** Notifies of at most a batch, and returns when to look again. */
const announceIn: {
  readonly [What in Announced]: (scope: Scope) => Promise<Temporal.Instant | null>;
} = {
  async changes(scope) {
    const { tx, merchantId, reach } = scope;
    if (await notifyOfChanges(scope, false)) return reach.now;
    const next = await nextChangeAfter(tx, merchantId, reach.now);
    if (next === null) return null;
    return earlier(
      daysBefore(await nextChangeAfter(tx, merchantId, reach.until), reach),
      reach.now.add(AT_LEAST_EVERY),
    );
  },
  async coming(scope) {
    const { tx, merchantId, reach } = scope;
    const { changes } = await findDaysAhead(tx, merchantId);
    // Of a change to what they have heard of they hear in any case.
    if (changes === null && (await notifyOfChanges(scope, true))) return reach.now;
    const coming = await findComing(tx, merchantId, reach);
    await notifyOf(scope, coming, (row) =>
      row.isSet && changes !== null ? changeNotice(merchantId, row) : comingNotice(merchantId, row),
    );
    if (coming.length === BATCH_SIZE) return reach.now;
    const next = daysBefore(await nextDueAfter(tx, merchantId, reach.until), reach);
    const daily = reach.now.add(AT_LEAST_EVERY);
    return next === null ? daily : earlier(later(next, reach.now.add(COMING_AT_MOST_EVERY)), daily);
  },
};

/** When a collection comes within reach. */
const daysBefore = (due: Temporal.Instant | null, { now, until }: Reach): Temporal.Instant | null =>
  due?.subtract(now.until(until)) ?? null;

/** Notifies of changes, `onlyAnnounced`: whatever is turned on. Returns whether there may be more. */
async function notifyOfChanges(scope: Scope, onlyAnnounced: boolean): Promise<boolean> {
  const { platform, tx, merchantId, reach } = scope;
  const { hasTexts } = channelsOf(platform.config);
  const rows = await findUnannounced(tx, merchantId, reach, { hasTexts, onlyAnnounced });
  await notifyOf(scope, rows, (row) => changeNotice(merchantId, row, onlyAnnounced));
  return rows.length === BATCH_SIZE;
}

async function notifyOf(
  { platform, tx, merchantId, reach }: Scope,
  rows: readonly UnannouncedRow[],
  noticeOf: (row: UnannouncedRow) => NewNotice | null,
): Promise<void> {
  await recordAnnounced(tx, merchantId, rows);
  await platform.notify(
    tx,
    reach.now,
    rows.flatMap((row) => noticeOf(row) ?? []),
  );
}

/** Returns the notice of a change; null if its date is none of the schedule's any more. `isAsked`: it is sent in any case. */
function changeNotice(merchantId: string, row: UnannouncedRow, isAsked = false): NewNotice | null {
  const terms = toTerms(row);
  if (!isOccurrence(terms, row.dueDate)) return null;
  const { scheduleId, setPence: pence, isSet } = row;
  const usual = terms.amountMode === 'fixed' ? describeAmount(terms.amountPence) : null;
  const due = formatInstant(row.dueDate);
  return {
    merchantId,
    kind: 'payment_changes',
    causeId: `${scheduleId} ${due} ${row.times + 1}`,
    customer: { scheduleId, isAsked },
    facts: {
      due_date: due,
      change: isSet ? (pence === null ? 'skipped' : 'set') : 'usual',
      ...(pence === null ? {} : { amount: describeAmount(pence) }),
      ...(usual === null ? {} : { usual }),
    },
  };
}

/** Returns the notice of a coming collection. */
function comingNotice(merchantId: string, row: UnannouncedRow): NewNotice {
  const { scheduleId, setPence, amountPence } = row;
  const due = formatInstant(row.dueDate);
  return {
    merchantId,
    kind: 'payment_coming',
    causeId: `${scheduleId} ${due}`,
    customer: { scheduleId },
    facts: { due_date: due, amount: describeAmount(setPence ?? amountPence) },
  };
}
