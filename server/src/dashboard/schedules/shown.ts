import { findOpenLinks } from '../../consents/store.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findTerms, termsKey } from '../../schedules/books/store.ts';
import { viewAmount, viewFrequency } from '../../schedules/change/view.ts';
import { describeSeries } from '../../schedules/terms/describe.ts';
import type { Schedule, Terms } from '../../schedules/terms/schedule.ts';
import { labelCustomers } from '../customers/label.ts';
import type { Shown } from '../shown.ts';
import { ScheduleShown } from './list-view.ts';
import { findListed, type LastPayment, lastPayments } from './store.ts';

/** What the list of schedules shows beside them: what is collected from whom, and how the last payment went. */
export const shownSchedules: Shown = {
  operationId: 'listSchedules',
  fields: ScheduleShown,
  async read(platform, asked, rows: readonly { id: string }[]): Promise<ScheduleShown[]> {
    const ids = rows.map((row) => row.id);
    const schedules = await findListed(asked.tx, asked.merchantId, ids);
    const shown = await showSchedules(platform, asked, schedules);
    return ids.flatMap((id) => shown.get(id) ?? []);
  },
};

/** Returns what is shown beside schedules, by their ids: in as many statements for ten as for one. */
export async function showSchedules(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  schedules: readonly Schedule[],
): Promise<Map<string, ScheduleShown>> {
  const ids = schedules.map((s) => s.scheduleId);
  const terms = await findTerms(tx, merchantId, schedules.flatMap(versionsOf));
  const links = await findOpenLinks(tx, merchantId, ids, now);
  const waiting = new Set(links.map((link) => link.scheduleId));
  const payments = await lastPayments(tx, merchantId, ids);
  const customerIds = schedules.map((s) => s.customerId);
  const customers = await labelCustomers(platform, tx, merchantId, customerIds);
  const show = (schedule: Schedule): ScheduleShown => {
    const { scheduleId, termsVersion, liveVersion } = schedule;
    const latest = terms.get(termsKey(scheduleId, termsVersion));
    const live = terms.get(termsKey(scheduleId, liveVersion ?? termsVersion));
    const customer = customers.get(schedule.customerId);
    if (latest === undefined || live === undefined || customer === undefined)
      throw new Error(`schedule ${scheduleId} is torn`);
    const last = payments.get(scheduleId);
    return {
      is_failing: isFailing(schedule, last),
      terms: viewTerms(live),
      asked: live === latest ? null : viewTerms(latest),
      customer: customer.label,
      last_payment: viewLast(last),
      consent_waiting: waiting.has(scheduleId),
    };
  };
  return new Map(schedules.map((schedule) => [schedule.scheduleId, show(schedule)]));
}

/** The versions of its terms that a line shows: what is asked for, and what is collected until the customer agrees to it. */
function versionsOf({ scheduleId, termsVersion, liveVersion }: Schedule) {
  const versions = new Set([termsVersion, liveVersion ?? termsVersion]);
  return [...versions].map((version) => ({ scheduleId, version }));
}

function viewTerms(terms: Terms): ScheduleShown['terms'] {
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

function viewLast(last: LastPayment | undefined): ScheduleShown['last_payment'] {
  if (last === undefined) return null;
  return { id: last.paymentId, status: last.status, due_date: formatInstant(last.dueDate) };
}
