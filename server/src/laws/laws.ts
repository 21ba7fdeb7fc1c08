import type { StoredControlParameters } from '../consents/consent.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { type Collection, fits } from '../schedules/headroom.ts';
import { BANK_TIME_ZONE, dateIn } from '../schedules/limit-window.ts';
import { toControlParameters } from '../schedules/stored-parameters.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { NO_EVENT_LOST } from './events-law.ts';
import type { Finding } from './finding.ts';
import { GRANTS } from './grants-law.ts';
import { AS_THE_ISSUER, compareWithIssuer } from './issuer-comparison.ts';
import { bySql, type Law, MOST } from './law.ts';
import { NOTHING_AFTER_A_NO } from './orders-law.ts';
import { PLACES } from './places.ts';
import { QUEUES } from './queues.ts';

/** Laws checked on our own books, each by one statement. */
const BOOKS: readonly Law[] = [
  bySql(
    'debits-equal-credits',
    "All of a merchant's balances add up to nothing.",
    `SELECT merchant_id || ' is off by ' || sum(balance_pence) AS what FROM accounts
     GROUP BY merchant_id HAVING sum(balance_pence) <> 0`,
  ),
  bySql(
    'balances-equal-transfers',
    'Every balance is the sum of its transfers.',
    `SELECT a.merchant_id || ' ' || a.account_id || ' has ' || a.balance_pence
       || ', its transfers say ' || coalesce(t.pence, 0) AS what
     FROM accounts a LEFT JOIN (
       SELECT merchant_id, account_id, sum(pence) AS pence FROM (
         SELECT merchant_id, credit_account_id AS account_id, amount_pence AS pence FROM transfers
         UNION ALL SELECT merchant_id, debit_account_id, -amount_pence FROM transfers) sides GROUP BY 1, 2) t
       USING (merchant_id, account_id)
     WHERE a.balance_pence <> coalesce(t.pence, 0)`,
  ),
  bySql(
    'no-wallet-below-zero',
    'No wallet is below zero.',
    `SELECT merchant_id || ' ' || account_id AS what FROM accounts WHERE balance_pence < 0 AND kind NOT IN ('outside', 'owed')`,
  ),
  bySql(
    'one-success-per-payment',
    'A payment succeeds at most once, and its money moved exactly as often.',
    `SELECT p.merchant_id || ' ' || p.payment_id || ' is ' || p.status || ' with ' || w.won
       || ' attempts that worked, ' || m.moved || ' moves' AS what
     FROM payments p
     CROSS JOIN LATERAL (SELECT count(*) AS won FROM attempts a WHERE a.merchant_id = p.merchant_id
       AND a.payment_id = p.payment_id AND a.status = 'success') w
     CROSS JOIN LATERAL (SELECT count(*) AS moved FROM transfers t WHERE t.merchant_id = p.merchant_id
       AND t.source_id = p.payment_id AND t.kind = 'move') m
     WHERE w.won > 1 OR (p.status = 'success') <> (m.moved = 1) OR (p.status = 'success' AND w.won <> 1)`,
  ),
  bySql('nothing-without-consent', NOTHING_AFTER_A_NO.sentence, NOTHING_AFTER_A_NO.sql),
  bySql(
    'two-looks-before-an-end',
    'No consent ended by its bank’s word without two looks, at least an hour apart and with none between that disagreed.',
    `SELECT e.merchant_id || ' ' || e.object_id || ' ended at ' || e.at AS what
     FROM state_changes e
     WHERE e.object_id LIKE 'con\\_%' AND e.to_state = 'revoked' AND e.reason IN ('withdrawn_at_bank', 'expired_at_bank')
       AND NOT EXISTS (SELECT 1 FROM consent_looks a
         JOIN consent_looks b ON b.merchant_id = a.merchant_id AND b.consent_id = a.consent_id AND b.said = 'over'
           AND b.at >= a.at + interval '1 hour'
         WHERE a.merchant_id = e.merchant_id AND a.consent_id = e.object_id AND a.said = 'over' AND b.at <= e.at
           AND NOT EXISTS (SELECT 1 FROM consent_looks d WHERE d.merchant_id = a.merchant_id
             AND d.consent_id = a.consent_id AND d.said = 'stands' AND d.at BETWEEN a.at AND b.at))`,
  ),
  bySql(
    'settlements-equal-payments',
    'A settlement is the sum of its payments less what the merchant owed, and so is its transfer.',
    `SELECT s.merchant_id || ' ' || s.settlement_id || ' is ' || s.amount_pence || ', its payments '
       || p.pence || ', owed ' || d.pence || ', set apart ' || t.pence AS what
     FROM settlements s
     CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence FROM settlement_payments x
       JOIN payments y USING (merchant_id, payment_id)
       WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) p
     CROSS JOIN LATERAL (SELECT coalesce(sum(amount_pence), 0) AS pence FROM transfers z WHERE z.merchant_id = s.merchant_id
       AND z.source_id = s.settlement_id || '-' || s.attempts AND z.kind = 'settle') t
     CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount_pence), 0) AS pence FROM settlement_debts x
       JOIN debts y USING (merchant_id, debt_id)
       WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) d
     WHERE s.gross_pence <> p.pence OR s.carried_pence <> d.pence OR s.amount_pence <> t.pence
       OR s.amount_pence <> p.pence - s.refunds_pence - s.fees_pence - d.pence`,
  ),
  bySql(
    'one-event-per-outcome',
    'Every outcome that the merchant is told of has exactly one event.',
    // Each table is read once, from end to end: a lookup per row would read all of a merchant's rows each time.
    `WITH told AS (
       SELECT merchant_id, schedule_id, subject_id, kind, count(*) AS times FROM events GROUP BY 1, 2, 3, 4
     ), changed AS (
       SELECT merchant_id, schedule_id, object_id, count(*) FILTER (WHERE to_state = 'success') AS success,
         count(*) FILTER (WHERE to_state = 'failed') AS failed,
         count(*) FILTER (WHERE from_state = 'processing' AND to_state = 'pending') AS tried_again,
         count(*) FILTER (WHERE object_id LIKE 'con\\_%' AND to_state IN ('granted', 'denied', 'expired', 'rejected')) AS set_up
       FROM state_changes GROUP BY 1, 2, 3
     )
     SELECT p.merchant_id || ' ' || p.payment_id || ' success' AS what FROM payments p
     LEFT JOIN told t ON t.merchant_id = p.merchant_id AND t.schedule_id = p.schedule_id AND t.subject_id = p.payment_id
       AND t.kind = 'collection.success'
     WHERE (p.status = 'success')::int <> coalesce(t.times, 0)
     UNION ALL
     SELECT p.merchant_id || ' ' || p.payment_id || ' failures' FROM payments p
     LEFT JOIN changed c ON c.merchant_id = p.merchant_id AND c.schedule_id = p.schedule_id AND c.object_id = p.payment_id
     LEFT JOIN told t ON t.merchant_id = p.merchant_id AND t.schedule_id = p.schedule_id AND t.subject_id = p.payment_id
       AND t.kind = 'collection.failed'
     WHERE coalesce(c.failed + c.tried_again, 0) <> coalesce(t.times, 0)
     UNION ALL
     SELECT a.merchant_id || ' ' || a.payment_id || ' failed attempts'
     FROM (SELECT merchant_id, payment_id, count(*) AS failed FROM attempts WHERE status = 'failed' GROUP BY 1, 2) a
     LEFT JOIN told t ON t.merchant_id = a.merchant_id AND t.subject_id = a.payment_id AND t.kind = 'collection.failed'
     WHERE a.failed > coalesce(t.times, 0)
     UNION ALL
     SELECT s.merchant_id || ' ' || s.settlement_id || ' ' || k.outcome FROM settlements s
     CROSS JOIN (VALUES ('success'), ('failed')) AS k (outcome)
     LEFT JOIN changed c ON c.merchant_id = s.merchant_id AND c.object_id = s.settlement_id
     LEFT JOIN told t ON t.merchant_id = s.merchant_id AND t.subject_id = s.settlement_id AND t.kind = 'settlement.' || k.outcome
     WHERE coalesce(CASE k.outcome WHEN 'success' THEN c.success ELSE c.failed END, 0) <> coalesce(t.times, 0)
     UNION ALL
     SELECT s.merchant_id || ' ' || s.schedule_id || ' set-up' FROM schedules s
     LEFT JOIN (SELECT merchant_id, schedule_id, sum(set_up) AS times FROM changed GROUP BY 1, 2) c
       USING (merchant_id, schedule_id)
     LEFT JOIN (SELECT merchant_id, schedule_id, sum(times) AS times FROM told
                WHERE kind IN ('schedule.setup_success', 'schedule.setup_failed') GROUP BY 1, 2) t
       USING (merchant_id, schedule_id)
     WHERE coalesce(c.times, 0) <> coalesce(t.times, 0)`,
  ),
];

