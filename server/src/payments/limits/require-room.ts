import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { describeNoRoom, noRoom } from './carried-over.ts';
import { findConsentRooms } from './consent-room.ts';

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
  const rooms = await findConsentRooms(tx, now, [{ merchantId, consentId }]);
  const room = rooms.get(consentId);
  const refused = room === undefined ? null : noRoom(room, amountPence, at);
  if (refused === null) return;
  const { availablePence, availableFrom } = refused;
  throw new ApiError('limit_exceeded', describeNoRoom(refused, at.equals(now) ? 'now' : 'then'), {
    available: String(availablePence),
    ...(availableFrom !== null && { available_from: formatInstant(availableFrom) }),
  });
}
