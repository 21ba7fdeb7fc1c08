import {
  AuthorisationInvalid,
  BankRefused,
  type BankTraits,
  BankUnavailable,
} from '../banks/bank.ts';
import type { AuthorisationDeps } from '../consents/authorisation.ts';
import { beginAuthorisation, type Shown, type Visitor } from '../consents/begin-authorisation.ts';
import { completeAuthorisation } from '../consents/complete-authorisation.ts';
import {
  failConsent,
  openLink,
  openLinks,
  readLink,
  revokeConsent,
  sealContext,
} from '../consents/service.ts';
import {
  type ConsentRow,
  findByLeftState,
  findByState,
  findConsent,
  findLinks,
} from '../consents/store.ts';
import { findPlannedAt } from '../payments/books/ad-hoc-store.ts';
import { findPayment, findUnderWay } from '../payments/books/read-store.ts';
import { firstPaymentIdOf } from '../payments/payment/payment.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { ApiError } from '../platform/values/errors.ts';
import { merchantOfToken } from '../platform/values/link-token.ts';
import { hashSecret } from '../platform/vault/vault.ts';
import type { RefundDeps } from '../refunds/service.ts';
import { findNextPayments } from '../schedules/books/next-payment.ts';
import {
  findSchedulesOfConsent,
  findTerms,
  readTermsInForce,
  termsKey,
} from '../schedules/books/store.ts';
import { chooseAnotherAccount } from '../schedules/change/another-account.ts';
import { requireSchedule } from '../schedules/change/service.ts';
import {
  type PaymentUnderWay,
  type Schedule,
  type Terms,
  termsToAgree,
} from '../schedules/terms/schedule.ts';
import { IssuerUnavailable } from '../wallets/issuer.ts';
import {
  type ConsentPageState,
  type Phase,
  type PortalMerchant,
  phaseOf,
  progressOf,
} from './standing.ts';

export interface PortalDeps {
  authorisation: AuthorisationDeps;
  refunds: RefundDeps;
  merchantOf(tx: Tx, merchantId: string): Promise<PortalMerchant>;
}

/** Returns the status behind a link, or null if no such link was ever issued. */
export async function findConsentPage(
  deps: PortalDeps,
  token: string,
): Promise<ConsentPageState | null> {
  const consent = await readLink(deps.authorisation.platform, token);
  return consent === null ? null : consentPageOf(deps, token, consent);
}

/** Returns how far a link has come; null if no such link was ever issued. */
export async function findProgress(
  { authorisation: { platform } }: PortalDeps,
  token: string,
): Promise<string | null> {
  const consent = await readLink(platform, token);
  if (consent === null) return null;
  return progressOf({ phase: phaseOf(consent, platform.clock.now()), consent });
}

async function consentPageOf(
  deps: PortalDeps,
  token: string,
  consent: ConsentRow,
): Promise<ConsentPageState> {
  const { platform } = deps.authorisation;
  const { merchantId, scheduleId } = consent;
  const now = platform.clock.now();
  const phase = phaseOf(consent, now);
  return platform.db.read(async (tx) => {
    const schedule = await requireSchedule(tx, merchantId, scheduleId);
    return {
      token,
      phase,
      consent,
      schedule,
      merchant: await deps.merchantOf(tx, merchantId),
      nextPaymentAt: phase === 'granted' ? await nextPaymentOf(tx, now, schedule) : null,
      firstPence: phase === 'granted' ? await firstPenceOf(platform, tx, consent, schedule) : null,
      underWay: phase === 'ended' ? await underWayOf(tx, consent) : [],
      newer: await newerLinkOf(platform, { tx, now, merchantId }, phase, schedule),
    };
  });
}

/**
 * Returns the link that took the place of one that is over; null: there is none. Whoever holds a link that was granted is the
 * customer, and may go on to the present one; one that was not granted may have reached somebody else.
 */
async function newerLinkOf(
  platform: Platform,
  asked: Asked,
  phase: Phase,
  { scheduleId, consentId, status }: Schedule,
): Promise<NonNullable<ConsentPageState['newer']> | null> {
  const { tx, merchantId } = asked;
  if (phase === 'dropped')
    return (await openLinks(platform, asked, [scheduleId])).size === 0 ? null : { url: null };
  if (phase !== 'replaced' || consentId === null || status === 'cancelled') return null;
  const sealed = (await findLinks(tx, merchantId, [consentId])).get(consentId);
  return sealed === undefined ? null : { url: openLink(platform, merchantId, consentId, sealed) };
}

