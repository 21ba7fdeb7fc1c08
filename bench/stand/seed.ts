import type { Grant } from '../../server/src/banks/bank.ts';
import type { StoredControlParameters } from '../../server/src/consents/consent.ts';
import { sealGrant } from '../../server/src/consents/grant.ts';
import { sealContext } from '../../server/src/consents/service.ts';
import { createMerchant } from '../../server/src/merchants/service.ts';
import type { Db, Tx } from '../../server/src/platform/db/db.ts';
import { mapInParallel } from '../../server/src/platform/network/concurrency-limits.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import { planMerchantWallet } from '../../server/src/wallets/service.ts';
import { FERNHILL } from '../../server/test-support/merchant.ts';

/** The bank of every seeded consent. */
export const BANK_ID = 'bench';
export const AMOUNT_PENCE = 4999;

const CONCURRENCY = 5_000;
const WIDTH = 2;
const GRANT: Grant = {
  accessToken: 'a'.repeat(43),
  refreshToken: null,
  expiresAt: Temporal.Instant.from('2100-01-01T00:00:00Z'),
  boundTo: null,
};

/** Creates a merchant whose wallet is open, as the issuer would have opened it. */
export async function seedMerchant(platform: Platform): Promise<string> {
  const { merchantId } = await createMerchant(platform, FERNHILL, (tx, id) =>
    planMerchantWallet(platform, { tx, now: platform.clock.now(), merchantId: id }),
  );
  await platform.db.transaction((tx) =>
    tx.run(
      `UPDATE wallets SET status = 'open', issuer_wallet_id = 'iw-' || wallet_id, opened_at = created_at, due_at = NULL
       WHERE merchant_id = $1`,
      [merchantId],
    ),
  );
  return merchantId;
}

/**
 * Creates active monthly schedules of a merchant, each with a customer, a wallet and a consent of its own, whose first occurrence
 * is due at `dueAt`.
 */
export async function seedSchedules(
  platform: Platform,
  merchantId: string,
  count: number,
  dueAt: Temporal.Instant,
): Promise<void> {
  const sizes = Array.from({ length: Math.ceil(count / CONCURRENCY) }, (_, batch) =>
    Math.min(count - batch * CONCURRENCY, CONCURRENCY),
  );
  await mapInParallel(sizes, WIDTH, (size) =>
    platform.db.transaction((tx) => insertSchedules(platform, tx, merchantId, size, dueAt)),
  );
}

/** Makes every schedule due within the second before `at`, in an order that says nothing about where its rows are stored. */
export async function makeDue(tx: Tx, at: Temporal.Instant): Promise<void> {
  await tx.run(
    "UPDATE schedule_agenda SET due_at = $1::timestamptz - random() * interval '1 second'",
    [at],
  );
}

async function insertSchedules(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  count: number,
  dueAt: Temporal.Instant,
): Promise<void> {
  const at = platform.clock.now().subtract({ hours: 24 });
  const idsOf = (prefix: 'cus' | 'sch' | 'wal' | 'con'): string[] =>
    Array.from({ length: count }, () => platform.ids.next(prefix, at));
  const consents = idsOf('con');
  const grants = consents.map((consentId) => sealGrant(platform, { merchantId, consentId }, GRANT));
  const wallets = idsOf('wal');
  const initiations = consents.map((consentId, n) =>
    platform.vault.seal(
      `${merchantId}/${wallets[n]}`,
      sealContext(merchantId, consentId, 'initiation'),
    ),
  );
  const london = dueAt.toZonedDateTimeISO('Europe/London');
  await tx.run(
    `WITH new AS (
       SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $13::text[])
         AS n (customer_id, schedule_id, wallet_id, consent_id, bank_grant, initiation)
     ), customer AS (
       INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at)
       SELECT $1, customer_id, 'sealed', sha256(customer_id::bytea), $7 FROM new
     ), schedule AS (
       INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
         terms_version, live_version, consented_version, consent_id, created_at, updated_at)
       SELECT $1, schedule_id, customer_id, 'phone', 'active', 'Broadband', 3, 1, 1, 1, consent_id, $7, $7 FROM new
     ), agenda AS (
       INSERT INTO schedule_agenda (merchant_id, schedule_id, next_occurrence, due_at, bank_id)
         SELECT $1, schedule_id, 0, $8, '${BANK_ID}' FROM new
     ), run AS (
       INSERT INTO schedule_runs (merchant_id, schedule_id, number, terms_version, after_at, first_occurrence)
       SELECT $1, schedule_id, 1, 1, $7, 0 FROM new
     ), terms AS (
       INSERT INTO schedule_terms (merchant_id, schedule_id, version, amount_pence, currency, frequency_type,
         frequency_day, frequency_interval, first_at, time_of_day, time_zone, created_at)
       SELECT $1, schedule_id, 1, $9, 'GBP', 'monthly', $10, 1, $8, $11::time, 'Europe/London', $7 FROM new
     ), wallet AS (
       INSERT INTO wallets (merchant_id, wallet_id, customer_id, status, issuer_wallet_id, account, created_at, opened_at)
       SELECT $1, wallet_id, customer_id, 'open', 'iw-' || wallet_id, 'sealed', $7, $7 FROM new
     ), account AS (
       INSERT INTO accounts (merchant_id, account_id, kind) SELECT $1, wallet_id, 'customer_wallet' FROM new
     ), bank_grant AS (
       INSERT INTO bank_grants (merchant_id, consent_id, bank_grant) SELECT $1, consent_id, bank_grant FROM new
     )
     INSERT INTO consents (merchant_id, consent_id, schedule_id, customer_id, terms_version, status, link_hash, link,
       link_expires_at, wallet_id, bank_id, bank_consent_id, initiation, control_parameters, created_at, granted_at)
     SELECT $1, consent_id, schedule_id, customer_id, 1, 'granted', sha256(consent_id::bytea), 'sealed', $7, wallet_id,
       $12, 'bc-' || consent_id, initiation, '{}', $7, $7 FROM new`,
    [
      merchantId,
      idsOf('cus'),
      idsOf('sch'),
      wallets,
      consents,
      grants,
      at,
      dueAt,
      AMOUNT_PENCE,
      london.day,
      london.toPlainTime().toString(),
      BANK_ID,
      initiations,
    ],
  );
}

const LIMITS = {
  validFrom: '2020-01-01T00:00:00Z',
  validTo: null,
  maximumAmountPence: AMOUNT_PENCE,
  periodicLimits: [],
} satisfies StoredControlParameters;

/** Gives every consent limits, which each seeded schedule keeps. */
export async function limitConsents(db: Db): Promise<void> {
  await db.transaction((tx) =>
    tx.run('UPDATE consents SET control_parameters = $1', [JSON.stringify(LIMITS)]),
  );
}
