import type { Tx } from '../platform/db/db.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { ApiError, notFound, orNotFound } from '../platform/values/errors.ts';
import type { CustomerIdentification } from './customer.ts';
import {
  changeProfile,
  type FullProfile,
  NO_PROFILE,
  type Profile,
  type ProfileChange,
} from './profile.ts';
import {
  blindWords,
  openCustomer,
  openFullProfile,
  openProfile,
  sealIdentity,
  sealProfile,
} from './sealed.ts';
import {
  type CustomerRow,
  findCustomer,
  findCustomers,
  findOrInsertCustomers,
  lockCustomer,
  type NewCustomer,
  updateProfile,
} from './store.ts';
import { type CustomerView, knownOf } from './view.ts';
import { type CustomerIndexEntry, deleteWords, insertWords } from './word-store.ts';
import { indexEntries } from './words.ts';

/** How a merchant names a customer, and the profile fields sent with it. */
export interface NamedCustomer {
  customer: CustomerIdentification;
  profile: ProfileChange;
}

type Numbered = Exclude<CustomerIdentification, { type: 'user_id' }>;

/** The number of a phone, or sort code and account number together. */
const numberOf = (customer: Numbered): string =>
  customer.type === 'phone' ? customer.value : `${customer.sort_code}${customer.account_number}`;
const nameOf = (customer: CustomerIdentification): string =>
  `${customer.type} ${customer.type === 'user_id' ? customer.value : numberOf(customer)}`;

/**
 * Finds this merchant's customers, or creates them; returns each as shown with a schedule, in their order. Profile fields that
 * are sent change those of a known customer. Throws 404 `customer_not_found` for an unknown `user_id`, 409 `customer_erased`.
 */
export async function identifyCustomers(
  platform: Platform,
  asked: Asked,
  named: readonly NamedCustomer[],
): Promise<CustomerView[]> {
  const known = await findOrAdd(platform, asked, named);
  const profiles = new Map<string, Profile>();
  const shown: CustomerView[] = [];
  for (const one of named) {
    const found = known.get(nameOf(one.customer));
    if (found === undefined) throw customerNotFound();
    refuseErased(found);
    const id = found.customerId;
    const isSent = Object.keys(one.profile).length > 0 && found.newFor !== one;
    const profile = isSent
      ? await changeCustomer(platform, asked, id, one.profile)
      : (profiles.get(id) ?? openProfile(platform, asked.merchantId, found));
    profiles.set(id, profile);
    shown.push({ id, ...one.customer, ...knownOf(profile) });
  }
  return shown;
}

const customerNotFound = (): ApiError =>
  new ApiError('customer_not_found', 'No customer matches the given identification.', {
    'customer.value': 'is not the id of a customer of yours',
  });

/** Throws 409 `customer_erased`: docs/rules/privacy.md#erasure. */
function refuseErased({ erasedAt }: CustomerRow): void {
  if (erasedAt !== null)
    throw new ApiError('customer_erased', 'The personal data of this customer were erased.');
}

/** A customer; `newFor`: the first who named it, with whose profile it was created. */
type IdentifiedCustomer = CustomerRow & { newFor: NamedCustomer | null };

/** Returns the customers by their names; one that is named by an unknown id is missing. */
async function findOrAdd(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  named: readonly NamedCustomer[],
): Promise<Map<string, IdentifiedCustomer>> {
  const firsts = new Map<string, NamedCustomer>();
  for (const one of named) {
    const name = nameOf(one.customer);
    if (!firsts.has(name)) firsts.set(name, one);
  }
  const all = [...firsts.values()];
  const ids = all.flatMap(({ customer }) => (customer.type === 'user_id' ? [customer.value] : []));
  const add = (type: Numbered['type']): Promise<[string, IdentifiedCustomer][]> =>
    addNumbered(
      platform,
      { tx, now, merchantId },
      type,
      all.flatMap((one) => (one.customer.type === type ? [{ one, customer: one.customer }] : [])),
    );
  const [byId, ...added] = await Promise.all([
    ids.length === 0 ? new Map<string, CustomerRow>() : findCustomers(tx, merchantId, ids),
    add('phone'),
    add('bank_account'),
  ]);
  const withIds = [...byId].map(([id, row]): [string, IdentifiedCustomer] => [
    `user_id ${id}`,
    { ...row, newFor: null },
  ]);
  return new Map([...withIds, ...added.flat()]);
}