/** Returns when an active schedule collects next, without what was skipped; null: nothing is planned. */
async function nextPaymentOf(
  tx: Tx,
  now: Temporal.Instant,
  schedule: Schedule,
): Promise<Temporal.Instant | null> {
  if (schedule.status !== 'active') return null;
  const { merchantId, scheduleId } = schedule;
  const terms = await readTermsInForce(tx, schedule);
  const all = [{ schedule, asked: terms }];
  const next = await findNextPayments({ plannedAt: findPlannedAt }, { tx, now, merchantId }, all);
  return next.get(scheduleId) ?? null;
}

/** Returns the first payment that is collected under a granted consent, in pence; null: none, or under another one. */
async function firstPenceOf(
  { vault }: Platform,
  tx: Tx,
  { merchantId, consentId }: ConsentRow,
  schedule: Schedule,
): Promise<number | null> {
  if (schedule.firstPayment === null || schedule.status !== 'active') return null;
  const payment = await findPayment(tx, merchantId, firstPaymentIdOf(vault, schedule));
  return payment?.consentId === consentId ? payment.amountPence : null;
}

/** Returns the payments that may still be taken under a consent that has ended, for every schedule that collected under it. */
async function underWayOf(tx: Tx, consent: ConsentRow): Promise<PaymentUnderWay[]> {
  const { merchantId, consentId } = consent;
  const under = await findSchedulesOfConsent(tx, merchantId, consentId);
  return findUnderWay(tx, merchantId, under);
}

/** Returns the status of a consent that was not found by its link. */
export async function refreshed(deps: PortalDeps, consent: ConsentRow): Promise<ConsentPageState> {
  const { platform } = deps.authorisation;
  const { merchantId, consentId } = consent;
  const row = await platform.db.read((tx) => findConsent(tx, merchantId, consentId));
  const token = platform.vault.open(consent.link, sealContext(merchantId, consentId, 'link'));
  return consentPageOf(deps, token, row ?? consent);
}

/**
 * Returns the link at which the customer of a granted consent can pay from another account for a schedule under it; null: the
 * schedule is not under it, or can have no new consent now. See docs/rules/consents.md#another-account.
 */
