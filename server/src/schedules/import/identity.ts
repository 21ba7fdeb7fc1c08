import { parseCustomer } from '../../customers/customer.ts';
import { canonicalJson, plainEmail, plainText } from '../../platform/values/normal.ts';
import { type CreateBody, instantOf } from '../request/request.ts';

/**
 * Returns what a line says, in the one form that all ways to write it share: numbers of customers as they are stored, instants in
 * UTC, texts as they look. It is what a line is recognised by: docs/rules/import.md#the-same-file-again.
 */
export function identityOf(body: CreateBody): string {
  const { start_date, end_date, description, customer, ...same } = body;
  return canonicalJson({
    ...same,
    description: typeof description === 'string' ? plainText(description) : description,
    customer: customerIdentity(customer),
    ...(start_date && { start_date: instantOf(start_date)?.toString() ?? start_date }),
    ...(end_date && { end_date: instantOf(end_date)?.toString() ?? end_date }),
  });
}

/** Returns the customer as they are stored; as written if that cannot be read, which is refused in the end. */
function customerIdentity(customer: unknown): unknown {
  const parsed = parseCustomer(customer);
  if ('errors' in parsed) return customer;
  const { name, email, reference } = parsed.profile;
  return {
    ...parsed.customer,
    ...(name && { name: plainText(name) }),
    ...(email && { email: plainEmail(email) }),
    ...(reference && { reference }),
  };
}
