import type { Tx } from '../../platform/db/db.ts';
import { type ConsentRoom, describeNoRoom, noRoom } from '../../schedules/limits/room.ts';
import { lockPresentConsents, moveToConsent, type Stranded } from '../books/move-on-store.ts';
import type { AskedRow } from '../books/payment-store.ts';
import { setDue } from '../books/queue-store.ts';
import { findRooms, takeRoom } from '../limits/rooms-under.ts';
import type { Used } from '../limits/store.ts';
import { STOPPED, type StopCode } from '../payment/attempt.ts';
import type { Failed } from '../payment/outcome.ts';

/**
 * Moves payments that wait unsent under a consent that nobody can confirm, or whose account the customer has left, to the consent
 * under which their schedule collects now, if its limits have room for them besides its coming payments; they are due at once,
 * and use up no retry. The payments and their schedules are locked. Returns those that moved, and why the others could not:
 * docs/rules/consents.md#renewed-authentication and docs/rules/consents.md#another-account.
 */
export async function moveToPresentConsents(
  tx: Tx,
  now: Temporal.Instant,
  rows: readonly (AskedRow & { stoppedBy: StopCode | null })[],
): Promise<{ moved: Set<string>; staying: Map<string, Staying> }> {
  if (rows.length === 0) return { moved: new Set(), staying: new Map() };
  const found = await lockPresentConsents(tx, rows);
  const rooms = found.length === 0 ? new Map() : await findRooms(tx, now, found);
  const staying = new Map(rows.map((row) => [row.paymentId, hasNoConsent(row.stoppedBy)]));
  const fitting = found.filter((one) => {
    const why = one.isOrdered ? IS_ORDERED : reserveRoom(rooms.get(one.consentId), one, now);
    if (why === null) staying.delete(one.paymentId);
    else staying.set(one.paymentId, why);
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
  return { moved, staying };
}

/** The reason in the audit trail where the account that the customer pays from now has no room. */
const NO_ROOM_AT_ANOTHER_ACCOUNT = 'no_room_at_another_account';

/** Why a payment can't move on. */
type Staying = Pick<Failed, 'failure' | 'reason' | 'isStopped'>;

/** Its schedule has no consent in force any more. */
function hasNoConsent(stoppedBy: StopCode | null): Staying {
  const code = stoppedBy ?? 'consent_revoked';
  return { failure: { code, message: STOPPED[code] }, isStopped: true };
}

const IS_ORDERED: Staying = {
  failure: {
    code: 'duplicate',
    message: 'An earlier order of it may be with the bank; this one was not made.',
  },
};

/** Lets the payment use the room that a consent has for it now; returns why there is none, or null. */
function reserveRoom(
  room: ConsentRoom<Used> | undefined,
  one: Stranded,
  at: Temporal.Instant,
): Staying | null {
  if (room === undefined) throw new Error(`the granted consent ${one.consentId} has no limits`);
  const refused = noRoom(room, one.amountPence, at);
  if (refused !== null) {
    const message = `The customer pays from another account now. ${describeNoRoom(refused)}`;
    return { failure: { code: 'limit_exceeded', message }, reason: NO_ROOM_AT_ANOTHER_ACCOUNT };
  }
  takeRoom(room, { ...one, at });
  return null;
}
