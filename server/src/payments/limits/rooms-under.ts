import type { Tx } from '../../platform/db/db.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { findTermsUnder } from '../../schedules/books/under-store.ts';
import {
  type ConsentRoom,
  describeNoRoom,
  noRoom,
  roomUnder,
} from '../../schedules/limits/room.ts';
import { findLimits, findUsed, type Used } from './store.ts';

/** Finds the room under each of these consents, by consent; a consent that never had limits is absent. */
export async function findRooms(
  tx: Tx,
  now: Temporal.Instant,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<Map<string, ConsentRoom<Used>>> {
  const limits = await findLimits(tx, consents);
  // In this order: an occurrence that is opened between the two statements counts twice rather than not at all.
  const under = Map.groupBy(
    await findTermsUnder(tx, consents, now),
    (schedule) => schedule.consentId,
  );
  const used = Map.groupBy(await findUsed(tx, consents), (payment) => payment.consentId);
  const rooms = new Map<string, ConsentRoom<Used>>();
  for (const { consentId, controlParameters } of limits) {
    // A paused schedule may be resumed at any time.
    const toCome = (under.get(consentId) ?? []).map(({ terms, nextDueAt }) => ({
      terms,
      from: nextDueAt ?? now,
    }));
    const counted = (used.get(consentId) ?? []).map((one) => standingAt(one, now));
    const room = roomUnder(controlParameters, counted, toCome);
    if (room !== null) rooms.set(consentId, room);
  }
  return rooms;
}

/**
 * A payment that was not sent yet uses the limits when it is sent: now at the earliest, however long it has waited. One whose
 * bank has not answered is sent again, and may be taken now as well as before.
 */
function standingAt(one: Used, now: Temporal.Instant): Used {
  if (!isAfter(now, one.at)) return one;
  if (one.isUnanswered) return { ...one, lastAt: now };
  return one.isWaiting ? { ...one, at: now } : one;
}

/** Lets a payment that waits use the room. */
export function takeRoom(
  room: ConsentRoom<Used>,
  planned: Omit<Used, 'isWaiting' | 'isReturned' | 'isUnanswered'>,
): void {
  room.used.push({ ...planned, isWaiting: true, isReturned: false, isUnanswered: false });
}

/**
 * Throws 409 `limit_exceeded` if the customer's limits have no room at `at` for a payment besides the coming ones, with what is
 * left then and the first moment with room. The consent is locked, so that two payments cannot use the same room.
 */
export async function requireRoom(
  { tx, now, merchantId }: Asked,
  consentId: string,
  amountPence: number,
  at: Temporal.Instant,
): Promise<void> {
  const rooms = await findRooms(tx, now, [{ merchantId, consentId }]);
  const room = rooms.get(consentId);
  const refused = room === undefined ? null : noRoom(room, amountPence, at);
  if (refused === null) return;
  const { availablePence, availableFrom } = refused;
  throw new ApiError('limit_exceeded', describeNoRoom(refused, at.equals(now) ? 'now' : 'then'), {
    available: String(availablePence),
    ...(availableFrom !== null && { available_from: formatInstant(availableFrom) }),
  });
}
