import type { Tx } from '../platform/db.ts';
import type { ConsentRef, ConsentStatus, StoredControlParameters } from './consent.ts';

export interface ConsentRow {
  merchant_id: string;
  consent_id: string;
  schedule_id: string;
  customer_id: string;
  terms_version: number;
  status: ConsentStatus;
  link: string;
  link_expires_at: Temporal.Instant;
  wallet_id: string | null;
  bank_id: string | null;
  bank_consent_id: string | null;
  initiation: string | null;
  control_parameters: StoredControlParameters | null;
  nonce: string | null;
  bank_grant: string | null;
  granted_at: Temporal.Instant | null;
  /** The terms with which the customer went to the bank before they were changed. */
  left_terms_version: number | null;
  created_at: Temporal.Instant;
  /** When the bank first said that the consent is over; null: it stands. No order is sent while it is in doubt. */
  doubted_at: Temporal.Instant | null;
  look_again_at: Temporal.Instant | null;
  look_tries: number;
  /** Since when the bank wants the customer's renewed authentication. */
  suspended_at: Temporal.Instant | null;
  /** When the bank last reported limits other than those that stood here. */
  limits_changed_at: Temporal.Instant | null;
}

export const CONSENT_COLUMNS = `merchant_id, consent_id, schedule_id, customer_id, terms_version, status, link,
  link_expires_at, wallet_id, bank_id, bank_consent_id, initiation, control_parameters, nonce, bank_grant, granted_at,
  left_terms_version, created_at, doubted_at, look_again_at, look_tries, suspended_at, limits_changed_at`;
const COLUMNS = CONSENT_COLUMNS;

export function refOf(row: ConsentRow): ConsentRef {
  return {
    merchantId: row.merchant_id,
    consentId: row.consent_id,
    scheduleId: row.schedule_id,
    customerId: row.customer_id,
    termsVersion: row.terms_version,
  };
}

export interface NewConsent extends ConsentRef {
  linkHash: Buffer;
  link: string;
  expiresAt: Temporal.Instant;
}

export async function insertConsent(tx: Tx, c: NewConsent, now: Temporal.Instant): Promise<void> {
  await tx.run(
    `INSERT INTO consents (merchant_id, consent_id, schedule_id, customer_id, terms_version, status,
       link_hash, link, link_expires_at, due_at, created_at)
     VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $8, $9)`,
    [
      c.merchantId,
      c.consentId,
      c.scheduleId,
      c.customerId,
      c.termsVersion,
      c.linkHash,
      c.link,
      c.expiresAt,
      now,
    ],
  );
}

/** By the link's hash, not locked. */
export function findByLink(
  tx: Tx,
  merchantId: string,
  linkHash: Buffer,
): Promise<ConsentRow | null> {
  return tx.row<ConsentRow>(
    `SELECT ${COLUMNS} FROM consents WHERE merchant_id = $1 AND link_hash = $2`,
    [merchantId, linkHash],
  );
}

/** By the hash of the state that went to the bank, not locked. */
export function findByState(
  tx: Tx,
  merchantId: string,
  stateHash: Buffer,
): Promise<ConsentRow | null> {
  return tx.row<ConsentRow>(
    `SELECT ${COLUMNS} FROM consents WHERE merchant_id = $1 AND state_hash = $2`,
    [merchantId, stateHash],
  );
}

/** By the hash of a state that went to the bank with terms that were changed meanwhile, not locked. */
export function findByLeftState(
  tx: Tx,
  merchantId: string,
  stateHash: Buffer,
): Promise<ConsentRow | null> {
  return tx.row<ConsentRow>(
    `SELECT ${COLUMNS} FROM consents WHERE merchant_id = $1 AND left_state_hash = $2`,
    [merchantId, stateHash],
  );
}

/** By its id, locked. Lock the schedule first. */
export function lockConsent(
  tx: Tx,
  merchantId: string,
  consentId: string,
): Promise<ConsentRow | null> {
  return tx.row<ConsentRow>(
    `SELECT ${COLUMNS} FROM consents WHERE merchant_id = $1 AND consent_id = $2 FOR UPDATE`,
    [merchantId, consentId],
  );
}

