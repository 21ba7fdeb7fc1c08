import { channelsOf } from '../../customers/reach.ts';
import type { Tx } from '../../platform/db/db.ts';
import { claim, earliestDue } from '../../platform/engine/claim.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import type { NewNotice } from '../../platform/state/notify.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { earlier } from '../../platform/values/instants.ts';
import {
  findUnannounced,
  nextChangeAfter,
  recordAnnounced,
  setNextCheck,
  type UnannouncedRow,
} from '../books/announce-store.ts';
import { toTerms } from '../books/store.ts';
import { isOccurrence } from '../terms/amounts.ts';
import { describeAmount } from '../terms/describe.ts';

/** How many collections of a merchant are looked at together. */
const BATCH_SIZE = 100;
const LEASE_MS = 60_000;
/** A paused schedule may go on, and a customer may get an address: what is set is looked at once a day. */
const AT_LEAST_EVERY = Temporal.Duration.from({ hours: 24 });

interface Announcing {
  merchantId: string;
  daysAhead: number;
}

/**
 * Notifies customers of what changes before a collection, as many days ahead as their merchant wants
 * (docs/rules/notices.md#what-changes). The last notice is compared with what is set, in the transaction that writes the next
 * one, so a repeat sends nothing twice. A merchant who has not turned it on has no row here.
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
          returning: 't.merchant_id, t.days_ahead',
        }),
      );
      for (const one of due) await db.transaction((tx) => announce(platform, tx, now, one));
      return due.length;
    },
  };
}

async function announce(
  { notify, config }: Platform,
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, daysAhead }: Announcing,
): Promise<void> {
  const until = now.add({ hours: 24 * daysAhead });
  const untold = await findUnannounced(tx, merchantId, [now, until], {
    limit: BATCH_SIZE,
    hasTexts: channelsOf(config).hasTexts,
  });
  await recordAnnounced(tx, merchantId, untold);
  const notices = untold.flatMap((row) => noticeOf(merchantId, row) ?? []);
  await notify(tx, now, notices);
  await setNextCheck(tx, merchantId, await lookNext());

  async function lookNext(): Promise<Temporal.Instant | null> {
    if (untold.length === BATCH_SIZE) return now;
    const next = await nextChangeAfter(tx, merchantId, now);
    if (next === null) return null;
    const later = await nextChangeAfter(tx, merchantId, until);
    const daily = now.add(AT_LEAST_EVERY);
    const atThat = later === null ? daily : later.subtract({ hours: 24 * daysAhead });
    return earlier(atThat, daily);
  }
}

/** Returns the notice of a change; null if its date is none of the schedule's any more. */
function noticeOf(merchantId: string, row: UnannouncedRow): NewNotice | null {
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
