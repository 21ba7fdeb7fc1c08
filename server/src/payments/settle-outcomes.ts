import { endedAsAgreed } from '../consents/consent.ts';
import { type ConsentHooks, revokeConsent } from '../consents/service.ts';
import { findConsent, refOf } from '../consents/store.ts';
import { allOrApart } from '../platform/apart.ts';
import type { Platform } from '../platform/platform.ts';
import { markRefused, recordOutcomes } from './outcomes.ts';
import type { Learned } from './payment.ts';

export interface OutcomeDeps {
  platform: Platform;
  consentHooks: ConsentHooks;
}

/**
 * Takes in what was learned of a batch. Consents that are gone are revoked first, each in a transaction of its own that
 * locks schedule, consent and payments in their order; if we die in between, the bank says the same again. An outcome that
 * cannot be recorded holds up no other: it is logged, and learned again when the lease is over.
 */
export async function settleOutcomes(
  { platform, consentHooks }: OutcomeDeps,
  learned: readonly Learned[],
): Promise<void> {
  const isGone = ({ outcome }: Learned): boolean =>
    outcome.kind === 'failed' && outcome.consentGone;
  const failed = ({ ref }: Learned, err: unknown): void =>
    platform.log.error(
      { payment_id: ref.paymentId, err },
      'an outcome could not be recorded, it is asked for again',
    );
  const unrevoked = new Set<Learned>();
  for (const one of learned.filter(isGone))
    await allOrApart(
      [one],
      async () => [await revokeConsentOf(platform, consentHooks, one)],
      (_, error) => {
        unrevoked.add(one);
        failed(one, error);
      },
    );
  await allOrApart(
    learned.filter((one) => !unrevoked.has(one)),
    async (some) => {
      await platform.db.transaction((tx) =>
        recordOutcomes(platform, tx, platform.clock.now(), some),
      );
      return [];
    },
    failed,
  );
}

async function revokeConsentOf(
  platform: Platform,
  hooks: ConsentHooks,
  learned: Learned,
): Promise<void> {
  const { ref } = learned;
  await platform.db.transaction(async (tx) => {
    const payment = await tx.row<{ consent_id: string }>(
      'SELECT consent_id FROM payments WHERE merchant_id = $1 AND payment_id = $2',
      [ref.merchantId, ref.paymentId],
    );
    const consent = await findConsent(tx, ref.merchantId, payment?.consent_id ?? '');
    const now = platform.clock.now();
    if (consent === null || endedAsAgreed(consent.control_parameters, now)) return;
    await hooks.lockSchedulesUnder(tx, refOf(consent));
    await markRefused(tx, now, learned);
    await revokeConsent({ platform, hooks }, tx, refOf(consent), 'withdrawn_at_bank');
  });
}
