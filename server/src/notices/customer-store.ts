import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';

/** The customer of a schedule, as a notice finds them; name, email and phone are sealed. */
export interface CustomerReader {
  merchantId: string;
  scheduleId: string;
  customerId: string;
  description: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  /** The consent whose link leads to the customer's page; null before one was granted. */
  consentId: string | null;
  link: string | null;
}

interface OfSchedule {
  merchantId: string;
  scheduleId: string;
}

/** Returns the customers of schedules, each row by its key. */
export function findReaders(tx: Tx, schedules: readonly OfSchedule[]): Promise<CustomerReader[]> {
  return tx.rows<CustomerReader>(
    `SELECT k.merchant_id, k.schedule_id, s.customer_id, s.description, u.name, u.email, u.phone, p.consent_id, p.link
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS k (merchant_id, schedule_id)) k
     CROSS JOIN LATERAL (SELECT customer_id, consent_id, description FROM schedules
       WHERE merchant_id = k.merchant_id AND schedule_id = k.schedule_id OFFSET 0) s
     CROSS JOIN LATERAL (SELECT name, email, phone FROM customers
       WHERE merchant_id = k.merchant_id AND customer_id = s.customer_id OFFSET 0) u
     LEFT JOIN LATERAL (SELECT consent_id, link FROM consents
       WHERE merchant_id = k.merchant_id AND consent_id = s.consent_id OFFSET 0) p ON true`,
    columns(schedules, 'merchantId', 'scheduleId'),
  );
}

/** Returns the kinds to customers that merchants have turned on, as `<merchant>:<kind>`. */
export async function findOn(tx: Tx, merchantIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows<{ turnedOn: string }>(
    `SELECT merchant_id || ':' || kind AS turned_on FROM notices_on WHERE merchant_id = ANY($1::text[])`,
    [merchantIds],
  );
  return new Set(rows.map(({ turnedOn }) => turnedOn));
}

/** The sealed name, email and phone of a customer. */
export type Address = Pick<
  CustomerReader,
  'merchantId' | 'customerId' | 'name' | 'email' | 'phone'
>;

/** Returns the names, emails and phones of customers as they are now. */
export function findAddresses(
  tx: Tx,
  customers: readonly { merchantId: string; customerId: string }[],
): Promise<Address[]> {
  return tx.rows<Address>(
    `SELECT k.merchant_id, k.customer_id, u.name, u.email, u.phone
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS k (merchant_id, customer_id)) k
     CROSS JOIN LATERAL (SELECT name, email, phone FROM customers
       WHERE merchant_id = k.merchant_id AND customer_id = k.customer_id OFFSET 0) u`,
    columns(customers, 'merchantId', 'customerId'),
  );
}