/** Finds or creates customers who are named by numbers of one type. */
async function addNumbered(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  type: Numbered['type'],
  named: readonly { one: NamedCustomer; customer: Numbered }[],
): Promise<[string, IdentifiedCustomer][]> {
  const byIndex = new Map<string, { one: NamedCustomer; customer: Numbered; after: FullProfile }>();
  const candidates = named.map(({ one, customer }): NewCustomer => {
    const { after } = changeProfile(NO_PROFILE, one.profile);
    const { name, email, reference } = sealProfile(platform, merchantId, after);
    const identity = sealIdentity(platform, merchantId, type, numberOf(customer));
    byIndex.set(identity.index.toString('hex'), { one, customer, after });
    return { customerId: platform.ids.next('cus', now), ...identity, name, email, reference };
  });
  const found = await findOrInsertCustomers(tx, merchantId, type, candidates, now);
  const words: CustomerIndexEntry[] = [];
  const known = found.flatMap(({ index, isNew, ...row }): [string, IdentifiedCustomer][] => {
    const asked = byIndex.get(index.toString('hex'));
    if (asked === undefined) return [];
    const { one, customer, after } = asked;
    if (isNew) words.push(...wordsOf(platform, merchantId, row.customerId, customer, after));
    return [[nameOf(customer), { ...row, newFor: isNew ? one : null }]];
  });
  tx.unawaited(insertWords(tx, merchantId, words));
  return known;
}

function wordsOf(
  platform: Platform,
  merchantId: string,
  customerId: string,
  customer: Numbered,
  profile: FullProfile,
): CustomerIndexEntry[] {
  const number = numberOf(customer);
  const isPhone = customer.type === 'phone';
  const numbers = { phone: isPhone ? number : null, account: isPhone ? null : number };
  const words = blindWords(platform, merchantId, indexEntries({ ...numbers, ...profile }));
  return words.map((word) => ({ customerId, word }));
}

/** Throws 404 `not_found` if the merchant has no such customer. */
export async function requireCustomer(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<void> {
  if ((await findCustomer(tx, merchantId, customerId)) === null) throw notFound('customer');
}

/**
 * Changes the profile fields that are sent, with the entries by which the customer is found, and records which ones changed, but
 * not their values. Returns the profile. Throws 404 `not_found`.
 */
export async function changeCustomer(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  customerId: string,
  change: ProfileChange,
): Promise<FullProfile> {
  const row = orNotFound(await lockCustomer(tx, merchantId, customerId), 'customer');
  refuseErased(row);
  const before = openFullProfile(platform, merchantId, row);
  const { after, changed } = changeProfile(before, change);
  if (changed.length === 0) return before;
  const { phone, bankAccount } = openCustomer(platform, merchantId, row);
  const account = bankAccount && bankAccount.sort_code + bankAccount.account_number;
  const entriesOf = (profile: FullProfile): string[] =>
    indexEntries({ phone, account, ...profile });
  const [old, present] = [entriesOf(before), entriesOf(after)];
  const only = (some: string[], others: string[]): Buffer[] =>
    blindWords(
      platform,
      merchantId,
      some.filter((entry) => !others.includes(entry)),
    );
  await Promise.all([
    updateProfile(tx, merchantId, customerId, sealProfile(platform, merchantId, after)),
    deleteWords(tx, merchantId, customerId, only(old, present)),
    insertWords(
      tx,
      merchantId,
      only(present, old).map((word) => ({ customerId, word })),
    ),
    recordChanges(tx, now, [
      {
        merchantId,
        objectId: customerId,
        scheduleId: null,
        from: 'details',
        to: 'details_changed',
        reason: `changed: ${changed.join(', ')}`,
      },
    ]),
  ]);
  return after;
}
