import type { Tx } from '../platform/db/db.ts';
import { rowBy } from '../platform/db/row-by.ts';
import type { ConsentStatus, StoredControlParameters } from './consent.ts';

export interface ConsentRow {
  merchantId: string;
  consentId: string;
  scheduleId: string;
  customerId: string;
  termsVersion: number;
  /** The link was made so that the customer pays from another account. */
  anotherAccount: boolean;
  status: ConsentStatus;
  link: string;
  linkExpiresAt: Temporal.Instant;
  walletId: string | null;
  bankId: string | null;
  bankConsentId: string | null;
  initiation: string | null;
  controlParameters: StoredControlParameters | null;
  nonce: string | null;
  /** When the customer agreed at the bank, as far as the service knows. */
  agreedAt: Temporal.Instant | null;
  grantedAt: Temporal.Instant | null;
  /** The terms under which the customer went to the bank, before they were changed. */
  leftTermsVersion: number | null;
  createdAt: Temporal.Instant;
  /** When the bank first reported the consent as over; null: it is valid. No order is sent while it is in doubt. */
  doubtedAt: Temporal.Instant | null;
  lookAgainAt: Temporal.Instant | null;
  lookTries: number;
  /** Since when the bank requires the customer to authenticate again. */
  suspendedAt: Temporal.Instant | null;
  /** Since when the bank refuses orders until the customer confirms the consent; only the customer's confirmation ends it. */
  confirmAskedAt: Temporal.Instant | null;
  /** When the bank last reported limits that differ from the stored ones. */
  limitsChangedAt: Temporal.Instant | null;
}

export const CONSENT_COLUMNS = `merchant_id, consent_id, schedule_id, customer_id, terms_version, another_account, status, link,
  link_expires_at, wallet_id, bank_id, bank_consent_id, initiation, control_parameters, nonce, agreed_at, granted_at,
  left_terms_version, created_at, doubted_at, look_again_at, look_tries, suspended_at, confirm_asked_at,
  limits_changed_at`;

/** Returns the consent with this link hash, without locking it. */
export const findByLink = rowBy<ConsentRow, Buffer>(
  `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND link_hash = $2`,
);

/** Returns the consent with this hash of the state sent to the bank, without locking it. */
export const findByState = rowBy<ConsentRow, Buffer>(
  `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND state_hash = $2`,
);

/** Returns the consent by the hash of a state sent to the bank with terms that have changed since, without locking it. */
export const findByLeftState = rowBy<ConsentRow, Buffer>(
  `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND left_state_hash = $2`,
);

/** Locks and returns a consent. Lock the schedule first. */
export const lockConsent = rowBy<ConsentRow>(
  `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND consent_id = $2 FOR UPDATE`,
);

/** Returns a consent, without locking it. */
export const findConsent = rowBy<ConsentRow>(
  `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND consent_id = $2`,
);

/** Returns consents, without locking them. */
export function findConsents(
  tx: Tx,
  merchantId: string,
  consentIds: readonly string[],
): Promise<ConsentRow[]> {
  return tx.rows<ConsentRow>(
    `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND consent_id = ANY($2)`,
    [merchantId, consentIds],
  );
}

/** What a schedule with an open consent waits for: its customer's decision, or the set-up of what they agreed to. */
export type WaitingConsent = 'open' | 'being_set_up';

/** Returns which of these schedules wait for their customer, and for which the bank's consent is just being set up. */
export async function findWaitingConsents(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
  now: Temporal.Instant,
): Promise<Map<string, WaitingConsent>> {
  const rows = await tx.rows<Pick<ConsentRow, 'scheduleId' | 'status'>>(
    `SELECT schedule_id, status FROM consents WHERE merchant_id = $1 AND schedule_id = ANY($2)
       AND (status = 'authorised' OR status IN ('pending', 'authorising') AND link_expires_at > $3)`,
    [merchantId, scheduleIds, now],
  );
  return new Map(
    rows.map(({ scheduleId, status }) => [
      scheduleId,
      status === 'authorised' ? 'being_set_up' : 'open',
    ]),
  );
}

/** Locks and returns the schedule's consents that have not ended: at most one open to the customer, and at most one granted. */
export function lockCurrentConsents(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<ConsentRow[]> {
  return tx.rows<ConsentRow>(
    `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND schedule_id = $2
       AND status IN ('pending', 'authorising', 'authorised', 'granted') ORDER BY consent_id FOR UPDATE`,
    [merchantId, scheduleId],
  );
}

/** Returns the open links of many schedules at once. */
export function findOpenLinks(
  tx: Tx,
  merchantId: string,
  scheduleIds: readonly string[],
  now: Temporal.Instant,
): Promise<{ scheduleId: string; consentId: string; link: string }[]> {
  return tx.rows(
    `SELECT schedule_id, consent_id, link FROM consents
     WHERE merchant_id = $1 AND schedule_id = ANY($2) AND status IN ('pending', 'authorising') AND link_expires_at > $3`,
    [merchantId, scheduleIds, now],
  );
}

/**
 * Locks and returns the granted consents of this customer with the merchant, newest first: a new schedule may be covered by one.
 */
export function lockGrantedOf(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<ConsentRow[]> {
  return tx.rows<ConsentRow>(
    `SELECT ${CONSENT_COLUMNS} FROM consents WHERE merchant_id = $1 AND customer_id = $2 AND status = 'granted'
     ORDER BY granted_at DESC LIMIT 20 FOR UPDATE`,
    [merchantId, customerId],
  );
}

/** Reserves the wallet for this consent before the bank is called. */
export async function setWallet(
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

/** Marks an open consent as asked for so that the customer pays from another account. */
export async function markAnotherAccount(
  tx: Tx,
  { merchantId, consentId }: Pick<ConsentRow, 'merchantId' | 'consentId'>,
): Promise<void> {
  await tx.run(
    'UPDATE consents SET another_account = true WHERE merchant_id = $1 AND consent_id = $2',
    [merchantId, consentId],
  );
}

/** Returns the last digits of the number of the account that pays under a consent; null before it is known. */
export async function findPayingAccount(
  tx: Tx,
  merchantId: string,
  consentId: string,
): Promise<string | null> {
  const row = await tx.row<{ payingAccountEnding: string | null }>(
    'SELECT paying_account_ending FROM consents WHERE merchant_id = $1 AND consent_id = $2',
    [merchantId, consentId],
  );
  return row?.payingAccountEnding ?? null;
}

/** Transfers a granted consent to another schedule that collects under it. */
export async function reassignConsent(
  tx: Tx,
  consent: ConsentRow,
  heir: { scheduleId: string; liveVersion: number | null },
): Promise<void> {
  await tx.run(
    'UPDATE consents SET schedule_id = $3, terms_version = $4 WHERE merchant_id = $1 AND consent_id = $2',
    [consent.merchantId, consent.consentId, heir.scheduleId, heir.liveVersion],
  );
}

/** Whether a consent that has not ended uses this wallet. */
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

/** Returns the links of consents, sealed, by consent id; a consent of an erased customer has none. */
export async function findLinks(
  tx: Tx,
  merchantId: string,
  consentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows<{ consentId: string; link: string }>(
    `SELECT consent_id, link FROM consents WHERE merchant_id = $1 AND consent_id = ANY($2::text[]) AND link <> ''`,
    [merchantId, consentIds],
  );
  return new Map(rows.map(({ consentId, link }) => [consentId, link]));
}
