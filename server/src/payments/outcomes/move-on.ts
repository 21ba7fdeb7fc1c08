import type { Tx } from '../../platform/db/db.ts';
import { type ConsentRoom, describeNoRoom, noRoom } from '../../schedules/limits/room.ts';
import { lockPresentConsents, moveToConsent, type Stranded } from '../books/move-on-store.ts';
import type { AskedRow } from '../books/payment-store.ts';
import { setDue } from '../books/queue-store.ts';
import { findRooms, takeRoom } from '../limits/rooms-under.ts';
import type { Used } from '../limits/store.ts';

/**
 * Moves payments that wait unsent under a consent that nobody can confirm, or whose account the customer has left, to the consent
 * under which their schedule collects now, if its limits have room for them besides its coming payments; they are due at once,
 * and use up no retry. The payments and their schedules are locked. Returns those that moved, and why others have no room there:
 * docs/rules/consents.md#renewed-authentication and docs/rules/consents.md#another-account.
 */
export async function moveToPresentConsents(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly AskedRow[],
): Promise<{ moved: Set<string>; noRoom: Map<string, string> }> {
  if (rows.length === 0) return { moved: new Set(), noRoom: new Map() };
  const found = await lockPresentConsents(tx, rows);
  const rooms = found.length === 0 ? new Map() : await findRooms(tx, now, found);
  const refused = new Map<string, string>();
  const fitting = found.filter((one) => {
    const why = reserveRoom(rooms.get(one.consentId), one, now);
    if (why !== null) refused.set(one.paymentId, why);
    return why === null;
  });
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
  return { moved, noRoom: refused };
}

/** Lets the payment use the room that a consent has for it now; returns why there is none, or null. */
function reserveRoom(
  room: ConsentRoom<Used> | undefined,
  one: Stranded,
  at: Temporal.Instant,
): string | null {
  if (room === undefined) throw new Error(`the granted consent ${one.consentId} has no limits`);
  const refused = noRoom(room, one.amountPence, at);
  if (refused !== null) return describeNoRoom(refused);
  takeRoom(room, { ...one, at });
  return null;
}
