import { openLinks } from '../consents/service.ts';
import type { CustomerView } from '../customers/service.ts';
import { viewCustomer } from '../customers/service.ts';
import { findCustomers } from '../customers/store.ts';
import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import type { Amount } from '../platform/money.ts';
import type { Platform } from '../platform/platform.ts';
import type { Frequency, FrequencyType } from './frequency.ts';
import { upcoming } from './occurrences.ts';
import type { Schedule, ScheduleStatus, Terms } from './schedule.ts';
import { findTerms, termsKey } from './store.ts';

/** The Frequency object of SPEC; `day` is absent where it has no meaning. */
export interface FrequencyView {
  type: FrequencyType;
  day?: number;
  interval: number;
}

/** The Schedule object of SPEC, and what DECISIONS adds to it. */
export interface ScheduleView {
  id: string;
  status: ScheduleStatus;
  amount: Amount;
  frequency: FrequencyView;
  customer: CustomerView;
  description: string;
  metadata: Record<string, unknown> | null;
  start_date: string | null;
  end_date: string | null;
  max_retries: number;
  next_payment_date: string | null;
  created_at: string;
  /** What the customer agreed to; collections follow these terms until a new consent is granted. */
  consented: { amount: Amount; frequency: FrequencyView; end_date: string | null } | null;
  consent_url?: string;
}

/** A frequency as the wire carries it. */
export function viewFrequency({ type, day, interval }: Frequency): FrequencyView {
  return day === null ? { type, interval } : { type, day, interval };
}

/** An amount as the wire carries it. */
export function viewAmount(terms: Terms): Amount {
  return { value: terms.amountPence, currency: terms.currency };
}

/** Schedules as the API shows them, in the order given: three statements, however many they are. */
export async function viewSchedules(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  schedules: readonly Schedule[],
): Promise<ScheduleView[]> {
  const versions = schedules.flatMap((s) =>
    [s.termsVersion, s.consentedVersion]
      .filter((version) => version !== null)
      .map((version) => ({ scheduleId: s.scheduleId, version })),
  );
  const terms = await findTerms(tx, merchantId, versions);
  const ids = schedules.map((s) => s.scheduleId);
  const links = await openLinks(platform, tx, merchantId, ids, now);
  const customers = await findCustomers(tx, merchantId, [
    ...new Set(schedules.map((s) => s.customerId)),
  ]);
  return schedules.map((schedule) => {
    const customer = customers.get(schedule.customerId);
    const asked = terms.get(termsKey(schedule.scheduleId, schedule.termsVersion));
    if (customer === undefined || asked === undefined)
      throw new Error(`schedule ${schedule.scheduleId} is torn`);
    const consented =
      terms.get(termsKey(schedule.scheduleId, schedule.consentedVersion ?? 0)) ?? null;
    return view(
      schedule,
      asked,
      consented,
      viewCustomer(platform, merchantId, schedule.customerType, customer),
      links.get(schedule.scheduleId),
      now,
    );
  });
}

function view(
  schedule: Schedule,
  asked: Terms,
  consented: Terms | null,
  customer: CustomerView,
  link: string | undefined,
  now: Temporal.Instant,
): ScheduleView {
  return {
    id: schedule.scheduleId,
    status: schedule.status,
    amount: viewAmount(asked),
    frequency: viewFrequency(asked.series.frequency),
    customer,
    description: schedule.description,
    metadata: schedule.metadata,
    start_date: optional(asked.startDate),
    end_date: optional(asked.series.endAt),
    max_retries: schedule.maxRetries,
    next_payment_date: optional(nextPayment(schedule, asked, now)),
    created_at: formatInstant(schedule.createdAt),
    consented: consented === null ? null : viewConsented(consented),
    ...(link === undefined ? {} : { consent_url: link }),
  };
}

function viewConsented(terms: Terms): NonNullable<ScheduleView['consented']> {
  return {
    amount: viewAmount(terms),
    frequency: viewFrequency(terms.series.frequency),
    end_date: optional(terms.series.endAt),
  };
}

/** The next collection. Before the consent: the first one that it would bring. */
export function nextPayment(
  schedule: Schedule,
  asked: Terms,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (schedule.status !== 'pending_consent') return schedule.dueAt;
  return upcoming(asked.series, now, 1)[0]?.dueDate ?? null;
}

function optional(instant: Temporal.Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
