import { isOpen } from '../../consents/consent.ts';
import { openLinks } from '../../consents/service.ts';
import { type ConsentRow, findConsent } from '../../consents/store.ts';
import { readerOf } from '../../customers/reach.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { findDetails } from '../../schedules/books/details-store.ts';
import { findSchedulesUnder, readTerms } from '../../schedules/books/store.ts';
import { findTermsUnder } from '../../schedules/books/under-store.ts';
import { requireSchedule, type ScheduleDeps } from '../../schedules/change/service.ts';
import { viewAmount } from '../../schedules/change/view.ts';
import { limitUses, roomUnder } from '../../schedules/limits/room.ts';
import { describeSeries } from '../../schedules/terms/describe.ts';
import type { Schedule } from '../../schedules/terms/schedule.ts';
import { listConsents, type PastConsent } from './consent-store.ts';
import { viewLimits } from './limits.ts';
import { isFailing } from './shown.ts';
import { lastPayments } from './store.ts';
import type { ScheduleConsent } from './view.ts';

export interface ConsentDeps extends ScheduleDeps {
  /** Returns a bank's name, for people. */
  bankName(bankId: string): string;
}

/**
 * Returns what a schedule's customer is asked for, what they have agreed to, and how far its limits are used. Throws 404 for an
 * unknown schedule.
 */
export async function showConsent(
  deps: ConsentDeps,
  asked: Asked,
  scheduleId: string,
): Promise<ScheduleConsent> {
  const { tx, now, merchantId } = asked;
  const schedule = await requireSchedule(tx, merchantId, scheduleId);
  const consents = await listConsents(tx, merchantId, scheduleId, schedule.consentId);
  const shown = await findDetails(tx, merchantId, scheduleId, now);
  if (shown === null) throw new Error(`schedule ${scheduleId} has no terms`);
  const last = await lastPayments(tx, merchantId, [scheduleId]);
  return {
    is_failing: isFailing(schedule, last.get(scheduleId)),
    is_reachable: readerOf(deps.platform, merchantId, shown.customer) !== null,
    frequency_text: describeSeries(shown.asked.series),
    consented_frequency_text: shown.consented && describeSeries(shown.consented.series),
    live: await showLive(asked, schedule),
    link: await showLink(deps, asked, scheduleId, consents),
    agreement: await showAgreement(deps, asked, schedule.consentId),
    history: consents.map((consent) => ({
      consent_id: consent.consentId,
      status: consent.status,
      bank: consent.bankId === null ? null : viewBank(deps, consent.bankId),
      created_at: formatInstant(consent.createdAt),
      granted_at: formatInstant(consent.grantedAt),
      ended_at: formatInstant(consent.endedAt),
    })),
  };
}

async function showLive(
  { tx, merchantId }: Asked,
  { scheduleId, liveVersion, termsVersion }: Schedule,
): Promise<ScheduleConsent['live']> {
  if (liveVersion === null || liveVersion === termsVersion) return null;
  const live = await readTerms(tx, merchantId, scheduleId, liveVersion);
  return { amount: viewAmount(live), frequency_text: describeSeries(live.series) };
}

async function showLink(
  deps: ConsentDeps,
  asked: Asked,
  scheduleId: string,
  consents: readonly PastConsent[],
): Promise<ScheduleConsent['link']> {
  const links = await openLinks(deps.platform, asked, [scheduleId]);
  const url = links.get(scheduleId);
  const open = consents.find(({ status }) => isOpen(status));
  if (url === undefined || open === undefined) return null;
  return {
    url,
    expires_at: formatInstant(open.linkExpiresAt),
    is_for_another_account: open.anotherAccount,
  };
}

async function showAgreement(
  deps: ConsentDeps,
  { tx, now, merchantId }: Asked,
  consentId: string | null,
): Promise<ScheduleConsent['agreement']> {
  const consent = consentId === null ? null : await findConsent(tx, merchantId, consentId);
  if (consent?.status !== 'granted' || consent.bankId === null) return null;
  const under = await findSchedulesUnder(tx, merchantId, consent.consentId);
  const params = roomUnder(consent.controlParameters)?.params;
  const begins = params !== undefined && isAfter(params.validFrom, now) ? params.validFrom : null;
  return {
    consent_id: consent.consentId,
    bank: viewBank(deps, consent.bankId),
    bank_consent_id: consent.bankConsentId,
    granted_at: formatInstant(consent.grantedAt),
    begins_at: formatInstant(begins),
    valid_to: formatInstant(params?.validTo ?? null),
    limits: await showLimits(deps, tx, now, consent),
    schedules: under.map((schedule) => schedule.scheduleId),
  };
}

/** Counts the same payments as the check of a change against the limits; those that wait are planned, not used. */
async function showLimits(
  { hooks }: ConsentDeps,
  tx: Tx,
  now: Temporal.Instant,
  consent: ConsentRow,
): Promise<NonNullable<ScheduleConsent['agreement']>['limits']> {
  const key = { merchantId: consent.merchantId, consentId: consent.consentId };
  const payments = await hooks.usedUnder(tx, [key]);
  const under = await findTermsUnder(tx, [key], now);
  const toCome = under.flatMap(({ terms, nextDueAt: from }) => (from ? [{ terms, from }] : []));
  const room = roomUnder(consent.controlParameters, payments, toCome);
  return room === null ? [] : viewLimits(room.params, limitUses(room, now));
}

function viewBank({ bankName }: ConsentDeps, bankId: string): { id: string; name: string } {
  return { id: bankId, name: bankName(bankId) };
}
