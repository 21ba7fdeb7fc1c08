import type { CustomerDetail } from '../../../../server/src/dashboard/customers/view.ts';

/** Whether a customer was erased: every other one has a phone number or an account. */
export const isErased = ({ type }: Pick<CustomerDetail, 'type'>): boolean => type === 'user_id';
