import type { StoredControlParameters } from '../consents/consent.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { describeAmount } from '../schedules/describe.ts';
import { headroomNow, refusedAlone } from '../schedules/headroom.ts';
import { toControlParameters } from '../schedules/stored-parameters.ts';
import { ended } from './answers.ts';
import type { ClaimedAttempt } from './attempt-store.ts';
import { whyStopped } from './order-decision.ts';
import type { Outcome } from './payment.ts';
import { findUsed } from './store.ts';

interface Watched {
  merchant_id: string;
  consent_id: string;
  doubted_at: Temporal.Instant | null;
  look_again_at: Temporal.Instant | null;
  limits_changed_at: Temporal.Instant | null;
  control_parameters: StoredControlParameters | null;
}

/**
 * Finds what stops attempts, by payment: under a consent that a first look calls over nothing is sent, first or repeated,
 * until a second one has said what became of it; and nothing is sent first above limits that the customer changed at the bank.
 */
export async function consentStops(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  batch: readonly ClaimedAttempt[],
): Promise<Map<string, Outcome>> {
  const collecting = batch.filter(
    (attempt) => whyStopped(attempt) === null && !attempt.paid_before,
  );
  if (collecting.length === 0) return new Map();
  return db.read(async (tx) => {
    const watched = await findWatched(tx, collecting);
    const stops = new Map<string, Outcome>();
    for (const attempt of collecting) {
      const consent = watched.get(attempt.consent_id);
      if (consent === undefined) continue;
      if (consent.doubted_at !== null)
        stops.set(attempt.payment_id, { kind: 'unknown', notBefore: consent.look_again_at });
      else if (attempt.sent_at === null) {
        const message = await beyondLimits(tx, clock.now(), attempt, consent);
        if (message !== null)
          stops.set(attempt.payment_id, ended('limit_exceeded', message, attempt.polls));
      }
    }
    return stops;
  });
}

/** The consents of these attempts that are in doubt, or whose limits are no longer those that were asked for: few. */
async function findWatched(
  tx: Tx,
  attempts: readonly ClaimedAttempt[],
): Promise<Map<string, Watched>> {
  const rows = await tx.rows<Watched>(
    `SELECT c.merchant_id, c.consent_id, c.doubted_at, c.look_again_at, c.limits_changed_at, c.control_parameters
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS k (merchant_id, consent_id)
     CROSS JOIN LATERAL (SELECT * FROM consents WHERE merchant_id = k.merchant_id AND consent_id = k.consent_id OFFSET 0) c
     WHERE c.doubted_at IS NOT NULL OR c.limits_changed_at IS NOT NULL`,
    [attempts.map((a) => a.merchant_id), attempts.map((a) => a.consent_id)],
  );
  return new Map(rows.map((row) => [row.consent_id, row]));
}

/** Why the limits at the bank do not allow the attempt, as the merchant is told; null: they do. */
async function beyondLimits(
  tx: Tx,
  now: Temporal.Instant,
  attempt: ClaimedAttempt,
  consent: Watched,
): Promise<string | null> {
  const params = toControlParameters(consent.control_parameters);
  if (params === null) return null;
  const key = { merchantId: attempt.merchant_id, consentId: attempt.consent_id };
  const used = (await findUsed(tx, [key])).filter(
    (one) => one.paymentId !== attempt.payment_id && !one.isWaiting,
  );
  const amountPence = attempt.amount_pence;
  const tooFull = headroomNow(params, used, now).find(({ left }) => amountPence > left);
  const why =
    refusedAlone(params, { at: now, amountPence }) ??
    (tooFull && `only ${describeAmount(tooFull.left)} are left until ${tooFull.periodEnd}`);
  if (why === undefined) return null;
  return `The customer changed the limits at the bank, and this payment is beyond them: ${why}.`;
}
