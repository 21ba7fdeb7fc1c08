import { openLink } from '../consents/service.ts';
import { readerOf } from '../customers/reach.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { NewNotice, Reader } from '../platform/state/notify.ts';
import { type CustomerReader, findOn, findReaders } from './customer-store.ts';
import { isKind, kindOf } from './kinds.ts';
import { findOff } from './store.ts';

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
 * Returns the notices that go to customers, with their readers: those of kinds that are on for the merchant, or that somebody
 * asked for, to customers who can be reached by email or text message. Kinds that are off cost one statement.
 */
export async function addressCustomers(
  { vault, config }: Deps,
  tx: Tx,
  notices: readonly NewNotice[],
): Promise<AddressedToCustomer[]> {
  const toCustomers = notices.filter(isToCustomer);
  const isOn = await readSwitches(
    tx,
    toCustomers.filter(({ customer }) => customer.isAsked !== true),
  );
  const wanted = toCustomers.filter((one) => one.customer.isAsked === true || isOn(one));
  if (wanted.length === 0) return [];
  const readers = await findReaders(
    tx,
    wanted.map(({ merchantId, customer }) => ({ merchantId, ...customer })),
  );
  const byKey = new Map(readers.map((row) => [`${row.merchantId} ${row.scheduleId}`, row]));
  return wanted.flatMap(({ customer, ...notice }) => {
    const reader = byKey.get(`${notice.merchantId} ${customer.scheduleId}`);
    if (reader === undefined || (customer.hasAgreed === true && reader.consentId === null))
      return [];
    const to = readerOf({ vault, config }, notice.merchantId, reader);
    if (to === null) return [];
    const facts = { ...aboutOf({ vault, config }, reader), ...notice.facts };
    return [{ ...notice, facts, to, scheduleId: reader.scheduleId, customerId: reader.customerId }];
  });
}

type Switched = Pick<NewNotice, 'merchantId' | 'kind'>;

/** Reads what merchants have turned on and off, as far as these notices need it. */
async function readSwitches(
  tx: Tx,
  notices: readonly Switched[],
): Promise<(notice: Switched) => boolean> {
  const isOnAtFirst = ({ kind }: Switched): boolean => isKind(kind) && kindOf(kind).isOnAtFirst;
  const merchantsOf = (some: readonly Switched[]): string[] => [
    ...new Set(some.map(({ merchantId }) => merchantId)),
  ];
  const [off, on] = [
    merchantsOf(notices.filter(isOnAtFirst)),
    merchantsOf(notices.filter((one) => !isOnAtFirst(one))),
  ];
  const turnedOff = off.length === 0 ? new Set<string>() : await findOff(tx, off);
  const turnedOn = on.length === 0 ? new Set<string>() : await findOn(tx, on);
  return (notice) => {
    const key = `${notice.merchantId}:${notice.kind}`;
    return isOnAtFirst(notice) ? !turnedOff.has(key) : turnedOn.has(key);
  };
}

/** What every notice to a customer may say: what the payments are for, and the link to the customer's page. */
function aboutOf(deps: Deps, reader: CustomerReader): Record<string, string> {
  const { merchantId, consentId, link, description } = reader;
  if (consentId === null || link === null) return { description };
  return { description, url: openLink(deps, merchantId, consentId, link) };
}
