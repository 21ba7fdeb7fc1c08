import type { FullCustomerView } from '../../customers/directory.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import type { Shown } from '../shown.ts';
import { describeNumber } from './label.ts';
import { countSchedules } from './store.ts';
import { CustomerShown } from './view.ts';

/** What the list of customers shows beside them: what they are called, and how much they have. */
export const shownCustomers: Shown = {
  operationId: 'listCustomers',
  fields: CustomerShown,
  read: showCustomers,
};

/** Returns what customers are called, and how many schedules they have. */
export async function showCustomers(
  _: Platform,
  { tx, merchantId }: Asked,
  rows: readonly FullCustomerView[],
): Promise<CustomerShown[]> {
  const ids = rows.map((row) => row.id);
  const counts = await countSchedules(tx, merchantId, ids);
  return rows.map((row) => {
    const number = numberOf(row);
    const { active = 0, total = 0 } = counts.get(row.id) ?? {};
    return { label: row.name ?? number, number, schedules: { active, total } };
  });
}

function numberOf(row: FullCustomerView): string {
  const phone = row.type === 'phone' ? row.value : null;
  return describeNumber({ phone, bankAccount: row.type === 'bank_account' ? row : null });
}