interface UsedRow {
  merchant_id: string;
  customer_id: string;
  /** Null, with a single null moment, if nothing was collected from the customer. */
  consent_id: string | null;
  control_parameters: StoredControlParameters | null;
  /** The limits before each change that the customer made at the bank. */
  earlier_parameters: StoredControlParameters[] | null;
  moments: (string | null)[];
  ends: (string | null)[];
  amounts: (string | null)[];
}

const PAGE = 500;

/** Nothing is collected beyond the limits that the customer agreed to: checked with the arithmetic used before sending. */
const WITHIN_LIMITS: Law = {
  name: 'within-limits',
  sentence: 'No consent was used beyond its limits.',
  async broken(tx) {
    const lines: string[] = [];
    let after: [string, string] = ['', ''];
    for (
      let page: UsedRow[] = [];
      ;
      after = [page.at(-1)?.merchant_id ?? '', page.at(-1)?.customer_id ?? '']
    ) {
      page = await readUsed(tx, after);
      for (const row of page) {
        const reason = beyondLimits(row);
        if (reason !== null) lines.push(`${row.merchant_id} ${row.consent_id}: ${reason}`);
      }
      if (page.length < PAGE || lines.length >= MOST) return lines.slice(0, MOST);
    }
  },
};

/**
 * Returns why collections exceed a consent's limits; null: they do not. If the limits were changed at the bank, any of them
 * may have allowed it: an alarm must be certain.
 */
