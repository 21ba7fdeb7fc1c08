import type { PaymentView } from '../../payments/api/view.ts';
import { labelCustomers } from '../customers/label.ts';
import type { Shown } from '../shown.ts';
import { findDescriptions } from './store.ts';
import { PaymentShown } from './view.ts';

/** Returns what the lists of payments show beside them: whose they are, for what, and from which bank. */
export function shownPayments(bankName: (bankId: string) => string): Shown[] {
  const read = async (
    ...[platform, { tx, merchantId }, rows]: Parameters<Shown['read']>
  ): Promise<PaymentShown[]> => {
    const payments: readonly PaymentView[] = rows;
    const customerIds = payments.map((row) => row.customer_id);
    const customers = await labelCustomers(platform, tx, merchantId, customerIds);
    const scheduleIds = payments.map((row) => row.schedule_id);
    const descriptions = await findDescriptions(tx, merchantId, scheduleIds);
    return payments.map((row) => ({
      customer: customers.get(row.customer_id)?.label ?? row.customer_id,
      description: descriptions.get(row.schedule_id) ?? row.schedule_id,
      bank: bankName(row.bank_id),
    }));
  };
  return ['listPayments', 'listPaymentsOfSettlement'].map((operationId) => ({
    operationId,
    fields: PaymentShown,
    read,
  }));
}
