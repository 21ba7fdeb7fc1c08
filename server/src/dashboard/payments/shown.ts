import type { PaymentView } from '../../payments/api/view.ts';
import { labelCustomers } from '../customers/label.ts';
import type { Shown } from '../shown.ts';
import { findDescriptions } from './store.ts';
import { PaymentShown } from './view.ts';

/** What the list of payments shows beside them: whose they are, and for what. */
export const shownPayments: Shown = {
  operationId: 'listPayments',
  fields: PaymentShown,
  async read(platform, { tx, merchantId }, rows: readonly PaymentView[]): Promise<PaymentShown[]> {
    const customerIds = rows.map((row) => row.customer_id);
    const customers = await labelCustomers(platform, tx, merchantId, customerIds);
    const scheduleIds = rows.map((row) => row.schedule_id);
    const descriptions = await findDescriptions(tx, merchantId, scheduleIds);
    return rows.map((row) => ({
      customer: customers.get(row.customer_id)?.label ?? row.customer_id,
      description: descriptions.get(row.schedule_id) ?? row.schedule_id,
    }));
  },
};
