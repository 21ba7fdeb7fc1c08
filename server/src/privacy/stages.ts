import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { dueBy } from '../platform/engine/due.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Platform } from '../platform/platform.ts';
import { ApiError } from '../platform/values/errors.ts';
import { isAfter } from '../platform/values/instants.ts';
import {
  findEnds,
  findLongKept,
  IS_KEPT,
  KEPT_SINCE,
  type Relationship,
  setKeptSince,
} from './kept-store.ts';
import { eraseCustomer } from './service.ts';

/** When a customer is looked at again of whom something is open, such as a debt. */
const LOOK_AGAIN = { hours: 24 * 30 };

/**
 * Erases customers whose relationship ended long ago, as an erasure by hand does, and the metadata of their schedules too:
 * docs/rules/retention.md#customers. No stage where they are kept until somebody erases them.
 */
export function longKeptStages(platform: Platform): Stage[] {
  const { db, config } = platform;
  const kept = config.customersKeptFor;
  if (kept === null) return [];
  return [
    {
      name: 'customers.forget',
      batch: 50,
      ...dueBy({ table: 'customers', moment: KEPT_SINCE, where: IS_KEPT, after: `${kept}` }),
      async run(now, limit) {
        const until = now.toZonedDateTimeISO('UTC').subtract(kept).toInstant();
        const ends = await db.read(async (tx) => {
          const due = await findLongKept(tx, until, limit);
          return due.length === 0 ? [] : findEnds(tx, due);
        });
        const later: Parameters<typeof setKeptSince>[1][number][] = [];
        for (const one of ends) {
          const { merchantId, customerId, isOpen, endedAt } = one;
          const isOver = !isOpen && !isAfter(endedAt, until);
          if (isOver && (await erase(platform, now, one))) continue;
          const since = isOpen ? now : isOver ? until.add(LOOK_AGAIN) : endedAt;
          later.push({ merchantId, customerId, since });
        }
        if (later.length > 0) await db.transaction((tx) => setKeptSince(tx, later));
        return ends.length;
      },
    },
  ];
}

/** Erases a customer in a transaction of its own; returns whether nothing of theirs was open. */
async function erase(
  { db, vault, log }: Platform,
  now: Temporal.Instant,
  { merchantId, customerId, endedAt }: Relationship,
): Promise<boolean> {
  const day = endedAt.toString().slice(0, 10);
  const reason = `kept for as long as is asked after the relationship ended on ${day}`;
  const erasure = { merchantId, customerId, reason, metadata: true };
  try {
    await db.transaction((tx) => eraseCustomer({ vault }, tx, now, erasure));
    return true;
  } catch (err) {
    if (isDatabaseFailure(err)) throw err;
    if (!(err instanceof ApiError))
      log.report('customer.not_erased', { customer_id: customerId, err });
    return false;
  }
}
