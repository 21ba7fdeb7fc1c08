import type { Platform } from '../platform/platform.ts';
import { openKept } from '../platform/vault/opened.ts';
import type { CustomerType } from './customer.ts';
import type { FullProfile, Profile } from './profile.ts';
import type { CustomerRow } from './store.ts';

const context = (merchantId: string, column: CustomerType | keyof FullProfile): string =>
  `customer:${merchantId}:${column}`;

/** The details of a customer, unsealed. */
export interface CustomerDetails {
  /** E.164. */
  phone: string | null;
  bankAccount: { sort_code: string; account_number: string } | null;
}

/** Opens the sealed columns of a customer's row. */
export function openCustomer(
  { vault }: Platform,
  merchantId: string,
  { phone, bankAccount }: CustomerRow,
): CustomerDetails {
  const account =
    bankAccount === null ? null : vault.open(bankAccount, context(merchantId, 'bank_account'));
  return {
    phone: openPhone({ vault }, merchantId, phone),
    bankAccount:
      account === null
        ? null
        : { sort_code: account.slice(0, 6), account_number: account.slice(6) },
  };
}

/** Opens a sealed phone number: E.164. */
export function openPhone(
  { vault }: Pick<Platform, 'vault'>,
  merchantId: string,
  sealed: string | null,
): string | null {
  return sealed === null ? null : openKept(vault, sealed, context(merchantId, 'phone'));
}

/** Returns the sealed identification of a new customer, and its blind index. */
export function sealIdentity(
  { vault }: Platform,
  merchantId: string,
  type: 'phone' | 'bank_account',
  plain: string,
): { sealed: string; index: Buffer } {
  const place = context(merchantId, type);
  return { sealed: vault.seal(plain, place), index: vault.index(plain, place) };
}

/** Returns a profile as it is stored: all but the reference sealed. */
export function sealProfile(
  { vault }: Platform,
  merchantId: string,
  profile: FullProfile,
): FullProfile {
  const seal = (field: 'name' | 'email' | 'notes'): string | null => {
    const plain = profile[field];
    return plain === null ? null : vault.seal(plain, context(merchantId, field));
  };
  return {
    name: seal('name'),
    email: seal('email'),
    reference: profile.reference,
    notes: seal('notes'),
  };
}

/** Opens the profile of a customer's row. */
export function openProfile(
  { vault }: Pick<Platform, 'vault'>,
  merchantId: string,
  row: Profile,
): Profile {
  const open = (field: 'name' | 'email'): string | null => {
    const sealed = row[field];
    return sealed === null ? null : vault.open(sealed, context(merchantId, field));
  };
  return { name: open('name'), email: open('email'), reference: row.reference };
}

/** Opens the notes too. */
export function openFullProfile(
  platform: Platform,
  merchantId: string,
  row: FullProfile,
): FullProfile {
  const { notes } = row;
  const place = context(merchantId, 'notes');
  return {
    ...openProfile(platform, merchantId, row),
    notes: notes === null ? null : platform.vault.open(notes, place),
  };
}

/** Returns the blind index by which a customer is found: of an E.164 number, or of sort code and account number together. */
export function customerIndex(
  { vault }: Platform,
  merchantId: string,
  type: 'phone' | 'bank_account',
  plain: string,
): Buffer {
  return vault.index(plain, context(merchantId, type));
}

/** Returns the blind indexes of entries of the index of words. */
export function blindWords(
  { vault }: Platform,
  merchantId: string,
  entries: readonly string[],
): Buffer[] {
  return entries.map((entry) => vault.index(entry, `customer:${merchantId}:search`));
}
