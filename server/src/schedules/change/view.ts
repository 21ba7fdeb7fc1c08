import type { Static } from 'typebox';
import { viewPayingAccount } from '../../consents/paying-account.ts';
import { openLink } from '../../consents/service.ts';
import { type CustomerView, viewCustomer } from '../../customers/view.ts';
import type { List, Page } from '../../platform/http/lists/page.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { Amount } from '../../platform/values/money.ts';
import { consentNotice } from '../books/consent-notice.ts';
import { findDetails, findDetailsPage, type ScheduleDetails } from '../books/details-store.ts';
import type { ScheduleFilter } from '../books/list-store.ts';
import { findNextPayments, nextOccurrence, type PlannedHook } from '../books/next-payment.ts';
import { limitsOf, periodName } from '../limits/limits.ts';
import type { ScheduleAnswer } from '../request/schemas.ts';
import { statementReference } from '../request/statement-reference.ts';
import { NO_CHANGES } from '../terms/amounts.ts';
import type { Frequency } from '../terms/frequency.ts';
import { warningsOf } from '../terms/max-gap.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';

/** A schedule in responses. */
export type ScheduleView = Omit<Static<typeof ScheduleAnswer>, 'customer'> & {
  customer: CustomerView;
};

interface ViewDeps {
  platform: Platform;
  hooks: PlannedHook;
}

/** The present moment, and when the schedule collects next. */
interface Moments {
  now: Temporal.Instant;
  next: Temporal.Instant | null;
}

/** Converts a frequency to its form in responses. */
export function viewFrequency({ type, day, interval }: Frequency): ScheduleView['frequency'] {
  return day === null ? { type, interval } : { type, day, interval };
}

/** Converts an amount to its form in responses. */
export function viewAmount(terms: Terms): Amount {
  return { value: terms.amountPence, currency: terms.currency };
}

/** Converts a first payment to its form in responses. */
export function viewFirstPayment(
  { firstPayment }: Schedule,
  currency: string,
): ScheduleView['first_payment'] {
  if (firstPayment === null) return null;
  const { amountPence: value, description } = firstPayment;
  return { amount: { value, currency }, description };
}

/** Converts the limits of terms to their form in responses. */
function viewLimits(terms: Terms): ScheduleView['limits'] {
  const { perPaymentPence, perPeriodPence, periodType } = limitsOf(terms);
  const { currency } = terms;
  return {
    per_payment: { value: perPaymentPence, currency },
    per_period: { value: perPeriodPence, currency },
    period: periodName(periodType),
  };
}

/** Returns a schedule as the API shows it, or null. */
export async function viewSchedule(
  deps: ViewDeps,
  asked: Asked,
  scheduleId: string,
): Promise<ScheduleView | null> {
  const { tx, now, merchantId } = asked;
  const shown = await findDetails(tx, merchantId, scheduleId, now);
  if (shown === null) return null;
  const [view] = await viewAll(deps, asked, [shown]);
  return view ?? null;
}

/** Returns a page of schedules as the API shows them. */
export async function viewPage(
  deps: ViewDeps,
  asked: Asked,
  filter: ScheduleFilter,
  page: Page,
): Promise<List<ScheduleView>> {
  const { tx, now, merchantId } = asked;
  const shown = await findDetailsPage(tx, merchantId, filter, page, now);
  return { ...shown, data: await viewAll(deps, asked, shown.data) };
}

async function viewAll(
  { platform, hooks }: ViewDeps,
  asked: Asked,
  all: readonly ScheduleDetails[],
): Promise<ScheduleView[]> {
  const next = await findNextPayments(hooks, asked, all);
  const at = (shown: ScheduleDetails): Moments => ({
    now: asked.now,
    next: next.get(shown.schedule.scheduleId) ?? null,
  });
  return all.map((shown) => viewDetails(platform, asked.merchantId, shown, at(shown)));
}

/** Returns a schedule that was just created and waits for its customer, as the API shows it. */
export function viewNew(
  schedule: Schedule,
  terms: Terms,
  customer: CustomerView,
  link: string,
  now: Temporal.Instant,
): ScheduleView {
  const rest = { consented: null, payingAccountEnding: null, trouble: null };
  const at = { now, next: nextOccurrence(schedule, terms, NO_CHANGES, now) };
  const links = { consent_url: link, consent_for: 'terms' } as const;
  return view({ schedule, asked: terms, ...rest }, customer, links, at);
}

function viewDetails(
  platform: Platform,
  merchantId: string,
  shown: ScheduleDetails,
  at: Moments,
): ScheduleView {
  const { schedule, open, granted } = shown;
  const customer = viewCustomer(platform, merchantId, schedule.customerType, shown.customer);
  const address = ({ consentId, link }: { consentId: string; link: string }): string =>
    openLink(platform, merchantId, consentId, link);
  const links = {
    ...(open === null ? {} : { consent_url: address(open), consent_for: consentFor(schedule) }),
    // The link of an erased customer is gone.
    ...(granted === null || granted.link === '' ? {} : { portal_url: address(granted) }),
  };
  return view(shown, customer, links, at);
}

/** Returns what an open consent is for: with the terms that hold already, only the account can be another one. */
const consentFor = ({ liveVersion, termsVersion }: Schedule): ScheduleView['consent_for'] =>
  liveVersion === termsVersion ? 'another_account' : 'terms';

function view(
  shown: Omit<ScheduleDetails, 'customer' | 'open' | 'granted'>,
  customer: CustomerView,
  links: Pick<ScheduleView, 'consent_url' | 'consent_for' | 'portal_url'>,
  { now, next }: Moments,
): ScheduleView {
  const { schedule, asked, consented } = shown;
  return {
    id: schedule.scheduleId,
    status: schedule.status,
    amount: viewAmount(asked),
    frequency: viewFrequency(asked.series.frequency),
    customer,
    description: schedule.description,
    metadata: schedule.metadata,
    start_date: formatInstant(asked.startDate),
    end_date: formatInstant(asked.series.endAt),
    max_retries: schedule.maxRetries,
    reference: statementReference(schedule),
    limits: viewLimits(asked),
    first_payment: viewFirstPayment(schedule, asked.currency),
    amount_mode: asked.amountMode,
    non_working_day: asked.series.nonWorkingDay ?? 'same',
    next_payment_date: formatInstant(next),
    resume_at: formatInstant(schedule.resumeAt),
    created_at: formatInstant(schedule.createdAt),
    consented: consented === null ? null : viewConsented(consented),
    paying_account: viewPayingAccount(shown.payingAccountEnding),
    consent_notice: viewNotice(shown, now),
    warnings: schedule.status === 'cancelled' ? [] : warningsOf(asked, now, consented !== null),
    ...links,
  };
}

function viewNotice(
  {
    schedule,
    trouble,
    consented,
    asked,
  }: Pick<ScheduleDetails, 'schedule' | 'trouble' | 'consented' | 'asked'>,
  now: Temporal.Instant,
): ScheduleView['consent_notice'] {
  if (trouble === null) return null;
  const notice = consentNotice(trouble, schedule, consented ?? asked, now);
  return notice === null ? null : { kind: notice.kind, since: formatInstant(notice.since) };
}

function viewConsented(terms: Terms): NonNullable<ScheduleView['consented']> {
  return {
    amount: viewAmount(terms),
    frequency: viewFrequency(terms.series.frequency),
    end_date: formatInstant(terms.series.endAt),
  };
}
