import { openLink } from '../consents/service.ts';
import { readerOf } from '../customers/reach.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { NewNotice, Reader } from '../platform/state/notify.ts';
import { type CustomerReader, findOn, findReaders } from './customer-store.ts';

type Deps = Pick<Platform, 'vault' | 'config'>;
type ToCustomer = NewNotice & { customer: NonNullable<NewNotice['customer']> };

/** A notice to a customer, with its reader. */
export interface AddressedToCustomer extends Omit<NewNotice, 'to'> {
  to: Reader;
  scheduleId: string;
  customerId: string;
}

const isToCustomer = (notice: NewNotice): notice is ToCustomer => notice.customer !== undefined;

/**
 * Returns the notices that go to customers, with their readers: those of kinds that the merchant has turned on, or that
 * somebody asked for, to customers who can be reached by email or text message. A merchant who has turned nothing on costs one
 * statement.
 */
export async function addressCustomers(
  { vault, config }: Deps,
  tx: Tx,
  notices: readonly NewNotice[],
): Promise<AddressedToCustomer[]> {
  const toCustomers = notices.filter(isToCustomer);
  const switched = toCustomers.filter(({ customer }) => customer.isAsked !== true);
  const on =
    switched.length === 0
      ? new Set<string>()
      : await findOn(tx, [...new Set(switched.map(({ merchantId }) => merchantId))]);
  const wanted = toCustomers.filter(
    ({ merchantId, kind, customer }) =>
      customer.isAsked === true || on.has(`${merchantId}:${kind}`),
  );
  if (wanted.length === 0) return [];
  const readers = await findReaders(
    tx,
    wanted.map(({ merchantId, customer }) => ({ merchantId, ...customer })),
  );
  const byKey = new Map(readers.map((row) => [`${row.merchantId} ${row.scheduleId}`, row]));
  return wanted.flatMap(({ customer, ...notice }) => {
    const reader = byKey.get(`${notice.merchantId} ${customer.scheduleId}`);
    if (reader === undefined) return [];
    const to = readerOf({ vault, config }, notice.merchantId, reader);
    if (to === null) return [];
    const facts = { ...aboutOf({ vault, config }, reader), ...notice.facts };
    return [{ ...notice, facts, to, scheduleId: reader.scheduleId, customerId: reader.customerId }];
  });
}

/** What every notice to a customer may say: what the payments are for, and the link to the customer's page. */
function aboutOf(deps: Deps, reader: CustomerReader): Record<string, string> {
  const { merchantId, consentId, link, description } = reader;
  if (consentId === null || link === null) return { description };
  return { description, url: openLink(deps, merchantId, consentId, link) };
}
