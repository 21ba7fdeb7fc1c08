import type { ConsentRow } from '../../consents/store.ts';
import type { Work } from '../../platform/platform.ts';
import { describeNoRoom, noRoom } from '../../schedules/limits/room.ts';
import { lockPlanned, type Planned } from '../books/ad-hoc-store.ts';
import { markToMoveOn, moveToConsent, presentOf } from '../books/move-on-store.ts';
import { moveToRetryOrFailed } from '../books/payment-store.ts';
import { findRooms, takeRoom } from '../limits/rooms-under.ts';

/**
 * Moves the ad-hoc payments of a schedule that are not due yet to its new consent, earliest first. Those for which its limits
 * have no room besides the occurrences end with `limit_exceeded`. If the customer pays from another account now, whatever else is
 * under way follows when it is next due. The schedule is locked, and collects under the new consent.
 */
export async function followConsent(work: Work, consent: ConsentRow): Promise<void> {
  await followPlanned(work, consent);
  if (consent.anotherAccount) await markToMoveOn(work.tx, consent);
}

async function followPlanned(work: Work, consent: ConsentRow): Promise<void> {
  const { tx, now } = work;
  const { merchantId, consentId, scheduleId } = consent;
  const planned = await lockPlanned(tx, now, merchantId, scheduleId);
  if (planned.length === 0) return;
  const room = (await findRooms(tx, now, [{ merchantId, consentId }])).get(consentId);
  if (room === undefined) throw new Error(`the granted consent ${consentId} has no limits`);
  const fitting: Planned[] = [];
  for (const one of planned) {
    const { dueDate: at, amountPence, paymentId } = one;
    const refused = noRoom(room, amountPence, at);
    if (refused === null) {
      fitting.push(one);
      takeRoom(room, { paymentId, consentId, dueDate: at, at, amountPence });
    } else {
      const failure = { code: 'limit_exceeded', message: describeNoRoom(refused, 'then') };
      const retry = { none: 'limits' as const };
      await moveToRetryOrFailed(work, [{ row: one, failure, retry }], 'pending');
    }
  }
  await moveToConsent(tx, fitting, presentOf(consent));
}
