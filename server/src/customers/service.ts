import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import type { CustomerIdentification } from './customer.ts';
import { changeProfile, type FullProfile, NO_PROFILE, type ProfileChange } from './profile.ts';
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
  findOrInsertCustomer,
  lockCustomer,
  updateProfile,
} from './store.ts';
import { type CustomerView, knownOf } from './view.ts';
import { deleteWords, insertWords } from './word-store.ts';
import { indexEntries } from './words.ts';

/**
 * Finds this merchant's customer, or creates it; returns it as shown with a schedule. Profile fields that are sent change those
 * of a known customer. Throws 404 `customer_not_found` for an unknown `user_id`.
 */
export async function identifyCustomer(
  platform: Platform,
  asked: Asked,
  customer: CustomerIdentification,
  change: ProfileChange,
): Promise<CustomerView> {
  const { tx, merchantId } = asked;
  const known =
    customer.type === 'user_id'
      ? await requireNamed(tx, merchantId, customer.value)
      : await findOrAdd(platform, asked, customer, change);
  const id = known.customer_id;
  const profile =
    known.isNew || Object.keys(change).length === 0
      ? openProfile(platform, merchantId, known)
      : await changeCustomer(platform, asked, id, change);
  return { id, ...customer, ...knownOf(profile) };
}

async function requireNamed(
  tx: Tx,
  merchantId: string,
  customerId: string,
): Promise<CustomerRow & { isNew: false }> {
  const found = await findCustomer(tx, merchantId, customerId);
  if (found === null)
    throw new ApiError('customer_not_found', 'No customer matches the given identification.', {
      'customer.value': 'is not the id of a customer of yours',
    });
  return { ...found, isNew: false };
}

async function findOrAdd(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  customer: Exclude<CustomerIdentification, { type: 'user_id' }>,
  change: ProfileChange,
): Promise<CustomerRow & { isNew: boolean }> {
  const isPhone = customer.type === 'phone';
  const plain = isPhone ? customer.value : `${customer.sort_code}${customer.account_number}`;
  const { after } = changeProfile(NO_PROFILE, change);
  const { name, email, reference } = sealProfile(platform, merchantId, after);
  const { row, isNew } = await findOrInsertCustomer(
    tx,
    merchantId,
    {
      customerId: platform.ids.next('cus', now),
      type: customer.type,
      ...sealIdentity(platform, merchantId, customer.type, plain),
      name,
      email,
      reference,
    },
    now,
  );
  if (isNew) {
    const number = { phone: isPhone ? plain : null, account: isPhone ? null : plain };
    const words = blindWords(platform, merchantId, indexEntries({ ...number, ...after }));
    tx.unawaited(insertWords(tx, merchantId, row.customer_id, words));
  }
  return { ...row, isNew };
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
  const row = await lockCustomer(tx, merchantId, customerId);
  if (row === null) throw notFound('customer');
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
    insertWords(tx, merchantId, customerId, only(present, old)),
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
