import { findOpenLinks } from '../../consents/store.ts';
import { findPlannedAt } from '../../payments/books/ad-hoc-store.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findNextPayments } from '../../schedules/books/next-payment.ts';
import { findTerms, termsKey } from '../../schedules/books/store.ts';
import { viewAmount, viewFrequency } from '../../schedules/change/view.ts';
import { describeSeries } from '../../schedules/terms/describe.ts';
import type { Schedule, Terms } from '../../schedules/terms/schedule.ts';
import { labelCustomers } from '../customers/label.ts';
import type { ListedSchedule } from './list-store.ts';
import { type LastPayment, lastPayments } from './store.ts';
import type { ScheduleItem } from './view.ts';

/** Returns the schedules of a page, in the order given: in as many statements for ten as for one. */
export async function listItems(
  platform: Platform,
  asked: Asked,
  schedules: readonly ListedSchedule[],
): Promise<ScheduleItem[]> {
  const { tx, now, merchantId } = asked;
  const ids = schedules.map((s) => s.scheduleId);
  const terms = await findTerms(tx, merchantId, schedules.flatMap(versionsOf));
  const links = await findOpenLinks(tx, merchantId, ids, now);
  const waiting = new Set(links.map((link) => link.scheduleId));
  const payments = await lastPayments(tx, merchantId, ids);
  const customerIds = schedules.map((s) => s.customerId);
  const customers = await labelCustomers(platform, tx, merchantId, customerIds);
  const latestOf = (schedule: ListedSchedule): Terms => {
    const latest = terms.get(termsKey(schedule.scheduleId, schedule.termsVersion));
    if (latest === undefined) throw new Error(`schedule ${schedule.scheduleId} is torn`);
    return latest;
  };
  const known = schedules.map((schedule) => ({ schedule, asked: latestOf(schedule) }));
  const next = await findNextPayments({ plannedAt: findPlannedAt }, asked, known);
  return schedules.map((schedule) => {
    const { scheduleId } = schedule;
    const latest = latestOf(schedule);
    const live = terms.get(termsKey(scheduleId, schedule.liveVersion ?? schedule.termsVersion));
    const customer = customers.get(schedule.customerId);
    if (live === undefined || customer === undefined)
      throw new Error(`schedule ${scheduleId} is torn`);
    return {
      ...termsOf(live),
      asked: live === latest ? null : termsOf(latest),
      id: scheduleId,
      status: schedule.status,
      is_failing: isFailing(schedule, payments.get(scheduleId)),
      description: schedule.description,
      customer,
      next_payment_date: formatInstant(next.get(scheduleId) ?? null),
      last_payment: viewLast(payments.get(scheduleId)),
      consent_waiting: waiting.has(scheduleId),
      created_at: formatInstant(schedule.createdAt),
    };
  });
}

/** The versions of its terms that a line shows: what is asked for, and what is collected until the customer agrees to it. */
function versionsOf({ scheduleId, termsVersion, liveVersion }: ListedSchedule) {
  const versions = new Set([termsVersion, liveVersion ?? termsVersion]);
  return [...versions].map((version) => ({ scheduleId, version }));
}

function termsOf(terms: Terms): Pick<ScheduleItem, 'amount' | 'frequency' | 'frequency_text'> {
  return {
    amount: viewAmount(terms),
    frequency: viewFrequency(terms.series.frequency),
    frequency_text: describeSeries(terms.series),
  };
}

/** Says whether a schedule is active and the latest collection that has ended failed. */
export function isFailing({ status }: Pick<Schedule, 'status'>, last?: LastPayment): boolean {
  return status === 'active' && last?.hasFailedLast === true;
}

function viewLast(last: LastPayment | undefined): ScheduleItem['last_payment'] {
  if (last === undefined) return null;
  return { id: last.paymentId, status: last.status, due_date: formatInstant(last.dueDate) };
}