export function findConsent(
  tx: Tx,
  merchantId: string,
  consentId: string,
): Promise<ConsentRow | null> {
  return tx.row<ConsentRow>(
    `SELECT ${COLUMNS} FROM consents WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId],
  );
}

/** The consents of a schedule that are not over: at most one the customer may decide on, and at most one granted. */
export function lockCurrentConsents(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<ConsentRow[]> {
  return tx.rows<ConsentRow>(
    `SELECT ${COLUMNS} FROM consents WHERE merchant_id = $1 AND schedule_id = $2
       AND status IN ('pending', 'authorising', 'authorised', 'granted') ORDER BY consent_id FOR UPDATE`,
    [merchantId, scheduleId],
  );
}

/** The links that wait for their customer, for many schedules at once. */
export function findOpenLinks(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
  now: Temporal.Instant,
): Promise<{ schedule_id: string; consent_id: string; link: string }[]> {
  return tx.rows(
    `SELECT schedule_id, consent_id, link FROM consents
     WHERE merchant_id = $1 AND schedule_id = ANY($2) AND status IN ('pending', 'authorising') AND link_expires_at > $3`,
    [merchantId, scheduleIds, now],
  );
}

/** Granted consents of the same customer and merchant, newest first and held: what a new schedule might be covered by. */
export function lockGrantedOf(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<ConsentRow[]> {
  return tx.rows<ConsentRow>(
    `SELECT ${COLUMNS} FROM consents WHERE merchant_id = $1 AND customer_id = $2 AND status = 'granted'
     ORDER BY granted_at DESC LIMIT 20 FOR UPDATE`,
    [merchantId, customerId],
  );
}

export interface AtBank {
  bankId: string;
  bankConsentId: string;
  initiation: string;
  controlParameters: StoredControlParameters;
  stateHash: Buffer;
  nonce: string;
}

export async function markAuthorising(
  tx: Tx,
  merchantId: string,
  consentId: string,
  b: AtBank,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET status = 'authorising', bank_id = $3, bank_consent_id = $4, initiation = $5,
       control_parameters = $6::jsonb, state_hash = $7, nonce = $8, bank_grant = NULL
     WHERE merchant_id = $1 AND consent_id = $2`,
    [
      merchantId,
      consentId,
      b.bankId,
      b.bankConsentId,
      b.initiation,
      JSON.stringify(b.controlParameters),
      b.stateHash,
      b.nonce,
    ],
  );
}

/** Keeps the wallet for this consent while the bank is being asked. */
export async function holdWallet(
  tx: Tx,
  merchantId: string,
  consentId: string,
  walletId: string,
): Promise<void> {
  await tx.run('UPDATE consents SET wallet_id = $3 WHERE merchant_id = $1 AND consent_id = $2', [
    merchantId,
    consentId,
    walletId,
  ]);
}

export async function markAuthorised(
  tx: Tx,
  merchantId: string,
  consentId: string,
  grant: string,
  paying: { sealed: string; ending: string } | null,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET status = 'authorised', bank_grant = $3, due_at = $4, nonce = NULL,
       paying_account = $5, paying_account_ending = $6
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, grant, now, paying?.sealed ?? null, paying?.ending ?? null],
  );
}

/** The end of the number of the account that pays under a consent; null before it is known. */
export async function findPayingAccount(
  tx: Tx,
  merchantId: string,
  consentId: string,
): Promise<string | null> {
  const row = await tx.row<{ paying_account_ending: string | null }>(
    'SELECT paying_account_ending FROM consents WHERE merchant_id = $1 AND consent_id = $2',
    [merchantId, consentId],
  );
  return row?.paying_account_ending ?? null;
}

