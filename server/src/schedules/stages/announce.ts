import { channelsOf } from '../../customers/reach.ts';
import type { Tx } from '../../platform/db/db.ts';
import { claim, earliestDue } from '../../platform/engine/claim.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import type { NewNotice } from '../../platform/state/notify.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { earlier, later } from '../../platform/values/instants.ts';
import {
  type DaysAhead,
  findComing,
  findUnannounced,
  nextChangeAfter,
  nextDueAfter,
  recordAnnounced,
  setNextCheck,
  type UnannouncedRow,
} from '../books/announce-store.ts';
import { toTerms } from '../books/store.ts';
import { isOccurrence } from '../terms/amounts.ts';
import { describeAmount } from '../terms/describe.ts';

/** How many collections of a merchant are looked at together. */
const BATCH_SIZE = 500;
const LEASE_MS = 60_000;
/** A paused schedule may go on, and a customer may get an address: what is set is looked at once a day. */
const AT_LEAST_EVERY = Temporal.Duration.from({ hours: 24 });

interface Announcing extends DaysAhead {
  merchantId: string;
}

/**
 * Notifies customers of what changes before a collection, and of each coming one, as many days ahead as their merchant wants
 * (docs/rules/notices.md#what-changes). The last notice is compared with what is set, in the transaction that writes the next
 * one, so a repeat sends nothing twice. A merchant who has turned neither on has no row here.
 */
export function announceStage(platform: Platform): Stage {
  const { db } = platform;
  return {
    name: 'schedules.announce',
    batch: 10,
    ...earliestDue('announcements'),
    async run(now, limit) {
      const due = await db.transaction((tx) =>
        claim<Announcing>(tx, now, LEASE_MS, limit, {
          table: 'announcements',
          key: ['merchant_id'],
          returning: 't.merchant_id, t.days_ahead AS changes, t.coming_days_ahead AS coming',
        }),
      );
      for (const one of due) await db.transaction((tx) => announce(platform, tx, now, one));
      return due.length;
    },
  };
}

/** Of a collection that is set otherwise its customer hears as of a change, which names the usual amount too. */
async function announce(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, changes, coming }: Announcing,
): Promise<void> {
  const look = { platform, tx, now, merchantId };
  const nextChange =
    changes === null ? null : await announceWhat(look, { ...OF_CHANGES, days: changes });
  const nextComing =
    coming === null ? null : await announceWhat(look, { ...OF_COMING, days: coming });
  await setNextCheck(tx, merchantId, earlier(nextChange, nextComing));
}

interface Look {
  platform: Platform;
  tx: Tx;
  now: Temporal.Instant;
  merchantId: string;
}

/** What customers are notified of, and how many days ahead. */
interface What {
  days: number;
  find: typeof findUnannounced;
  noticeOf: (merchantId: string, row: UnannouncedRow) => NewNotice | null;
  nextAfter: typeof nextChangeAfter;
  /** Whether the stage may rest until something is set if there is none now. */
  mayRest: boolean;
  /** Where many are due at moments of their own, one look serves those of so many hours. */
  gapHours: number;
}

/** Notifies of at most a batch, and returns when to look again. */
async function announceWhat(
  { platform: { notify, config }, tx, now, merchantId }: Look,
  { days, find, noticeOf, nextAfter, mayRest, gapHours }: What,
): Promise<Temporal.Instant | null> {
  const until = now.add({ hours: 24 * days });
  const reach = { now, until, limit: BATCH_SIZE, hasTexts: channelsOf(config).hasTexts };
  const untold = await find(tx, merchantId, reach);
  await recordAnnounced(tx, merchantId, untold);
  await notify(
    tx,
    now,
    untold.flatMap((row) => noticeOf(merchantId, row) ?? []),
  );
  if (untold.length === BATCH_SIZE) return now;
  if (mayRest && (await nextAfter(tx, merchantId, now)) === null) return null;
  const next = await nextAfter(tx, merchantId, until);
  const daily = now.add(AT_LEAST_EVERY);
  if (next === null) return daily;
  return earlier(later(next.subtract({ hours: 24 * days }), now.add({ hours: gapHours })), daily);
}

const OF_CHANGES: Omit<What, 'days'> = {
  find: findUnannounced,
  noticeOf: changeNotice,
  nextAfter: nextChangeAfter,
  mayRest: true,
  gapHours: 0,
};

const OF_COMING: Omit<What, 'days'> = {
  find: findComing,
  noticeOf: comingNotice,
  nextAfter: nextDueAfter,
  mayRest: false, // a schedule may be agreed to
  gapHours: 1,
};

/** Returns the notice of a change; null if its date is none of the schedule's any more. */
function changeNotice(merchantId: string, row: UnannouncedRow): NewNotice | null {
  const terms = toTerms(row);
  if (!isOccurrence(terms, row.dueDate)) return null;
  const { scheduleId, setPence: pence, isSet } = row;
  const usual = terms.amountMode === 'fixed' ? describeAmount(terms.amountPence) : null;
  const due = formatInstant(row.dueDate);
  return {
    merchantId,
    kind: 'payment_changes',
    causeId: `${scheduleId} ${due} ${row.times + 1}`,
    customer: { scheduleId },
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
