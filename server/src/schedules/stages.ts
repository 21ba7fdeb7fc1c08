import { type Bank, BankUnavailable } from '../banks/bank.ts';
import { endedAsAgreed, type RevocationReason } from '../consents/consent.ts';
import { type ConsentHooks, revokeConsent } from '../consents/service.ts';
import { type ConsentRow, findConsent, refOf } from '../consents/store.ts';
import type { Tx } from '../platform/db.ts';
import { dueBy, earliest, type Stage } from '../platform/engine.ts';
import { mapInParallel } from '../platform/lanes.ts';
import { oneOf } from '../platform/one-of.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';

const WIDTH = 32;
/** How long a check may take before it is made again. */
const LEASE = Temporal.Duration.from({ minutes: 15 });

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

interface CheckDeps {
  platform: Platform;
  hooks: ConsentHooks;
  banks: ReadonlyMap<string, Bank>;
  now: Temporal.Instant;
  /** Banks that want to be left alone for a while. */
  resting: Set<string>;
}

/** Reads a granted consent back from its bank, and revokes it here where the bank says that it is over. False: not known. */
async function checkConsent(deps: CheckDeps, consent: ConsentRow): Promise<boolean> {
  const { platform, hooks, now, resting } = deps;
  const bank = deps.banks.get(consent.bank_id ?? '');
  if (bank === undefined || consent.status !== 'granted') return true;
  if (resting.has(bank.bankId)) return false;
  try {
    const { status } = await bank.readConsent(consent.bank_consent_id ?? '');
    const reason = revocationOf(status);
    const isOver = status === 'EXPD' && endedAsAgreed(consent.control_parameters, now);
    if (reason !== null && !isOver)
      await platform.db.transaction((tx) =>
        revokeConsent({ platform, hooks }, tx, refOf(consent), reason),
      );
    return true;
  } catch (error) {
    if (error instanceof BankUnavailable && error.retryAfterSeconds !== null)
      resting.add(bank.bankId);
    platform.log.warn(
      { consent_id: consent.consent_id, err: error },
      'the bank did not tell of a consent',
    );
    return false;
  }
}

interface Check {
  merchant_id: string;
  schedule_id: string;
  consent: ConsentRow | null;
}

/** Claims checks that are due: `check_at` is their lease, unless a collection comes before it is over. */
async function claimChecks(
  tx: Tx,
  now: Temporal.Instant,
  lease: Temporal.Instant,
  limit: number,
): Promise<Check[]> {
  const rows = await tx.rows<{ merchant_id: string; schedule_id: string; consent_id: string }>(
    `UPDATE schedules t SET check_at = CASE WHEN t.due_at <= $3 THEN NULL ELSE $3::timestamptz END
     WHERE ${oneOf('SELECT ctid FROM schedules WHERE check_at <= $1 ORDER BY check_at LIMIT $2 FOR UPDATE SKIP LOCKED')}
     RETURNING t.merchant_id, t.schedule_id, t.consent_id`,
    [now, limit, lease],
  );
  const checks: Check[] = [];
  for (const { merchant_id, schedule_id, consent_id } of rows)
    checks.push({
      merchant_id,
      schedule_id,
      consent: await findConsent(tx, merchant_id, consent_id),
    });
  return checks;
}

/** Ends checks that were answered; one that was asked for anew meanwhile stays. */
async function endChecks(tx: Tx, lease: Temporal.Instant, checks: readonly Check[]): Promise<void> {
  await tx.run(
    `UPDATE schedules s SET check_at = NULL FROM unnest($1::text[], $2::text[]) AS d (merchant_id, schedule_id)
     WHERE s.merchant_id = d.merchant_id AND s.schedule_id = d.schedule_id AND ${unguessed('s.check_at = $3')}`,
    [checks.map((c) => c.merchant_id), checks.map((c) => c.schedule_id), lease],
  );
}

/**
 * Asks the bank a day before each collection whether the consent still stands (DECISIONS, "Consent"). A bank that
 * does not answer is asked again until the collection is due: then the payment finds out.
 */
export function checkStage(
  platform: Platform,
  hooks: ConsentHooks,
  banks: ReadonlyMap<string, Bank>,
): Stage {
  return {
    name: 'schedules.check',
    batch: 500,
    ...dueBy(earliest('check_at', 'schedules', 'check_at IS NOT NULL')),
    async run(now, limit) {
      const lease = now.add(LEASE);
      const checks = await platform.db.transaction((tx) => claimChecks(tx, now, lease, limit));
      const deps = { platform, hooks, banks, now, resting: new Set<string>() };
      const answers = await mapInParallel(
        checks,
        WIDTH,
        async ({ consent }) => consent === null || (await checkConsent(deps, consent)),
      );
      const answered = checks.filter((_, n) => answers[n]);
      if (answered.length > 0)
        await platform.db.transaction((tx) => endChecks(tx, lease, answered));
      return checks.length;
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
    `UPDATE schedules s SET check_at = $1
     FROM (SELECT s.merchant_id, s.schedule_id FROM consents c
           JOIN schedules s ON s.merchant_id = c.merchant_id AND s.consent_id = c.consent_id
           WHERE c.bank_consent_id = ANY($3) AND c.bank_id = $2 AND c.status = 'granted' AND s.status <> 'cancelled'
           ORDER BY s.merchant_id, s.schedule_id) told
     WHERE s.merchant_id = told.merchant_id AND s.schedule_id = told.schedule_id AND s.status <> 'cancelled'`,
    [now, bankId, bankConsentIds],
  );
}
