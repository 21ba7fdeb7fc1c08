import { findOpenLinks } from '../../consents/store.ts';
import { formatInstant } from '../../platform/calendar.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { describeSeries } from '../../schedules/describe.ts';
import type { Terms } from '../../schedules/schedule.ts';
import { findTerms, termsKey } from '../../schedules/store.ts';
import { nextPayment, viewAmount, viewFrequency } from '../../schedules/view.ts';
import { labelCustomers } from '../customers/label.ts';
import type { ListedSchedule } from './list-store.ts';
import { type LastPayment, lastPayments } from './store.ts';
import type { ScheduleItem } from './view.ts';

/** Returns the schedules of a page, in the order given, in four statements. */
export async function listItems(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  schedules: readonly ListedSchedule[],
): Promise<ScheduleItem[]> {
  const ids = schedules.map((s) => s.scheduleId);
  const terms = await findTerms(tx, merchantId, schedules.flatMap(versionsOf));
  const links = await findOpenLinks(tx, merchantId, ids, now);
  const waiting = new Set(links.map((link) => link.schedule_id));
  const payments = await lastPayments(tx, merchantId, ids);
  const customerIds = schedules.map((s) => s.customerId);
  const customers = await labelCustomers(platform, tx, merchantId, customerIds);
  return schedules.map((schedule) => {
    const { scheduleId } = schedule;
    const asked = terms.get(termsKey(scheduleId, schedule.termsVersion));
    const live = terms.get(termsKey(scheduleId, schedule.liveVersion ?? schedule.termsVersion));
    const customer = customers.get(schedule.customerId);
    if (asked === undefined || live === undefined || customer === undefined)
      throw new Error(`schedule ${scheduleId} is torn`);
    return {
      ...termsOf(live),
      asked: live === asked ? null : termsOf(asked),
      id: scheduleId,
      status: schedule.status,
      description: schedule.description,
      customer,
      next_payment_date: formatInstant(nextPayment(schedule, asked, now)),
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

function viewLast(last: LastPayment | undefined): ScheduleItem['last_payment'] {
  if (last === undefined) return null;
  return { id: last.payment_id, status: last.status, due_date: formatInstant(last.due_date) };
}
