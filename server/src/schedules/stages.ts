import type { Bank } from '../banks/bank.ts';
import type { RevocationReason } from '../consents/consent.ts';
import { type ConsentHooks, revokeConsent } from '../consents/service.ts';
import { type ConsentRow, findConsent, refOf } from '../consents/store.ts';
import type { Tx } from '../platform/db.ts';
import type { Stage } from '../platform/engine.ts';
import { mapInParallel } from '../platform/lanes.ts';
import type { Platform } from '../platform/platform.ts';

const WIDTH = 32;

/** What a bank's word on a consent means for us; null: it still stands. */
function revocationOf(status: string): RevocationReason | null {
  switch (status) {
    case 'CANC':
    case 'GONE':
    case 'RJCT':
      return 'withdrawn_at_bank';
    case 'EXPD':
      return 'expired_at_bank';
    default:
      return null;
  }
}

/** Reads a granted consent back from its bank, and revokes it here where the bank says that it is over. */
async function checkConsent(
  platform: Platform,
  hooks: ConsentHooks,
  banks: ReadonlyMap<string, Bank>,
  consent: ConsentRow,
  now: Temporal.Instant,
): Promise<void> {
  const bank = banks.get(consent.bank_id ?? '');
  if (bank === undefined || consent.status !== 'granted') return;
  try {
    const { status } = await bank.readConsent(consent.bank_consent_id ?? '');
    const reason = revocationOf(status);
    if (reason !== null)
      await platform.db.transaction((tx) => revokeConsent(hooks, tx, now, refOf(consent), reason));
  } catch (error) {
    platform.log.warn(
      { consent_id: consent.consent_id, err: error },
      'the bank did not tell of a consent',
    );
  }
}

/**
 * Asks the bank a day before each collection whether the consent still stands (DECISIONS, "Consent"). Asked once: a
 * bank that does not answer is found out by the payment.
 */
export function checkStage(
  platform: Platform,
  hooks: ConsentHooks,
  banks: ReadonlyMap<string, Bank>,
): Stage {
  return {
    name: 'schedules.check',
    batch: 500,
    nextDue: async (tx) => {
      const row = await tx.row<{ due: Temporal.Instant | null }>(
        'SELECT min(check_at) AS due FROM schedules WHERE check_at IS NOT NULL',
      );
      return row?.due ?? null;
    },
    async run(now, limit) {
      const consents = await platform.db.transaction(async (tx) => {
        const rows = await tx.rows<{ merchant_id: string; consent_id: string }>(
          `UPDATE schedules t SET check_at = NULL
           FROM (SELECT merchant_id, schedule_id FROM schedules WHERE check_at <= $1
                 ORDER BY check_at LIMIT $2 FOR UPDATE SKIP LOCKED) c
           WHERE t.merchant_id = c.merchant_id AND t.schedule_id = c.schedule_id
           RETURNING t.merchant_id, t.consent_id`,
          [now, limit],
        );
        const found: ConsentRow[] = [];
        for (const row of rows) {
          const consent = await findConsent(tx, row.merchant_id, row.consent_id);
          if (consent !== null) found.push(consent);
        }
        return { found, claimed: rows.length };
      });
      await mapInParallel(consents.found, WIDTH, (consent) =>
        checkConsent(platform, hooks, banks, consent, now),
      );
      return consents.claimed;
    },
  };
}

/** A bank has news of these consents: it is asked now whether they still stand. */
export async function checkNow(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankConsentIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE schedules s SET check_at = $1 FROM consents c
     WHERE c.bank_consent_id = ANY($3) AND c.bank_id = $2 AND c.status = 'granted'
       AND s.merchant_id = c.merchant_id AND s.consent_id = c.consent_id AND s.status <> 'cancelled'`,
    [now, bankId, bankConsentIds],
  );
}
