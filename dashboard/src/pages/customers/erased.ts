import type { CustomerDetail } from '../../../../server/src/dashboard/customers/view.ts';

/** Whether a customer was erased: every other one has a phone number or an account. */
export const isErased = ({
  phone,
  bank_account: account,
}: Pick<CustomerDetail, 'phone' | 'bank_account'>): boolean => phone === null && account === null;
