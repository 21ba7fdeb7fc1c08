import { inGroups } from '../platform/cluster/shards.ts';
import { columns } from '../platform/db/columns.ts';
import type { SqlValue, Tx } from '../platform/db/db.ts';
import { oneOf } from '../platform/values/one-of.ts';
import type { Counts } from './check.ts';
import type { StoredControlParameters } from './consent.ts';
import { CONSENT_COLUMNS, type ConsentRow } from './store.ts';

const keysOf = (consents: readonly ConsentRow[]): SqlValue[] =>
  columns(consents, 'merchantId', 'consentId');

/** Records that these consents are still valid at the bank. A wait that another check has begun meanwhile goes on. */
export async function recordStillValid(
  tx: Tx,
  now: Temporal.Instant,
  consents: readonly ConsentRow[],
): Promise<void> {
  await tx.run(
    `UPDATE consents c SET looked_at = $3, look_tries = 0,
       look_again_at = CASE WHEN c.look_again_at > $3 THEN NULL ELSE c.look_again_at END
     FROM (SELECT c.merchant_id, c.consent_id FROM unnest($1::text[], $2::text[]) AS l (merchant_id, consent_id)
           JOIN consents c USING (merchant_id, consent_id) WHERE c.doubted_at IS NULL AND c.suspended_at IS NULL
           ORDER BY c.merchant_id, c.consent_id FOR NO KEY UPDATE OF c) k
     WHERE c.merchant_id = k.merchant_id AND c.consent_id = k.consent_id`,
    [...keysOf(consents), now],
  );
}

/** Records that a locked consent no longer waits for its customer: its bank calls it valid again. */
export async function noteConfirmed(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, consentId }: ConsentRow,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET looked_at = $3, look_tries = 0, look_again_at = NULL, suspended_at = NULL
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, now],
  );
}

/**
 * Records that the bank wants the customer to authenticate again, and the next check; null: none can end the wait. The time of
 * the first report is kept.
 */
export async function noteSuspended(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, consentId }: ConsentRow,
  lookAgainAt: Temporal.Instant | null,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET looked_at = $3, look_tries = 0, look_again_at = $4, suspended_at = coalesce(suspended_at, $3),
       confirm_asked_at = CASE WHEN $4::timestamptz IS NULL THEN confirm_asked_at END
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, now, lookAgainAt],
  );
}

/** Sets or, with null, clears the doubt on a locked consent, and sets the time of the next check. */
export async function setDoubt(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, consentId }: ConsentRow,
  doubtedAt: Temporal.Instant | null,
  lookAgainAt: Temporal.Instant | null,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET looked_at = $3, look_tries = 0, doubted_at = $4, look_again_at = $5
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, now, doubtedAt, lookAgainAt],
  );
}

/** Stores a check that began, confirmed or ended a doubt. */
export async function storeCheck(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, consentId, bankId }: ConsentRow,
  said: 'over' | 'stands',
  evidence: string,
): Promise<void> {
  await tx.run(
    `INSERT INTO consent_looks (merchant_id, consent_id, at, bank_id, said, evidence) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING`,
    [merchantId, consentId, now, bankId, said, evidence],
  );
}

/** Schedules the next check of granted consents after an inconclusive one. */
export async function scheduleNextCheck(
  tx: Tx,
  consents: readonly ConsentRow[],
  when: (consent: ConsentRow) => Temporal.Instant,
): Promise<void> {
  // Rows are locked in primary-key order, so that two batches cannot deadlock.
  await tx.run(
    `UPDATE consents c SET look_again_at = k.at, look_tries = c.look_tries + 1
     FROM (SELECT c.merchant_id, c.consent_id, l.at
           FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS l (merchant_id, consent_id, at)
           JOIN consents c ON c.merchant_id = l.merchant_id AND c.consent_id = l.consent_id AND c.status = 'granted'
           ORDER BY c.merchant_id, c.consent_id FOR NO KEY UPDATE OF c) k
     WHERE c.merchant_id = k.merchant_id AND c.consent_id = k.consent_id`,
    [...keysOf(consents), consents.map(when)],
  );
}

/**
 * Schedules a check now of consents that, by a hint, may be over. `wantsCustomer`: the bank refused an order until the customer
 * authenticates again (docs/rules/consents.md#renewed-authentication).
 */
