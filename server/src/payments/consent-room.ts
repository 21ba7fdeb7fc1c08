import type { StoredControlParameters } from '../consents/consent.ts';
import type { Tx } from '../platform/db.ts';
import type { ControlParameters } from '../schedules/headroom.ts';
import type { ToCome } from '../schedules/room.ts';
import { toControlParameters } from '../schedules/stored-parameters.ts';
import { findTermsUnder } from '../schedules/under-store.ts';
import { findUsed, type Used } from './store.ts';

/** What the limits of a consent allow, and what uses them. */
export interface ConsentRoom {
  params: ControlParameters;
  used: Used[];
  toCome: ToCome[];
}

/** Finds the room under each of these consents, by consent; one that never had limits is absent. */
export async function findConsentRooms(
  tx: Tx,
  now: Temporal.Instant,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<Map<string, ConsentRoom>> {
  const limits = await findLimits(tx, consents);
  const used = Map.groupBy(await findUsed(tx, consents), (payment) => payment.consentId);
  const under = Map.groupBy(await findTermsUnder(tx, consents), (schedule) => schedule.consentId);
  return new Map(
    [...limits].map(([consentId, params]) => [
      consentId,
      {
        params,
        used: used.get(consentId) ?? [],
        // A schedule that is paused may be resumed at any moment.
        toCome: (under.get(consentId) ?? []).map(({ terms, nextDueAt }) => ({
          terms,
          from: nextDueAt ?? now,
        })),
      },
    ]),
  );
}

async function findLimits(
  tx: Tx,
  consents: readonly { merchantId: string; consentId: string }[],
): Promise<Map<string, ControlParameters>> {
  const rows = await tx.rows<{
    consent_id: string;
    control_parameters: StoredControlParameters | null;
  }>(
    `SELECT c.consent_id, c.control_parameters
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS f (merchant_id, consent_id)
     CROSS JOIN LATERAL (SELECT consent_id, control_parameters FROM consents
       WHERE merchant_id = f.merchant_id AND consent_id = f.consent_id OFFSET 0) c`,
    [consents.map((c) => c.merchantId), consents.map((c) => c.consentId)],
  );
  return new Map(
    rows.flatMap((row) => {
      const params = toControlParameters(row.control_parameters);
      return params === null ? [] : [[row.consent_id, params]];
    }),
  );
}
