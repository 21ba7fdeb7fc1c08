import { join } from 'node:path';
import { SCHEMA } from '../../sandbox/src/bank/schema.ts';
import { dueNotifications, markDelivered } from '../../sandbox/src/issuer/notifications.ts';
import { ISSUER_SCHEMA } from '../../sandbox/src/issuer/schema.ts';
import { getWallet, openWallet, reserveWallet } from '../../sandbox/src/issuer/wallets.ts';
import { openStore, type Store } from '../../sandbox/src/store.ts';

/** The names of one customer's agreement, at us and at the partners: each copy of it has its own. */
export interface Names {
  /** E.164. */
  phone: string;
  customer: string;
  schedule: string;
  consent: string;
  /** The secret of the consent's link. */
  link: string;
  wallet: string;
  issuerWallet: string;
  /** The account of the wallet: sort code and account number, 14 digits. */
  account: string;
  /** The reference on the customer's statement: the end of the schedule's id. */
  reference: string;
  bankConsent: string;
  /** The bank's id of the customer's grant, and the tokens it issued to us under it. */
  grant: string;
  accessToken: string;
  refreshToken: string;
}

/** Returns a text with the names of one agreement replaced by another's. */
export function renamed(text: string, from: Names, to: Names): string {
  const names = Object.keys(from) as (keyof Names)[];
  return names.reduce((done, name) => done.replaceAll(from[name], to[name]), text);
}

/** The books of the sandbox's bank and issuer, which both programs keep using meanwhile. */
export interface PartnerBooks extends Disposable {
  bank: Store;
  issuer: Store;
}

/** Opens the books in the service's data folder. */
export function openPartnerBooks(dataDir: string): PartnerBooks {
  const bank = openStore(join(dataDir, 'sandbox', 'bank', 'bank.sqlite'), SCHEMA);
  const issuer = openStore(join(dataDir, 'sandbox', 'issuer', 'issuer.sqlite'), ISSUER_SCHEMA);
  return {
    bank,
    issuer,
    [Symbol.dispose]() {
      bank.close();
      issuer.close();
    },
  };
}

/**
 * Opens a wallet like the pattern's for each of our names, with the issuer's own functions; its notifications about them count as
 * delivered.
 */
export function openWallets(
  issuer: Store,
  pattern: Pick<Names, 'wallet' | 'issuerWallet'>,
  wallets: readonly string[],
  at: string,
): Pick<Names, 'issuerWallet' | 'account'>[] {
  const { external_reference: reference, holder_name: name } = getWallet(
    issuer,
    pattern.issuerWallet,
  );
  return issuer.transaction(() => {
    const opened = wallets.map((wallet) => {
      const externalReference = reference.replaceAll(pattern.wallet, wallet);
      const holder = { kind: 'person', name } as const;
      const reserved = reserveWallet(issuer, wallet, { externalReference, holder }, at);
      openWallet(issuer, `open-${wallet}`, reserved.wallet_id, at);
      return {
        issuerWallet: reserved.wallet_id,
        account: reserved.sort_code + reserved.account_number,
      };
    });
    for (const { event_id } of dueNotifications(issuer, at, wallets.length))
      markDelivered(issuer, event_id);
    return opened;
  });
}

/** Returns the bank's id of the grant of a consent. */
export function grantOf(bank: Store, bankConsent: string): string {
  const sql = 'SELECT grant_id FROM consents WHERE consent_id = :bankConsent';
  const grant = bank.get<{ grant_id: string | null }>(sql, { bankConsent })?.grant_id;
  if (grant === null || grant === undefined) throw new Error(`${bankConsent} is not granted`);
  return grant;
}

/**
 * Copies the bank's rows of the pattern's consent (itself, the grant and its tokens) for each copy. What is not read again is
 * left out: the browser's session, the key of the request, the notification that we have acknowledged.
 */
export function grantConsents(bank: Store, pattern: Names, copies: readonly Names[]): void {
  const { bankConsent, grant, accessToken, refreshToken } = pattern;
  const consents = bank.all<Row>('SELECT * FROM consents WHERE consent_id = :bankConsent', {
    bankConsent,
  });
  const records = bank.all<Row>(
    'SELECT * FROM oidc_records WHERE id IN (:grant, :accessToken, :refreshToken)',
    { grant, accessToken, refreshToken },
  );
  if (consents.length !== 1 || records.length !== 3) throw new Error('the pattern is not granted');
  bank.transaction(() => {
    for (const copy of copies) {
      for (const row of consents) insert(bank, 'consents', copied(row, pattern, copy));
      for (const row of records) insert(bank, 'oidc_records', copied(row, pattern, copy));
    }
  });
}

type Row = Record<string, string | number | null>;

function copied(row: Row, from: Names, to: Names): Row {
  const fields = Object.entries(row).map(([column, value]) => [
    column,
    typeof value === 'string' ? renamed(value, from, to) : value,
  ]);
  return Object.fromEntries(fields) as Row;
}

function insert(store: Store, table: string, row: Row): void {
  const columns = Object.keys(row);
  const values = columns.map((column) => `:${column}`);
  store.run(`INSERT INTO ${table} (${columns.join()}) VALUES (${values.join()})`, row);
}
