import type { Tx } from '../../platform/db/db.ts';
import { type ConsentRoom, noRoom } from '../../schedules/limits/room.ts';
import { lockPresentConsents, moveToConsent, type Stranded } from '../books/move-on-store.ts';
import type { AskedRow } from '../books/payment-store.ts';
import { setDue } from '../books/queue-store.ts';
import { findRooms, takeRoom } from '../limits/rooms-under.ts';
import type { Used } from '../limits/store.ts';

/**
 * Moves payments that wait unsent under a consent that nobody can confirm to the consent under which their schedule collects now,
 * if its limits have room for them besides its coming payments; they are due at once, and use up no retry. The payments and their
 * schedules are locked. Returns those that moved: docs/rules/consents.md#renewed-authentication.
 */
export async function moveToPresentConsents(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly AskedRow[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const found = await lockPresentConsents(tx, rows);
  const rooms = found.length === 0 ? new Map() : await findRooms(tx, now, found);
  const fitting = found.filter((one) => reserveRoom(rooms.get(one.consentId), one, now));
  for (const [consentId, some] of Map.groupBy(fitting, (one) => one.consentId)) {
    const [{ walletId, bankId } = { walletId: '', bankId: '' }] = some;
    await moveToConsent(tx, some, { consentId, walletId, bankId });
  }
  const moved = new Set(fitting.map((one) => one.paymentId));
  await setDue(
    tx,
    rows.filter((row) => moved.has(row.paymentId)),
    () => now,
  );
  return moved;
}

/** Whether a consent has room for the payment now; if so, the payment uses it. */
function reserveRoom(
  room: ConsentRoom<Used> | undefined,
  one: Stranded,
  at: Temporal.Instant,
): boolean {
  if (room === undefined || noRoom(room, one.amountPence, at) !== null) return false;
  takeRoom(room, { ...one, at });
  return true;
}