function beyondLimits(row: UsedRow): string | null {
  const collections = collectionsOf(row);
  let reason: string | null = null;
  for (const stored of [row.control_parameters, ...(row.earlier_parameters ?? [])]) {
    const params = toControlParameters(stored);
    const refusal = params === null ? null : fits(params, collections);
    if (refusal === null) return null;
    reason = refusal.reason;
  }
  return reason;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/**
 * Reads what was collected under each consent of the next customers, across all schedules; at least one row per customer. By
 * customer, because a consent serves several of its schedules: each payment is read once, and each page by keys.
 */
function readUsed(tx: Tx, [merchantId, customerId]: [string, string]): Promise<UsedRow[]> {
  return tx.rows<UsedRow>(
    `SELECT k.merchant_id, k.customer_id, c.consent_id, c.control_parameters,
            (SELECT jsonb_agg(l.before) FROM consent_limit_changes l WHERE l.merchant_id = c.merchant_id
               AND l.consent_id = c.consent_id) AS earlier_parameters,
            array_agg(to_char(a.started_at AT TIME ZONE 'UTC', ${ISO})) AS moments,
            array_agg(to_char(a.finished_at AT TIME ZONE 'UTC', ${ISO})) AS ends,
            array_agg(p.amount_pence::text) AS amounts
     FROM (SELECT merchant_id, customer_id FROM customers WHERE (merchant_id, customer_id) > ($1, $2)
           ORDER BY merchant_id, customer_id LIMIT ${PAGE}) k
     LEFT JOIN schedules s ON s.merchant_id = k.merchant_id AND s.customer_id = k.customer_id
     LEFT JOIN payments p ON p.merchant_id = s.merchant_id AND p.schedule_id = s.schedule_id AND p.status = 'success'
     LEFT JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id AND a.status = 'success'
     LEFT JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id
     GROUP BY k.merchant_id, k.customer_id, c.merchant_id, c.consent_id ORDER BY 1, 2`,
    [merchantId, customerId],
  );
}

/**
 * Returns the collections, each on the day on which the bank accepted it. If the first call was lost and the bank accepted a
 * repeat after midnight, we know only a range of days: such a collection is left out, because an alarm must be certain.
 */
function collectionsOf(row: UsedRow): Collection[] {
  return row.moments.flatMap((moment, i) => {
    const [amount, end] = [row.amounts[i], row.ends[i]];
    if (moment == null || amount == null) return [];
    const [at, until] = [Temporal.Instant.from(moment), Temporal.Instant.from(end ?? moment)];
    const isSure = dateIn(at, BANK_TIME_ZONE).equals(dateIn(until, BANK_TIME_ZONE));
    return isSure ? [{ at, amountPence: Number(amount) }] : [];
  });
}

const LAWS: readonly Law[] = [...BOOKS, NO_EVENT_LOST, GRANTS, ...PLACES, ...QUEUES, WITHIN_LIMITS];

const checkLaw = async ({ db }: Platform, law: Law): Promise<Finding> => ({
  law: law.name,
  sentence: law.sentence,
  broken: await db.read((tx) => law.broken(tx)),
});

/** Checks every law of money on our books. Throws if one cannot be checked, so that none passes unchecked. */
export async function checkLaws(platform: Platform): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const law of LAWS) findings.push(await checkLaw(platform, law));
  return findings;
}

/**
 * Checks each law separately, and the issuer's balances if there is an issuer. A law that cannot be checked, perhaps because
 * its statement takes too long, is unknown, with the error; the others are still reported.
 */
export async function checkEachLaw(platform: Platform, issuer: Issuer | null): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const law of LAWS)
    findings.push(
      await orUnknown({ law: law.name, sentence: law.sentence }, () => checkLaw(platform, law)),
    );
  if (issuer !== null)
    findings.push(await orUnknown(AS_THE_ISSUER, () => compareWithIssuer(platform, issuer)));
  return findings;
}

async function orUnknown(
  law: Pick<Finding, 'law' | 'sentence'>,
  check: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...law, broken: [], unknown: `it could not be checked: ${why}`, error };
  }
}