/** Back to the link as it was before the customer went to the bank. */
export async function markPending(tx: Tx, merchantId: string, consentId: string): Promise<void> {
  await tx.run(
    `UPDATE consents SET status = 'pending', bank_id = NULL, bank_consent_id = NULL, initiation = NULL,
       control_parameters = NULL, state_hash = NULL, nonce = NULL, bank_grant = NULL, due_at = link_expires_at
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId],
  );
}

export async function markGranted(
  tx: Tx,
  merchantId: string,
  consentId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET status = 'granted', granted_at = $3, due_at = NULL WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, now],
  );
}

/** Ends a consent. Its grant stays: a payment already at the bank may have to be asked for again. */
export async function markEnded(
  tx: Tx,
  merchantId: string,
  consentId: string,
  status: ConsentStatus,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET status = $3, ended_at = $4, due_at = NULL, nonce = NULL, look_again_at = NULL,
       doubted_at = CASE $3 WHEN 'replaced' THEN NULL ELSE doubted_at END
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, status, now],
  );
}

/** Keeps the grant of a customer who is back from the bank, unless they have gone to a bank again meanwhile. */
export async function keepGrant(tx: Tx, consent: ConsentRow, grant: string): Promise<void> {
  await tx.run(
    `UPDATE consents SET bank_grant = $3
     WHERE merchant_id = $1 AND consent_id = $2 AND status = 'authorising' AND bank_consent_id = $4`,
    [consent.merchant_id, consent.consent_id, grant, consent.bank_consent_id],
  );
}

/** Keeps renewed grants. In one order, so that nobody who does the same waits for us in a ring. */
export async function saveGrants(
  tx: Tx,
  grants: readonly { merchantId: string; consentId: string; grant: string }[],
): Promise<void> {
  const renewed = [...grants].sort((a, b) => (a.consentId < b.consentId ? -1 : 1));
  await tx.run(
    `UPDATE consents c SET bank_grant = r.bank_grant
     FROM unnest($1::text[], $2::text[], $3::text[]) AS r (merchant_id, consent_id, bank_grant)
     WHERE c.merchant_id = r.merchant_id AND c.consent_id = r.consent_id`,
    [
      renewed.map((one) => one.merchantId),
      renewed.map((one) => one.consentId),
      renewed.map((one) => one.grant),
    ],
  );
}

/** Gives a granted consent to another schedule that collects under it. */
export async function giveConsent(
  tx: Tx,
  consent: ConsentRow,
  heir: { scheduleId: string; liveVersion: number | null },
): Promise<void> {
  await tx.run(
    'UPDATE consents SET schedule_id = $3, terms_version = $4 WHERE merchant_id = $1 AND consent_id = $2',
    [consent.merchant_id, consent.consent_id, heir.scheduleId, heir.liveVersion],
  );
}

/** Whether a consent that is not over uses this wallet. */
export async function isWalletNeeded(
  tx: Tx,
  merchantId: string,
  walletId: string,
): Promise<boolean> {
  const row = await tx.row<{ needed: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM consents WHERE merchant_id = $1 AND wallet_id = $2
       AND status IN ('pending', 'authorising', 'authorised', 'granted')) AS needed`,
    [merchantId, walletId],
  );
  return row?.needed ?? false;
}

/** Points an open link at newer terms; of what was begun at a bank under the older ones only the state is kept. */
export async function retarget(
  tx: Tx,
  merchantId: string,
  consentId: string,
  termsVersion: number,
): Promise<void> {
  await tx.run(
    `UPDATE consents SET left_state_hash = coalesce(state_hash, left_state_hash),
       left_terms_version = CASE WHEN state_hash IS NULL THEN left_terms_version ELSE terms_version END,
       terms_version = $3, status = 'pending', bank_id = NULL, bank_consent_id = NULL,
       initiation = NULL, control_parameters = NULL, state_hash = NULL, nonce = NULL, bank_grant = NULL,
       due_at = link_expires_at
     WHERE merchant_id = $1 AND consent_id = $2`,
    [merchantId, consentId, termsVersion],
  );
}
