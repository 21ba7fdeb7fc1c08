import type { Tx } from '../platform/db/db.ts';
import type { Asked, Platform, Work } from '../platform/platform.ts';
import { recordChanges, type StateChange } from '../platform/state/audit-trail.ts';
import { momentIn } from '../platform/time/clock.ts';
import { ApiError } from '../platform/values/errors.ts';
import { isAfter } from '../platform/values/instants.ts';
import { merchantOfToken, newLinkToken } from '../platform/values/link-token.ts';
import { openKept } from '../platform/vault/opened.ts';
import { hashSecret } from '../platform/vault/vault.ts';
import { releaseWallet } from '../wallets/service.ts';
import {
  type ConsentRef,
  type ConsentStatus,
  isOpen,
  type RevocationReason,
  SETUP_FAILURES,
  type SetupFailure,
} from './consent.ts';
import { hastenRevocations, insertRevocation } from './revocation-store.ts';
import { insertConsents, moveToEnded, moveToRetargeted } from './state-store.ts';
import {
  type ConsentRow,
  findByLink,
  findOpenLinks,
  isWalletNeeded,
  lockConsent,
  lockCurrentConsents,
  markAnotherAccount,
} from './store.ts';

/** What later slices do when a consent changes; the app passes them in, and they run in the same transaction. */
export interface ConsentHooks {
  /** Locks the schedule: always before its consents. */
  lockSchedule(tx: Tx, ref: ConsentRef): Promise<void>;
  /** Locks the schedule and all others that collect under the consent, in a fixed order: always before the consent. */
  lockSchedulesUnder(tx: Tx, ref: ConsentRef): Promise<void>;
  /** Called before the schedule leaves its granted consent; if others collect under it too, one of them takes it over. */
  leaving(tx: Tx, ref: ConsentRef): Promise<void>;
  granted(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<void>;
  failed(
    tx: Tx,
    now: Temporal.Instant,
    ref: ConsentRef,
    error: { code: SetupFailure; message: string },
  ): Promise<void>;
  revoked(tx: Tx, now: Temporal.Instant, ref: ConsentRef, reason: RevocationReason): Promise<void>;
  /** Called when nothing more is sent under a granted consent until its customer confirms it at the bank. */
  suspended(tx: Tx, now: Temporal.Instant, consent: ConsentRow): Promise<void>;
  /** Called when orders may be sent again under a granted consent. */
  confirmed(tx: Tx, now: Temporal.Instant, ref: ConsentRef): Promise<void>;
}

/** Returns the context that a consent's sealed text is bound to. */
export const sealContext = (
  merchantId: string,
  consentId: string,
  what: 'link' | 'nonce' | 'grant' | 'initiation' | 'paying_account',
): string => `consent:${merchantId}:${consentId}:${what}`;

/** What consent is asked for. `anotherAccount`: for the sake of the account that pays. */
type ConsentTarget = Omit<ConsentRef, 'consentId'> & { anotherAccount?: boolean };

/** Asks the customer for consent to these terms: see `openConsents`. */
export function openConsent(work: Work, wanted: ConsentTarget): void {
  openConsents(work, wanted.merchantId, [wanted]);
}

/**
 * Asks a merchant's customers for consent. Each link works until they decide or it expires; the transaction need not wait for
 * what is written. `before`: a change that led to it, recorded in the same statement. Returns the consents with their links.
 */
export function openConsents<W extends ConsentTarget & { before?: StateChange }>(
  { tx, now, platform }: Work,
  merchantId: string,
  wanted: readonly W[],
): (W & { consentId: string; url: string })[] {
  const expiresAt = addDuration(now, platform.config.linkLifetime);
  const consents = wanted.map((one) => {
    const consentId = platform.ids.next('con', now);
    const token = newLinkToken(platform.ids, merchantId);
    const link = platform.vault.seal(token, sealContext(merchantId, consentId, 'link'));
    const url = consentLink(platform, token);
    const anotherAccount = one.anotherAccount ?? false;
    const linkHash = hashSecret(token);
    return { ...one, anotherAccount, consentId, link, linkHash, expiresAt, url };
  });
  const changes = consents.flatMap(({ before, ...one }) => [
    ...(before === undefined ? [] : [before]),
    {
      merchantId,
      objectId: one.consentId,
      scheduleId: one.scheduleId,
      from: null,
      to: 'pending',
      reason: one.anotherAccount ? 'another account asked for' : 'consent asked for',
    },
  ]);
  tx.unawaited(insertConsents(tx, merchantId, consents, now));
  tx.unawaited(recordChanges(tx, now, changes));
  return consents;
}

/** Returns the portal address of a link token. */
function consentLink(platform: Pick<Platform, 'config'>, token: string): string {
  return `${platform.config.baseUrl}/consent/${token}`;
}

/** Adds a duration. An Instant accepts no calendar units: days and longer are counted in UTC. */
function addDuration(at: Temporal.Instant, duration: Temporal.Duration): Temporal.Instant {
  return at.toZonedDateTimeISO('UTC').add(duration).toInstant();
}

/** Returns the open consent links, by schedule id. */
export async function openLinks(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  scheduleIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findOpenLinks(tx, merchantId, scheduleIds, now);
  return new Map(
    rows.map((row) => [row.scheduleId, openLink(platform, merchantId, row.consentId, row.link)]),
  );
}

/** Returns the address behind a consent's sealed link. */
export function openLink(
  platform: Pick<Platform, 'config' | 'vault'>,
  merchantId: string,
  consentId: string,
  sealed: string,
): string {
  const token = openKept(platform.vault, sealed, sealContext(merchantId, consentId, 'link'));
  return consentLink(platform, token);
}

/** Returns the consent behind a link, whatever its status; null for an unknown link. */
export async function readLink(platform: Platform, token: string): Promise<ConsentRow | null> {
  const merchantId = merchantOfToken(token);
  if (merchantId === null) return null;
  return platform.db.read((tx) => findByLink(tx, merchantId, hashSecret(token)));
}

/**
 * Fails the set-up of a schedule: the customer or the bank declined, or the link expired. Returns false, and does nothing, if the
 * consent was decided already.
 */
export async function failConsent(
  hooks: ConsentHooks,
  tx: Tx,
  now: Temporal.Instant,
  ref: ConsentRef,
  code: SetupFailure,
): Promise<boolean> {
  await hooks.lockSchedule(tx, ref);
  const consent = await lockConsent(tx, ref.merchantId, ref.consentId);
  if (consent === null || !isOpen(consent.status)) return false;
  const { status, message } = SETUP_FAILURES[code];
  await endConsent(tx, now, consent, status, code);
  await hooks.failed(tx, now, ref, { code, message });
  return true;
}

/**
 * Fails the set-up of a schedule by an operator's word: the link was not expired in time, or the customer's wallet cannot be
 * opened. Returns false if it was decided already.
 */
export async function endStuckConsent(
  hooks: ConsentHooks,
  tx: Tx,
  now: Temporal.Instant,
  ref: ConsentRef,
): Promise<boolean> {
  if (await failConsent(hooks, tx, now, ref, 'consent_expired')) return true;
  const consent = await lockConsent(tx, ref.merchantId, ref.consentId);
  if (consent?.status !== 'authorised') return false;
  const code = 'consent_rejected';
  await endConsent(tx, now, consent, SETUP_FAILURES[code].status, code);
  const message = 'The wallet that receives the payments could not be opened.';
  await hooks.failed(tx, now, ref, { code, message });
  return true;
}

/**
 * Ends a granted consent, queues its deletion at the bank, and notifies every schedule under it. It ends when it is locked, not
 * when that was requested: until then payments were sent under it.
 */
export async function revokeConsent(
  { platform, hooks }: { platform: Pick<Platform, 'clock'>; hooks: ConsentHooks },
  tx: Tx,
  ref: ConsentRef,
  reason: RevocationReason,
): Promise<boolean> {
  await hooks.lockSchedulesUnder(tx, ref);
  const consent = await lockConsent(tx, ref.merchantId, ref.consentId);
  if (consent?.status !== 'granted') return false;
  const now = await momentIn(platform.clock, tx);
  await endConsent(tx, now, consent, 'revoked', reason);
  await hooks.revoked(tx, now, ref, reason);
  return true;
}

/**
 * Ends the consents of a schedule that is cancelled: the granted one as `granted`, which is `replaced` if payments of another
 * schedule still wait under it, unless the bank has said that it is over. The caller has locked the schedule.
 */
export async function discardOpenConsents(
  tx: Tx,
  now: Temporal.Instant,
  {
    merchantId,
    scheduleId,
    customerId,
  }: Pick<ConsentRef, 'merchantId' | 'scheduleId'> & { customerId: string },
  granted: 'revoked' | 'replaced',
): Promise<void> {
  for (const consent of await lockCurrentConsents(tx, merchantId, scheduleId)) {
    if (consent.status !== 'granted')
      await endConsent(tx, now, consent, 'dropped', 'schedule_changed');
    else {
      const status = consent.doubtedAt === null ? granted : 'revoked';
      await endConsent(tx, now, consent, status, 'schedule_cancelled');
    }
  }
  await hastenRevocations(tx, merchantId, customerId, now);
}

/** Returns the version of the terms that an open link shows from now on. */
type VersionOf = (open: Pick<ConsentRow, 'termsVersion'>) => number | Promise<number>;

/**
 * Settles what waits for the customer once terms hold without their agreement: a link that was made for another account goes on,
 * for these terms, and any other is dropped. Throws as `retargetOpenConsent` does. The caller has locked the schedule.
 */
export async function settleOpenConsent(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, scheduleId }: Pick<ConsentRef, 'merchantId' | 'scheduleId'>,
  versionOf: VersionOf,
): Promise<void> {
  const open = await lockOpenConsent(tx, merchantId, scheduleId);
  if (open?.anotherAccount) await retarget(tx, now, open, versionOf);
  else if (open !== null) await endConsent(tx, now, open, 'dropped', 'schedule_changed');
}

