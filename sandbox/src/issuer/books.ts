import type { Store } from '../store.ts';

/** Faces the scheme: below zero by what customers hold, plus what is on its way out. */
export const FASTER_PAYMENTS_ACCOUNT = 'faster_payments';
/** Holds what payouts took from wallets until they settle or fail. */
export const PAYOUTS_ACCOUNT = 'payouts_under_way';
/** Holds what pending transfers took from their first wallet. */
export const TRANSFERS_ACCOUNT = 'transfers_under_way';
/** Below zero by the recalled pay-ins that the partner has not covered yet. Takes transfers as a wallet does. */
export const RECALLS_ACCOUNT = 'recalls';

/** One step of money between two accounts; `amount` in pence, above zero. */
export interface Entry {
  movementId: string;
  debitAccount: string;
  creditAccount: string;
  amount: number;
  at: string;
}

/** Makes sure that the issuer's own accounts exist. */
export function openBooks(store: Store): void {
  const own = [FASTER_PAYMENTS_ACCOUNT, PAYOUTS_ACCOUNT, TRANSFERS_ACCOUNT, RECALLS_ACCOUNT];
  for (const account of own) {
    store.run(
      `INSERT INTO accounts (account_id, kind) VALUES (:account, :account)
       ON CONFLICT DO NOTHING`,
      { account },
    );
  }
}

/**
 * Records entries and changes the balances, each account once however many entries touch it.
 * Only inside a transaction: a balance that would fall below zero throws, and nothing may remain.
 */
export function postEntries(store: Store, entries: readonly Entry[]): void {
  const changes = new Map<string, number>();
  for (const { movementId, debitAccount, creditAccount, amount, at } of entries) {
    store.run(
      `INSERT INTO entries (movement_id, debit_account, credit_account, amount, at)
       VALUES (:movementId, :debitAccount, :creditAccount, :amount, :at)`,
      { movementId, debitAccount, creditAccount, amount, at },
    );
    changes.set(debitAccount, (changes.get(debitAccount) ?? 0) - amount);
    changes.set(creditAccount, (changes.get(creditAccount) ?? 0) + amount);
  }
  for (const [account, change] of changes) {
    store.run('UPDATE accounts SET balance = balance + :change WHERE account_id = :account', {
      account,
      change,
    });
  }
}

/** What the books say about themselves: all empty and zero when they are in order. */
export interface BooksCheck {
  /** Sum of all balances in pence; zero, since each entry takes what it gives. */
  total: number;
  /** Accounts whose balance is not the sum of their entries. */
  accountsOutOfStep: string[];
}

/** Adds the books up again from their entries. */
export function checkBooks(store: Store): BooksCheck {
  const total = store.get<{ total: number }>(
    'SELECT coalesce(sum(balance), 0) AS total FROM accounts',
  );
  const rows = store.all<{ account_id: string }>(
    `SELECT account_id FROM accounts LEFT JOIN (
       SELECT account, sum(change) AS sum FROM (
         SELECT credit_account AS account, amount AS change FROM entries
         UNION ALL SELECT debit_account, -amount FROM entries
       ) GROUP BY account
     ) ON account = account_id
     WHERE balance <> coalesce(sum, 0) ORDER BY account_id`,
  );
  return { total: total?.total ?? 0, accountsOutOfStep: rows.map((row) => row.account_id) };
}
