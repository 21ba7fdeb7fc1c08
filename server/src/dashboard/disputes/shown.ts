import type { DisputeView } from '../../disputes/view.ts';
import { findSchedules } from '../../schedules/books/store.ts';
import { labelCustomers } from '../customers/label.ts';
import type { Shown } from '../shown.ts';
import { DisputeShown } from './view.ts';

/** What the list of disputes shows beside them: whose they are, and for what. */
export const shownDisputes: Shown = {
  operationId: 'listDisputes',
  fields: DisputeShown,
  async read(platform, { tx, merchantId }, rows) {
    const disputes: readonly DisputeView[] = rows;
    const ids = disputes.map((one) => one.schedule_id);
    const schedules = new Map(
      (await findSchedules(tx, merchantId, ids)).map((one) => [one.scheduleId, one]),
    );
    const customerIds = [...schedules.values()].map(({ customerId }) => customerId);
    const labels = await labelCustomers(platform, tx, merchantId, customerIds);
    return disputes.map(({ schedule_id: id }) => {
      const { customerId = '', description = id } = schedules.get(id) ?? {};
      return { customer: labels.get(customerId)?.label ?? customerId, description };
    });
  },
};