/**
 * Points the open link at new terms: the merchant changed them before the customer decided. The link stays valid; a consent
 * already created at a bank is deleted there. Returns false if no link is open. Throws 409 `request_in_progress` while a consent
 * that the bank granted is being set up. The caller has locked the schedule.
 */
export async function retargetOpenConsent(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, scheduleId }: Pick<ConsentRef, 'merchantId' | 'scheduleId'>,
  versionOf: VersionOf,
): Promise<boolean> {
  const open = await lockOpenConsent(tx, merchantId, scheduleId);
  if (open !== null) await retarget(tx, now, open, versionOf);
  return open !== null;
}

async function retarget(
  tx: Tx,
  now: Temporal.Instant,
  open: ConsentRow,
  versionOf: VersionOf,
): Promise<void> {
  if (open.bankId !== null && open.bankConsentId !== null)
    await insertRevocation(tx, open.merchantId, open.bankId, open.bankConsentId, now);
  await moveToRetargeted(tx, now, open, await versionOf(open));
}

/**
 * Locks and returns the consent that waits for the customer of a locked schedule; null: none does. Throws 409
 * `request_in_progress` while one that the bank granted is being set up.
 */
async function lockOpenConsent(
  tx: Tx,
  merchantId: string,
  scheduleId: string,
): Promise<ConsentRow | null> {
  const current = await lockCurrentConsents(tx, merchantId, scheduleId);
  const open = current.find(({ status }) => status !== 'granted') ?? null;
  if (open?.status === 'authorised')
    throw new ApiError(
      'request_in_progress',
      'The consent is being set up; try again in a moment.',
    );
  return open;
}

