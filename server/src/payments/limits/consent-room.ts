import type { Tx } from '../../platform/db/db.ts';
import { findTermsUnder } from '../../schedules/books/under-store.ts';
import { type ControlParameters, isAfter } from '../../schedules/terms/headroom.ts';
import type { ToCome } from '../../schedules/terms/room.ts';
import { findLimits, findUsed, type Used } from './store.ts';

/** The limits of a consent, and what uses them. */
export interface ConsentRoom {
  params: ControlParameters;
  used: Used[];
  toCome: ToCome[];
}

/** Finds the room under each of these consents, by consent; a consent that never had limits is absent. */
export async function findConsentRooms(
  tx: Tx,
  now: Temporal.Instant,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<Map<string, ConsentRoom>> {
  const limits = await findLimits(tx, consents);
  // In this order: an occurrence that is opened between the two statements counts twice rather than not at all.
  const under = Map.groupBy(
    await findTermsUnder(tx, consents, now),
    (schedule) => schedule.consentId,
  );
  const used = Map.groupBy(await findUsed(tx, consents), (payment) => payment.consentId);
  return new Map(
    [...limits].map(([consentId, params]) => [
      consentId,
      {
        params,
        used: (used.get(consentId) ?? []).map((one) => notBefore(one, now)),
        // A paused schedule may be resumed at any time.
        toCome: (under.get(consentId) ?? []).map(({ terms, nextDueAt }) => ({
          terms,
          from: nextDueAt ?? now,
        })),
      },
    ]),
  );
}

/** A payment that was not sent yet uses the limits when it is sent: now at the earliest, however long it has waited. */
function notBefore(one: Used, now: Temporal.Instant): Used {
  return one.isWaiting && isAfter(now, one.at) ? { ...one, at: now } : one;
}
