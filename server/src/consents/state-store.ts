import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { moveRows, type Step } from '../platform/state/move-rows.ts';
import { transition } from '../platform/state/state-machine.ts';
import {
  CONSENTS,
  type ConsentRef,
  type ConsentStatus,
  type StoredControlParameters,
} from './consent.ts';
import { deleteGrant } from './grant-store.ts';
import type { ConsentRow } from './store.ts';

/** The state changes of consents; nothing else writes a consent's status. The caller has locked the consent. */

const AUTHORISED = transition(CONSENTS, ['authorising'], 'authorised');
const DROPPED = transition(CONSENTS, ['authorising'], 'pending');
const RETARGETED = transition(CONSENTS, ['pending', 'authorising'], 'pending');
const GRANTED = transition(CONSENTS, ['authorised'], 'granted');

type ConsentStep = Omit<Step<ConsentStatus, ConsentRow>, 'rows'>;

export interface NewConsent extends ConsentRef {
  linkHash: Buffer;
  link: string;
  expiresAt: Temporal.Instant;
  anotherAccount: boolean;
}

/** Inserts consents of one merchant that wait for their customers. */
export async function insertConsents(
  tx: Tx,
  merchantId: string,
  consents: readonly NewConsent[],
  now: Temporal.Instant,
): Promise<void> {
  await tx.insert(
    `INSERT INTO consents (merchant_id, created_at, status, consent_id, schedule_id, customer_id, terms_version,
       link_hash, link, link_expires_at, due_at, another_account)
     SELECT $1, $2, 'pending', c.* FROM unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::bytea[], $8::text[],
       $9::timestamptz[], $9::timestamptz[], $10::boolean[]) AS c RETURNING consent_id`,
    [
      merchantId,
      now,
      ...columns(
        consents,
        'consentId',
        'scheduleId',
        'customerId',
        'termsVersion',
        'linkHash',
        'link',
        'expiresAt',
        'anotherAccount',
      ),
    ],
  );
}

/** Moves a locked consent along an edge of the table. Throws if it is in another state. */
async function moveConsent(
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
  reason: string,
  step: Omit<ConsentStep, 'columns'> & Partial<Pick<ConsentStep, 'columns'>>,
): Promise<void> {
  const moved = await moveRows<ConsentStatus, ConsentRow>(tx, now, {
    audit: (row) => ({
      merchantId: row.merchantId,
      objectId: row.consentId,
      scheduleId: row.scheduleId,
      reason,
      from: row.status,
    }),
    ...step,
    rows: [consent],
    columns: {
      merchant_id: ['text', (row) => row.merchantId],
      consent_id: ['text', (row) => row.consentId],
      at: ['timestamptz', () => now],
      ...step.columns,
    },
  });
  if (moved.length !== 1)
    throw new Error(`the consent ${consent.consentId} was not ${consent.status}`);
}

/** What is known of a consent once it was created at the bank; the texts are sealed. */
export interface AtBank {
  bankId: string;
  bankConsentId: string;
  initiation: string;
  controlParameters: StoredControlParameters;
  stateHash: Buffer;
  nonce: string;
}

/** Sends an open consent's customer to the bank, perhaps not for the first time: the grant of an earlier journey is deleted. */
export async function moveToAuthorising(
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
  atBank: AtBank,
): Promise<void> {
  const { merchantId, consentId: objectId, scheduleId, status: from } = consent;
  const reason = `sent to ${atBank.bankId}`;
  await moveConsent(tx, now, consent, reason, {
    move: transition(CONSENTS, [from], 'authorising'),
    columns: {
      bank_id: ['text', () => atBank.bankId],
      bank_consent_id: ['text', () => atBank.bankConsentId],
      initiation: ['text', () => atBank.initiation],
      control_parameters: ['jsonb', () => JSON.stringify(atBank.controlParameters)],
      state_hash: ['bytea', () => atBank.stateHash],
      nonce: ['text', () => atBank.nonce],
    },
    set: `bank_id = n.bank_id, bank_consent_id = n.bank_consent_id, initiation = n.initiation,
      control_parameters = n.control_parameters, state_hash = n.state_hash, nonce = n.nonce`,
  });
  // A pending consent has no grant: whatever moves one back to pending deletes it.
  if (from !== 'authorising') return;
  await deleteGrant(tx, consent);
  // A journey that begins again changes no status, which a move would not record.
  const change = { merchantId, objectId, scheduleId, from, to: 'authorising', reason };
  await recordChanges(tx, now, [change]);
}

/** Marks a consent as agreed to at the bank: it is due to be activated. `paying`: the account that pays. */
export function moveToAuthorised(
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
  paying: { sealed: string; ending: string } | null,
): Promise<void> {
  return moveConsent(tx, now, consent, 'agreed at the bank', {
    move: AUTHORISED,
    columns: {
      paying_account: ['text', () => paying?.sealed ?? null],
      paying_account_ending: ['text', () => paying?.ending ?? null],
    },
    set: `due_at = n.at, agreed_at = n.at, nonce = NULL, paying_account = n.paying_account,
      paying_account_ending = n.paying_account_ending`,
  });
}

const AT_NO_BANK = `bank_id = NULL, bank_consent_id = NULL, initiation = NULL, control_parameters = NULL, state_hash = NULL,
  nonce = NULL, due_at = t.link_expires_at`;

/** Resets the link to its state before the customer went to the bank. */
export function moveToDropped(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<void> {
  return moveConsent(tx, now, consent, 'not started by whoever came back', {
    move: DROPPED,
    set: AT_NO_BANK,
    book: () => deleteGrant(tx, consent),
  });
}

/** Points an open link at newer terms; of an authorisation begun under the older ones, only the state is kept. */
export function moveToRetargeted(
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
  termsVersion: number,
): Promise<void> {
  return moveConsent(tx, now, consent, 'the terms were changed', {
    move: RETARGETED,
    columns: { terms_version: ['int', () => termsVersion] },
    set: `${AT_NO_BANK}, terms_version = n.terms_version,
      left_state_hash = coalesce(t.state_hash, t.left_state_hash),
      left_terms_version = CASE WHEN t.state_hash IS NULL THEN t.left_terms_version ELSE t.terms_version END`,
    book: () => deleteGrant(tx, consent),
  });
}

export function moveToGranted(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<void> {
  const set = 'granted_at = n.at, due_at = NULL';
  return moveConsent(tx, now, consent, 'the wallet is open', { move: GRANTED, set });
}

/** Ends a consent. Its grant is kept: a payment already at the bank may still have to be queried. */
export function moveToEnded(
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
  status: ConsentStatus,
  reason: string,
): Promise<void> {
  const doubt = status === 'replaced' ? ', doubted_at = NULL' : '';
  return moveConsent(tx, now, consent, reason, {
    move: transition(CONSENTS, [consent.status], status),
    set: `ended_at = n.at, due_at = NULL, nonce = NULL, look_again_at = NULL${doubt}`,
  });
}
