import type { Customer } from '@recollect/sdk';
import { Link } from 'react-router';
import { useCustomer } from '../../../api/customers.ts';

/** A customer's name, phone number or account, as a link to their page. */
export function CustomerName({ customer }: { customer: Customer }) {
  const { data } = useCustomer(customer.id);
  return <Link to={`/customers/${customer.id}`}>{data?.shown.label ?? nameOf(customer)}</Link>;
}

function nameOf(customer: Customer): string {
  if (customer.name !== undefined) return customer.name;
  return customer.type === 'bank_account'
    ? `${customer.sort_code} ${customer.account_number}`
    : customer.value;
}
