/**
 * Foreign keys that the product leaves out of the tables which every collection writes, and that tests and simulations run with:
 * docs/decisions/0027-keys-in-tests-alone.md.
 */
const KEYS = [
  ['payments', 'payments_of_schedule', '(merchant_id, schedule_id) REFERENCES schedules'],
  [
    'payments',
    'payments_in_settlement',
    '(merchant_id, settlement_id) REFERENCES settlements DEFERRABLE INITIALLY DEFERRED',
  ],
  ['payment_work', 'payment_work_of_payment', '(merchant_id, payment_id) REFERENCES payments'],
  ['attempts', 'attempts_of_payment', '(merchant_id, payment_id) REFERENCES payments'],
  [
    'payment_orders',
    'payment_orders_of_attempt',
    '(merchant_id, payment_id, attempt) REFERENCES attempts',
  ],
  ['to_settle', 'to_settle_of_payment', '(merchant_id, payment_id) REFERENCES payments'],
  [
    'transfers',
    'transfers_from_debit_account',
    '(merchant_id, debit_account_id) REFERENCES accounts',
  ],
  [
    'transfers',
    'transfers_to_credit_account',
    '(merchant_id, credit_account_id) REFERENCES accounts',
  ],
  ['events', 'events_of_merchant', '(merchant_id) REFERENCES merchants'],
  [
    'deliveries',
    'deliveries_to_endpoint',
    '(merchant_id, endpoint_id) REFERENCES webhook_endpoints',
  ],
] as const;

/** SQL that adds the keys to a database of the product. */
export const ADD_TEST_KEYS: readonly string[] = KEYS.map(
  ([table, name, key]) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} FOREIGN KEY ${key}`,
);

/** SQL that takes the keys away again. */
export const DROP_TEST_KEYS: readonly string[] = KEYS.map(
  ([table, name]) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
);