/**
 * Makes a new link at which the customer of a locked schedule can choose another account; an open one before it ends, and leaves
 * the limits that the customer has set on it. With `keepsOpen` an open link stays, for that purpose too. Throws as
 * `retargetOpenConsent` does.
 */
export async function openForAnotherAccount(
  work: Work,
  wanted: ConsentTarget,
  keepsOpen: boolean,
): Promise<void> {
  const { tx, now } = work;
  const open = await lockOpenConsent(tx, wanted.merchantId, wanted.scheduleId);
  if (open !== null && keepsOpen && isAfter(open.linkExpiresAt, now))
    return markAnotherAccount(tx, open);
  if (open !== null) await endConsent(tx, now, open, 'dropped', 'a new link took its place');
  const termsVersion = open?.termsVersion ?? wanted.termsVersion;
  openConsents(work, wanted.merchantId, [{ ...wanted, termsVersion, anotherAccount: true }]);
}

/** Ends a locked consent: moves it, queues its deletion at the bank and releases its wallet. */
export async function endConsent(
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
  status: ConsentStatus,
  reason: string,
): Promise<void> {
  await moveToEnded(tx, now, consent, status, reason);
  if (consent.bankId !== null && consent.bankConsentId !== null)
    await insertRevocation(tx, consent.merchantId, consent.bankId, consent.bankConsentId, now);
  const { merchantId, walletId } = consent;
  if (walletId !== null)
    await releaseWallet(tx, merchantId, walletId, now, () =>
      isWalletNeeded(tx, merchantId, walletId),
    );
}

/** Returns the entry for a granted consent that begins to wait for its customer, or no longer does. */
export function waitingChange(ref: ConsentRef, to: 'to_confirm' | 'confirmed'): StateChange {
  return {
    merchantId: ref.merchantId,
    objectId: ref.consentId,
    scheduleId: ref.scheduleId,
    from: to === 'confirmed' ? 'to_confirm' : 'granted',
    to,
    reason:
      to === 'confirmed' ? 'confirmed at the bank' : 'the bank requires renewed authentication',
  };
}
