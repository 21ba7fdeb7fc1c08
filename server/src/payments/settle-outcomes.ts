import { lookNow } from '../consents/look-store.ts';
import type { ConsentHooks } from '../consents/service.ts';
import { allOrApart } from '../platform/apart.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { recordOutcomes } from './outcomes.ts';
import type { Learned } from './payment.ts';

export interface OutcomeDeps {
  platform: Platform;
  consentHooks: ConsentHooks;
}

/**
 * Takes in what was learned of a batch. A consent that the bank calls over is looked at: a refused payment ends none. An
 * outcome that cannot be recorded holds up no other: it is logged, and learned again when the lease is over.
 */
export async function settleOutcomes(
  { platform }: OutcomeDeps,
  learned: readonly Learned[],
): Promise<void> {
  await allOrApart(
    learned,
    async (some) => {
      const now = platform.clock.now();
      const refused = some.filter(saysGone);
      // First, and by itself: should this process crash, the bank says the same again.
      if (refused.length > 0)
        await platform.db.transaction((tx) => lookAtConsentsOf(tx, now, refused));
      await platform.db.transaction((tx) => recordOutcomes(platform, tx, now, some));
      return [];
    },
    ({ ref }, err) =>
      platform.log.error(
        { payment_id: ref.paymentId, err },
        'an outcome could not be recorded, it is asked for again',
      ),
  );
}

const saysGone = ({ outcome }: Learned): boolean =>
  outcome.kind === 'failed' && outcome.consentGone;

/** The bank refused payments for their consents: whether these are over, only the consents themselves tell. */
async function lookAtConsentsOf(
  tx: Tx,
  now: Temporal.Instant,
  refused: readonly Learned[],
): Promise<void> {
  const rows = await tx.rows<{ bank_id: string; bank_consent_id: string }>(
    `SELECT c.bank_id, c.bank_consent_id FROM unnest($1::text[], $2::text[]) AS l (merchant_id, payment_id)
     JOIN payments p USING (merchant_id, payment_id)
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id AND c.bank_id IS NOT NULL`,
    [refused.map(({ ref }) => ref.merchantId), refused.map(({ ref }) => ref.paymentId)],
  );
  for (const [bankId, of] of Map.groupBy(rows, (row) => row.bank_id))
    await lookNow(
      tx,
      now,
      bankId,
      of.map((row) => row.bank_consent_id),
    );
}
