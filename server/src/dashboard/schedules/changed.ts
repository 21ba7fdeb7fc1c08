import { findSchedules } from '../../schedules/books/store.ts';
import { labelCustomers } from '../customers/label.ts';
import type { Shown } from '../shown.ts';
import { LineShown } from './changed-view.ts';

/** What the lines of a change of many schedules show beside them: who pays. */
export const shownChangeLines: Shown = {
  operationId: 'listScheduleChangeLines',
  fields: LineShown,
  async read(platform, { tx, merchantId }, rows: readonly { schedule_id: string }[]) {
    const ids = rows.map((row) => row.schedule_id);
    const schedules = await findSchedules(tx, merchantId, ids);
    const owners = new Map(schedules.map((one) => [one.scheduleId, one.customerId]));
    const customerIds = [...owners.values()];
    const labels = await labelCustomers(platform, tx, merchantId, customerIds);
    return ids.map((id): LineShown => {
      const customerId = owners.get(id) ?? '';
      return { customer_id: customerId, customer: labels.get(customerId)?.label ?? '' };
    });
  },
};