export async function openAnotherAccount(
  deps: PortalDeps,
  { consent, schedule }: ConsentPageState,
  scheduleId: string,
): Promise<string | null> {
  const { platform } = deps.authorisation;
  const { merchantId, consentId } = consent;
  const wanted = scheduleId === '' ? schedule.scheduleId : scheduleId;
  try {
    return await platform.db.transaction(async (tx) => {
      const under = await findSchedulesOfConsent(tx, merchantId, consentId);
      if (!under.includes(wanted)) return null;
      const asked = { tx, now: platform.clock.now(), merchantId };
      return chooseAnotherAccount(platform, asked, wanted);
    });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

export type Departure =
  | { to: 'bank'; url: string; state: string; returns: BankTraits['returns'] }
  | { to: 'nowhere'; why: 'no such bank' | 'decided' | 'outage' | 'changed' | 'wider' };

/** Handles the choice of a bank: returns where the browser goes, or why it stays. The customer can retry after an outage. */
export async function startAuthorisation(
  deps: PortalDeps,
  standing: ConsentPageState,
  bankId: string,
  visitor: Visitor,
  shown: Pick<Shown, 'termsVersion' | 'limitsOf'>,
): Promise<Departure> {
  const bank = deps.authorisation.banks.get(bankId);
  if (bank === undefined) return { to: 'nowhere', why: 'no such bank' };
  try {
    const begun = await beginAuthorisation(
      deps.authorisation,
      { ...standing.consent, ...shown },
      bank,
      visitor,
    );
    if ('url' in begun) return { to: 'bank', ...begun, returns: bank.traits.returns };
    if ('wider' in begun) return { to: 'nowhere', why: 'wider' };
    return { to: 'nowhere', why: 'changed' in begun ? 'changed' : 'decided' };
  } catch (error) {
    if (!canLeaveLater(error)) throw error;
    const { platform } = deps.authorisation;
    platform.log.report('portal.bank_unavailable', { bank_id: bankId, err: error });
    return { to: 'nowhere', why: 'outage' };
  }
}

/** Whether an error means that a bank or the issuer does not respond. */
export const isOutage = (error: unknown): boolean =>
  error instanceof BankUnavailable || error instanceof IssuerUnavailable;

/** Whether the customer, who could not be sent to the bank, can begin again: it does not respond, or has no page this time. */
export const canLeaveLater = (error: unknown): boolean =>
  isOutage(error) || error instanceof BankRefused;

export type Arrival =
  | { outcome: 'done' | 'invalid' | 'outage'; standing: ConsentPageState }
  | { outcome: 'unknown' };

/** Handles the customer's return: `answer` is the bank's response from the address, after `#` or `?`. */
export async function handleBankResponse(deps: PortalDeps, answer: string): Promise<Arrival> {
  const state = new URLSearchParams(answer).get('state') ?? '';
  try {
    const completed = await completeAuthorisation(deps.authorisation, state, answer);
    if (completed.outcome === 'unknown') return { outcome: 'unknown' };
    return { outcome: 'done', standing: await refreshed(deps, completed.consent) };
  } catch (error) {
    const isInvalid = error instanceof AuthorisationInvalid;
    if (!isInvalid && !isOutage(error)) throw error;
    const { platform } = deps.authorisation;
    platform.log.report('portal.return_failed', { err: error });
    const consent = await consentOfState(deps, state);
    if (consent === null) return { outcome: 'unknown' };
    const standing = await refreshed(deps, consent);
    return { outcome: isInvalid ? 'invalid' : 'outage', standing };
  }
}

/** Returns the status of the consent with this state; null if no customer left for a bank with it. */
export async function findAtBank(
  deps: PortalDeps,
  state: string,
): Promise<ConsentPageState | null> {
  const consent = await consentOfState(deps, state);
  return consent === null ? null : refreshed(deps, consent);
}

/** Returns the consent whose terms changed while the customer was at the bank with this state, and the terms they had seen. */
export async function findLeft(
  deps: PortalDeps,
  state: string,
): Promise<{ standing: ConsentPageState; terms: Terms | null } | null> {
  const merchantId = merchantOfToken(state);
  if (merchantId === null) return null;
  const { db } = deps.authorisation.platform;
  const consent = await db.read((tx) => findByLeftState(tx, merchantId, hashSecret(state)));
  if (consent === null) return null;
  const standing = await refreshed(deps, consent);
  const version = consent.leftTermsVersion ?? 0;
  return standing.phase === 'deciding'
    ? { standing, terms: await readTermsVersion(deps, standing, version) }
    : null;
}

/** Returns the version of the terms that a page showed, as it showed them, or null. */
export function readTermsVersion(
  { authorisation }: PortalDeps,
  { schedule }: ConsentPageState,
  version: number,
): Promise<Terms | null> {
  const { merchantId, scheduleId } = schedule;
  return authorisation.platform.db.read(async (tx) => {
    const found = await findTerms(tx, merchantId, [{ scheduleId, version }]);
    const terms = found.get(termsKey(scheduleId, version));
    return terms === undefined ? null : termsToAgree(schedule, terms);
  });
}

async function consentOfState(deps: PortalDeps, state: string): Promise<ConsentRow | null> {
  const merchantId = merchantOfToken(state);
  if (merchantId === null) return null;
  const { db } = deps.authorisation.platform;
  return db.read((tx) => findByState(tx, merchantId, hashSecret(state)));
}

/** Declines on the portal. Does nothing if it was already decided; returns the status either way. */
export async function decline(
  deps: PortalDeps,
  standing: ConsentPageState,
): Promise<ConsentPageState> {
  const { platform, hooks } = deps.authorisation;
  await platform.db.transaction((tx) =>
    failConsent(hooks, tx, platform.clock.now(), standing.consent, 'consent_denied'),
  );
  platform.wake();
  return refreshed(deps, standing.consent);
}

/** Withdraws a granted consent for its customer: docs/rules/consents.md#withdrawal. */
export async function withdraw(
  deps: PortalDeps,
  standing: ConsentPageState,
): Promise<ConsentPageState> {
  const { platform } = deps.authorisation;
  await platform.db.transaction((tx) =>
    revokeConsent(deps.authorisation, tx, standing.consent, 'withdrawn_on_portal'),
  );
  platform.wake();
  return refreshed(deps, standing.consent);
}
