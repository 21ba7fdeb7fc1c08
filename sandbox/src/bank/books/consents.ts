import { randomInt, randomUUID } from 'node:crypto';
import { isoInstant } from '../../clock.ts';
import type { Store } from '../../store.ts';
import type { Brand } from '../behaviour/brands.ts';
import { enqueueNotification } from '../doors/notifications.ts';
import { type ConsentRequest, expiryOf } from './consent-request.ts';

/** The customers' consents: the request, who approved it for which account, and its status. */

type ConsentStatus = 'AWAU' | 'AUTH' | 'RJCT' | 'CANC' | 'EXPD';

interface ConsentRow {
  consent_id: string;
  bank: string;
  status: ConsentStatus;
  reason: string | null;
  created_at: string;
  updated_at: string;
  authorised_at: string | null;
  deleted_at: string | null;
  account_number: string | null;
  grant_id: string | null;
  request: string;
}

export interface Consent extends Omit<ConsentRow, 'request'> {
  request: ConsentRequest;
}

/** Why a consent is not in force: the standard's code and description. */
export const CONSENT_REASONS: Record<string, string> = {
  U036: 'Authorisation not completed: declined by the customer',
  U037: 'Authorisation failed: refused by the bank',
  CUST: 'Withdrawn by the customer at the bank',
  TKXP: 'Token expired',
  TKSP: 'Token suspended: the customer has to authenticate again',
};

/** Stores a new consent that awaits the customer; returns its id. */
export function insertConsent(
  store: Store,
  { bankId: bank, profile: { longIds } }: Brand,
  request: ConsentRequest,
  now: Temporal.Instant,
): string {
  const consentId = longIds === null ? `vrp-${randomUUID()}` : longIds + randomDigits();
  const expiry = expiryOf(request);
  store.run(
    `INSERT INTO consents (consent_id, bank, status, created_at, updated_at, expires_at, request)
     VALUES (:consentId, :bank, 'AWAU', :now, :now, :expiry, :request)`,
    {
      consentId,
      bank,
      now: isoInstant(now),
      expiry: expiry && isoInstant(expiry),
      request: JSON.stringify(request),
    },
  );
  return consentId;
}

/** Returns fourteen digits, as some banks end their ids with. */
export function randomDigits(): string {
  return String(randomInt(10 ** 7)).padStart(7, '0') + String(randomInt(10 ** 7)).padStart(7, '0');
}

/** Finds a consent of a bank, including deleted ones (see `deleted_at`). */
export function findConsent(store: Store, bank: string, consentId: string): Consent | undefined {
  const row = store.get<ConsentRow>(
    'SELECT * FROM consents WHERE consent_id = :consentId AND bank = :bank',
    { consentId, bank },
  );
  return row && consentOf(row);
}

/** Returns the consents that a bank's customer has ever approved, newest first. */
export function consentsOf(store: Store, bank: string, login: string): Consent[] {
  return store
    .all<ConsentRow>(
      `SELECT consents.* FROM consents JOIN accounts USING (bank, account_number)
       WHERE bank = :bank AND login = :login AND authorised_at IS NOT NULL
       ORDER BY authorised_at DESC`,
      { bank, login },
    )
    .map(consentOf);
}

/** Records the customer's approval, paying from `accountNumber`; tokens are issued under `grantId`. */
export function authoriseConsent(
  store: Store,
  consent: Consent,
  accountNumber: string,
  grantId: string,
  now: Temporal.Instant,
): void {
  store.transaction(() => {
    // When approved again after a withdrawal, the terms and periods do not change.
    store.run(
      `UPDATE consents SET account_number = :accountNumber, grant_id = :grantId,
         authorised_at = coalesce(authorised_at, :now)
       WHERE consent_id = :consentId`,
      { accountNumber, grantId, now: isoInstant(now), consentId: consent.consent_id },
    );
    changeConsent(store, consent, 'AUTH', null, now);
  });
}

/** Changes a consent's status and notifies the third party. */
export function changeConsent(
  store: Store,
  consent: Pick<Consent, 'bank' | 'consent_id'>,
  status: ConsentStatus,
  reason: string | null,
  now: Temporal.Instant,
): void {
  store.transaction(() => {
    store.run(
      `UPDATE consents SET status = :status, reason = :reason, updated_at = :now
       WHERE consent_id = :consentId`,
      { status, reason, now: isoInstant(now), consentId: consent.consent_id },
    );
    const event = status === 'CANC' ? 'consent-authorization-revoked' : 'resource-update';
    const subject = { type: 'domestic-vrp-consent', id: consent.consent_id } as const;
    enqueueNotification(store, consent.bank, event, subject, now);
  });
}

/** Withdraws a consent for the customer; does nothing if it is not in force. */
export function withdrawConsent(store: Store, consent: Consent, now: Temporal.Instant): void {
  if (consent.status === 'AUTH' && !consent.deleted_at) {
    changeConsent(store, consent, 'CANC', 'CUST', now);
  }
}

/** Wants the customer of a consent in force to authenticate again; the consent and its terms stay. */
export function suspendConsent(store: Store, consent: Consent, now: Temporal.Instant): void {
  if (consent.status === 'AUTH' && !consent.deleted_at) {
    changeConsent(store, consent, 'CANC', 'TKSP', now);
  }
}

/** Deletes a consent for the third party, permanently: later reads do not find it. */
export function deleteConsent(store: Store, consent: Consent, now: Temporal.Instant): void {
  store.run('UPDATE consents SET deleted_at = :now WHERE consent_id = :consentId', {
    now: isoInstant(now),
    consentId: consent.consent_id,
  });
}

/** Expires the consents whose last day has passed. */
export function expireDue(store: Store, at: Temporal.Instant): void {
  const due = store.all<ConsentRow>(
    `SELECT * FROM consents WHERE expires_at <= :at
     AND status IN ('AWAU', 'AUTH', 'CANC') AND deleted_at IS NULL`,
    { at: isoInstant(at) },
  );
  for (const row of due) changeConsent(store, row, 'EXPD', 'TKXP', at);
}

function consentOf(row: ConsentRow): Consent {
  return { ...row, request: JSON.parse(row.request) };
}
