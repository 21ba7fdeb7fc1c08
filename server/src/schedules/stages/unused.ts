import type { Bank } from '../../banks/bank.ts';
import { isDatabaseFailure } from '../../platform/db/isolate-failures.ts';
import { dueBy } from '../../platform/engine/due.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { earlier, isAfter, isBefore, later } from '../../platform/values/instants.ts';
import { findNextPayments, type PlannedHook } from '../books/next-payment.ts';
import { findSchedulesUnder, findTerms, termsKey } from '../books/store.ts';
import {
  findUnused,
  LOOKED_AT_AFTER,
  lockUnused,
  setUnusedSince,
  UNUSED_SINCE,
  type UnusedRow,
} from './unused-store.ts';

export interface UnusedDeps {
  platform: Platform;
  hooks: PlannedHook;
  banks: ReadonlyMap<string, Bank>;
}

/**
 * Reminds customers whose bank ends a consent that lies unused, a month before it does, unless something is collected until then
 * (docs/rules/consents.md#consents-that-lie-unused). A consent is looked at 11 months after its last use that is known.
 */
export function unusedStage(deps: UnusedDeps): Stage {
  const { db, log } = deps.platform;
  return {
    name: 'consents.unused',
    batch: 100,
    ...dueBy({
      table: 'consents',
      moment: UNUSED_SINCE,
      where: "t.status = 'granted'",
      after: LOOKED_AT_AFTER,
    }),
    async run(now, limit) {
      const due = await db.read((tx) => findUnused(tx, now, limit));
      for (const row of due)
        try {
          await checkUnused(deps, now, row);
        } catch (err) {
          if (isDatabaseFailure(err)) throw err;
          log.report('consent.not_followed', { consent_id: row.consentId, err });
          await db.transaction((tx) =>
            setUnusedSince(tx, row, monthsAfter(now, -LOOK_MONTHS).add(TRY_AGAIN)),
          );
        }
      return due.length;
    },
  };
}

async function checkUnused(deps: UnusedDeps, now: Temporal.Instant, row: UnusedRow): Promise<void> {
  const { platform, banks } = deps;
  const months = banks.get(row.bankId)?.traits.endsUnusedAfterMonths ?? null;
  await platform.db.transaction(async (tx) => {
    const usedAt = await lockUnused(tx, now, row);
    if (usedAt === null) return;
    if (months === null) return setUnusedSince(tx, row, now);
    const endsAt = monthsAfter(usedAt, months);
    const remindAt = monthsAfter(endsAt, -1);
    const checkAgain = (at: Temporal.Instant): Promise<void> =>
      setUnusedSince(tx, row, monthsAfter(at, -LOOK_MONTHS));
    if (isAfter(remindAt, now)) return checkAgain(remindAt);
    const next = await nextUnder(deps, { tx, now, merchantId: row.merchantId }, row.consentId);
    if (next !== null && isBefore(next, endsAt))
      return checkAgain(later(next, now).add(UNTIL_PAID));
    await setUnusedSince(tx, row, now);
    await platform.notify(tx, now, [
      {
        merchantId: row.merchantId,
        kind: 'consent_unused',
        causeId: `${row.consentId} unused ${formatInstant(usedAt)}`,
        customer: { scheduleId: row.scheduleId },
        facts: {
          ends_at: formatInstant(endsAt),
          bank: banks.get(row.bankId)?.name ?? '',
        },
      },
    ]);
  });
}

/** A check that failed is made again. */
const TRY_AGAIN = Temporal.Duration.from({ hours: 24 });
/** So long after its date a collection has been paid, or is not. */
const UNTIL_PAID = Temporal.Duration.from({ hours: 24 * 7 });
const LOOK_MONTHS = Number.parseInt(LOOKED_AT_AFTER, 10);

const monthsAfter = (at: Temporal.Instant, months: number): Temporal.Instant =>
  at.toZonedDateTimeISO('UTC').add({ months }).toInstant();

/** Returns when something is collected next under a consent; null: nothing is planned. */
async function nextUnder(
  { hooks }: UnusedDeps,
  asked: Parameters<typeof findNextPayments>[1],
  consentId: string,
): Promise<Temporal.Instant | null> {
  const { tx, merchantId } = asked;
  const under = await findSchedulesUnder(tx, merchantId, consentId);
  const versions = under.map((one) => ({ ...one, version: one.termsVersion }));
  const terms = await findTerms(tx, merchantId, versions);
  const all = under.flatMap((schedule) => {
    const found = terms.get(termsKey(schedule.scheduleId, schedule.termsVersion));
    return found === undefined ? [] : [{ schedule, asked: found }];
  });
  const next = await findNextPayments(hooks, asked, all);
  return [...next.values()].reduce((first, one) => earlier(first, one), null);
}
