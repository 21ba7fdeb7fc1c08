import type { Store } from '../store.ts';

/** The scheme's side: negative by the sum of customers' balances and payouts in progress. */
export const FASTER_PAYMENTS_ACCOUNT = 'faster_payments';
/** Holds money that payouts took from wallets until they settle or fail. */
export const PAYOUTS_ACCOUNT = 'payouts_under_way';
/** Holds money that pending transfers took from the sending wallet. */
export const TRANSFERS_ACCOUNT = 'transfers_under_way';
/** Negative by the recalled pay-ins that the partner has not covered yet. Receives transfers like a wallet. */
export const RECALLS_ACCOUNT = 'recalls';

/** One booking between two accounts; `amount` in pence, above zero. */
export interface Entry {
  movementId: string;
  debitAccount: string;
  creditAccount: string;
  amount: number;
  at: string;
}

/** Creates the issuer's own accounts if they do not exist. */
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
 * Records entries and updates the balances, each account once regardless of the number of its entries. Call it only inside a
 * transaction: a balance below zero throws, and everything must roll back.
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

/** The result of checking the books: empty and zero if they are consistent. */
export interface BooksCheck {
  /** Sum of all balances in pence; must be zero, since each entry debits what it credits. */
  total: number;
  /** Accounts whose balance is not the sum of their entries. */
  accountsOutOfStep: string[];
}

/** Recomputes the books from their entries. */
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
