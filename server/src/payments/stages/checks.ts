import type { StoredControlParameters } from '../../consents/consent.ts';
import { RECHECK_WHILE_HELD } from '../../merchants/holds/hold.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { describeNoRoom, refusalBeside, roomUnder } from '../../schedules/limits/room.ts';
import { findHeldPayments } from '../books/held-store.ts';
import { findMoneyFor, findSettledByHand } from '../books/unallocated-store.ts';
import { carriedOverRefusal, mayBeCarriedOver } from '../limits/carried-over.ts';
import { findRooms } from '../limits/rooms-under.ts';
import { findUsed } from '../limits/store.ts';
import {
  type ClaimedAttempt,
  checksIssuerFirst,
  mayBeConfirmed,
  whyStopped,
} from '../payment/attempt.ts';
import {
  cannotWait,
  ended,
  type Failed,
  leavesAccount,
  type Outcome,
  waitForCustomer,
} from '../payment/outcome.ts';
import { PAID_BY_HAND } from '../payment/unallocated-item.ts';

/** Checks of a whole batch before any attempt of it is sent. */

/** How long a retry waits for a decision about money before it is checked again. */
const RECHECK_AFTER = Temporal.Duration.from({ hours: 1 });

/**
 * Refuses the unsent attempts of a batch that were carried over into a new limit period with no room for them. Returns their
 * failures by payment.
 */
export async function refuseCarriedOver(
  { db, clock }: Platform,
  batch: readonly ClaimedAttempt[],
): Promise<Map<string, Failed>> {
  const now = clock.now();
  const late = batch.filter(
    (one) => one.sentAt === null && !one.movesOn && mayBeCarriedOver(one.dueDate, now),
  );
  if (late.length === 0) return new Map();
  const rooms = await db.read((tx) => findRooms(tx, now, late));
  const refused = new Map<string, Failed>();
  for (const attempt of late) {
    const room = rooms.get(attempt.consentId);
    const reason = room === undefined ? null : carriedOverRefusal(room, attempt, now);
    if (reason !== null)
      refused.set(
        attempt.paymentId,
        ended('limit_exceeded', describeNoRoom(reason), attempt.polls),
      );
  }
  return refused;
}

/** Whether neither a no nor the money of an earlier attempt ends the attempt. */
export const mayProceed = (attempt: ClaimedAttempt): boolean =>
  whyStopped(attempt) === null && !attempt.paidBefore;

/**
 * Finds what stops attempts, by payment. While a consent is in doubt after a first look, nothing is sent under it, neither first
 * orders nor repeats, until a second look has decided. No first order is sent while the bank wants the customer to confirm the
 * consent, or above limits that the customer changed at the bank. Where nobody can confirm the consent any more, or the customer
 * pays from another account now, the attempt does not wait for it: docs/rules/consents.md#renewed-authentication and
 * docs/rules/consents.md#another-account.
 */
export async function consentStops(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  batch: readonly ClaimedAttempt[],
): Promise<Map<string, Outcome>> {
  const stops = new Map<string, Outcome>();
  for (const attempt of batch) {
    if (!mayProceed(attempt)) continue;
    const { changedLimits: limits } = attempt;
    if (attempt.sentAt === null && attempt.movesOn)
      stops.set(attempt.paymentId, leavesAccount(attempt.polls));
    else if (attempt.doubtedAt !== null)
      stops.set(attempt.paymentId, { kind: 'unknown', notBefore: attempt.lookAgainAt });
    else if (attempt.sentAt === null && attempt.isSuspended)
      stops.set(
        attempt.paymentId,
        mayBeConfirmed(attempt, clock.now())
          ? waitForCustomer(clock.now())
          : cannotWait(attempt.polls),
      );
    else if (attempt.sentAt === null && limits !== null) {
      const message = await db.read((tx) => beyondLimits(tx, clock.now(), attempt, limits));
      if (message !== null)
        stops.set(attempt.paymentId, ended('limit_exceeded', message, attempt.polls));
    }
  }
  return stops;
}

/** Finds what waits for the end of a hold, by payment: docs/rules/holds.md#nothing-is-sent-while-held. */
export async function holdStops(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  batch: readonly ClaimedAttempt[],
): Promise<Map<string, Outcome>> {
  const held = await db.read((tx) => findHeldPayments(tx, batch.filter(mayProceed)));
  const notBefore = clock.now().add(RECHECK_WHILE_HELD);
  return new Map([...held].map((paymentId) => [paymentId, { kind: 'unknown', notBefore }]));
}

/**
 * Finds the retries, and the first attempts that are a day late, that wait until a person has decided about money that may be
 * theirs: an earlier attempt that failed may have been paid after all, or its order was forgotten by a lost database. Ends those
 * whose money was paid on by hand. See docs/rules/payments.md#retries.
 */
export async function findPaidAlready(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  batch: readonly ClaimedAttempt[],
): Promise<Map<string, Outcome>> {
  const waiting = batch.filter((one) => checksIssuerFirst(one, clock.now()) && mayProceed(one));
  if (waiting.length === 0) return new Map();
  const [found, settled] = await db.read((tx) =>
    Promise.all([findMoneyFor(tx, waiting), findSettledByHand(tx, waiting)]),
  );
  const notBefore = clock.now().add(RECHECK_AFTER);
  const stops = new Map<string, Outcome>(
    [...found].map((paymentId) => [paymentId, { kind: 'unknown', notBefore }]),
  );
  for (const { paymentId: id, polls } of waiting)
    if (settled.has(id)) stops.set(id, ended(PAID_BY_HAND.code, PAID_BY_HAND.message, polls));
  return stops;
}

/** Returns why the limits at the bank do not allow the attempt, in words for the merchant; null: they allow it. */
async function beyondLimits(
  tx: Tx,
  now: Temporal.Instant,
  attempt: ClaimedAttempt,
  limits: StoredControlParameters,
): Promise<string | null> {
  const key = { merchantId: attempt.merchantId, consentId: attempt.consentId };
  const used = (await findUsed(tx, [key])).filter(
    (one) => one.isReturned || (one.paymentId !== attempt.paymentId && !one.isWaiting),
  );
  const room = roomUnder(limits, used);
  const why = room && refusalBeside(room, { at: now, amountPence: attempt.amountPence });
  if (why === null) return null;
  return `The customer changed the limits at the bank, and this payment is beyond them: ${why}.`;
}