export async function checkNow(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  bankConsentIds: readonly string[],
  wantsCustomer = false,
): Promise<void> {
  const these = "bank_consent_id = ANY($1) AND bank_id = $2 AND status = 'granted'";
  const values = [bankConsentIds, bankId];
  const merchantsOf = async (): Promise<string[]> => {
    const found = `SELECT DISTINCT merchant_id FROM consents WHERE ${these}`;
    return (await tx.rows<{ merchantId: string }>(found, values)).map((row) => row.merchantId);
  };
  await inGroups(tx, merchantsOf, async () => {
    await tx.run(
      `UPDATE consents c SET look_again_at = $3, look_tries = 0,
         confirm_asked_at = coalesce(c.confirm_asked_at, CASE WHEN $4 THEN $3::timestamptz END)
       FROM (SELECT merchant_id, consent_id FROM consents WHERE ${these}
             ORDER BY merchant_id, consent_id FOR NO KEY UPDATE) k
       WHERE c.merchant_id = k.merchant_id AND c.consent_id = k.consent_id`,
      [...values, now, wantsCustomer],
    );
    return [];
  });
}

/** Claims consents that are due for a check; `look_again_at` is their lease. */
export function claimChecks(
  tx: Tx,
  now: Temporal.Instant,
  lease: Temporal.Instant,
  limit: number,
): Promise<ConsentRow[]> {
  const due = `SELECT ctid FROM consents WHERE look_again_at <= $1 ORDER BY look_again_at LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED`;
  return tx.rows<ConsentRow>(
    `UPDATE consents SET look_again_at = CASE status WHEN 'granted' THEN $3::timestamptz END
     WHERE ${oneOf(due)} RETURNING ${CONSENT_COLUMNS}`,
    [now, limit, lease],
  );
}

/** Replaces the limits of a locked consent by the bank's; the earlier ones are kept on record. */
export async function storeLimits(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, consentId, controlParameters }: ConsentRow,
  after: StoredControlParameters,
): Promise<void> {
  const change = [merchantId, consentId, now, JSON.stringify(after)];
  await tx.run(
    `UPDATE consents SET control_parameters = $4::jsonb, limits_changed_at = $3
     WHERE merchant_id = $1 AND consent_id = $2`,
    change,
  );
  await tx.run(
    `INSERT INTO consent_limit_changes (merchant_id, consent_id, at, after, before)
     VALUES ($1, $2, $3, $4::jsonb, $5::jsonb) ON CONFLICT DO NOTHING`,
    [...change, JSON.stringify(controlParameters)],
  );
}

/** Counts the consents of a bank that were looked at in the last hour, or since it was last trusted, and those that vanished. */
export async function countChecks(tx: Tx, now: Temporal.Instant, bankId: string): Promise<Counts> {
  const row = await tx.row<{ vanished: number; looked: number }>(
    `SELECT count(*) FILTER (WHERE c.doubted_at > s.since) AS vanished, count(c.consent_id) AS looked
     FROM (SELECT greatest($2::timestamptz - interval '1 hour', max(ended_at)) AS since
           FROM bank_distrusts WHERE bank_id = $1) s
     LEFT JOIN consents c ON c.bank_id = $1 AND c.looked_at > s.since`,
    [bankId, now],
  );
  return { vanished: row?.vanished ?? 0, lookedAt: row?.looked ?? 0 };
}

/** Counts the doubted consents of a bank. */
export async function countDoubts(tx: Tx, bankId: string): Promise<number> {
  const row = await tx.row<{ doubts: number }>(
    `SELECT count(*) AS doubts FROM consents WHERE bank_id = $1 AND doubted_at IS NOT NULL AND status = 'granted'`,
    [bankId],
  );
  return row?.doubts ?? 0;
}

/** Whether this bank's responses about consents are acted on. */
export async function isTrusted(tx: Tx, bankId: string): Promise<boolean> {
  const row = await tx.row(
    'SELECT since FROM bank_distrusts WHERE bank_id = $1 AND ended_at IS NULL',
    [bankId],
  );
  return row === null;
}

/** Stops acting on a bank's responses about consents; returns false if that was so already. */
export async function beginDistrust(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  { vanished, lookedAt }: Counts,
): Promise<boolean> {
  const row = await tx.row(
    `INSERT INTO bank_distrusts (bank_id, since, vanished, looked_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING bank_id`,
    [bankId, now, vanished, lookedAt],
  );
  return row !== null;
}

/**
 * Resumes acting on a bank's responses, and schedules a check of its doubted consents now; returns false if it was trusted
 * already.
 */
export async function endDistrust(
  tx: Tx,
  now: Temporal.Instant,
  bankId: string,
  by: string,
): Promise<boolean> {
  const row = await tx.row(
    `UPDATE bank_distrusts SET ended_at = $2, ended_by = $3 WHERE bank_id = $1 AND ended_at IS NULL RETURNING bank_id`,
    [bankId, now, by],
  );
  if (row === null) return false;
  await tx.run(
    `UPDATE consents SET look_again_at = $2, look_tries = 0
     WHERE bank_id = $1 AND doubted_at IS NOT NULL AND status = 'granted'`,
    [bankId, now],
  );
  return true;
}
