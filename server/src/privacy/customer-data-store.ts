/** What a table holds of one customer, and what becomes of it when the customer is erased. */
export interface CustomerData {
  /** Which rows are the customer's; `$1` is the merchant, `$2` the customer. */
  rows: string;
  /** Columns that erasure overwrites, each with the SQL of its new value; `$3` in `schedules` is the statement name. */
  erased?: Readonly<Record<string, string>>;
  /** Erasure deletes the rows. */
  isDeleted?: true;
  /** Columns that stay: they name no person, or the books need them. Space-separated. */
  kept?: string;
  /** Columns that stay and are left out of an export: secrets, hashes and search words. Space-separated. */
  hidden?: string;
}

const SCHEDULES = 'SELECT schedule_id FROM schedules WHERE merchant_id = $1 AND customer_id = $2';
const OF_SCHEDULES = `schedule_id IN (${SCHEDULES})`;
const PAYMENTS = `SELECT payment_id FROM payments WHERE merchant_id = $1 AND ${OF_SCHEDULES}`;
const OF_PAYMENTS = `payment_id IN (${PAYMENTS})`;
const OF_CONSENTS = `consent_id IN (SELECT consent_id FROM consents WHERE merchant_id = $1 AND ${OF_SCHEDULES})`;
const OF_REFUNDS = `refund_id IN (SELECT refund_id FROM refunds WHERE merchant_id = $1 AND ${OF_SCHEDULES})`;
const OF_EVENTS = `event_id IN (SELECT event_id FROM events WHERE merchant_id = $1 AND ${OF_SCHEDULES})`;
const OF_WALLETS =
  'wallet_id IN (SELECT wallet_id FROM wallets WHERE merchant_id = $1 AND customer_id = $2)';
const OF_ITEMS = `item_id IN (SELECT item_id FROM unallocated_items
  WHERE merchant_id = $1 AND (${OF_WALLETS} OR ${OF_PAYMENTS}))`;
const OF_CUSTOMER = 'customer_id = $2';
/** Requests that name the customer or one of their schedules. */
const NAMES_THEM = `EXISTS (SELECT FROM (SELECT $2 AS id UNION ALL ${SCHEDULES}) ids
  WHERE strpos(concat_ws(' ', t.path, t.request_body, t.response_body), ids.id) > 0)`;

/** Rows that meet one of two conditions, each found by its own index: with OR, all rows of the merchant would be read. */
const eitherOf = (key: string, table: string, one: string, other: string): string =>
  `${key} IN (SELECT ${key} FROM ${table} WHERE merchant_id = $1 AND ${one}
     UNION SELECT ${key} FROM ${table} WHERE merchant_id = $1 AND ${other})`;

const NOTHING = 'NULL';

/**
 * Every table that holds something of a customer, with each of its columns of text, JSON or bytes. A test fails while a column
 * or a table is missing: docs/rules/privacy.md#erasure.
 */
export const CUSTOMER_DATA: Readonly<Record<string, CustomerData>> = {
  customers: {
    rows: OF_CUSTOMER,
    erased: {
      phone: NOTHING,
      phone_index: NOTHING,
      bank_account: NOTHING,
      bank_account_index: NOTHING,
      name: NOTHING,
      email: NOTHING,
      reference: NOTHING,
      notes: NOTHING,
    },
    hidden: 'phone_index bank_account_index',
  },
  customer_words: { rows: OF_CUSTOMER, isDeleted: true, hidden: 'word' },
  wallets: { rows: OF_CUSTOMER, kept: 'status account' },
  schedules: {
    rows: OF_CUSTOMER,
    erased: {
      customer_type: `'user_id'`,
      description: `'Erased'`,
      first_payment_description: NOTHING,
      // All but the merchant's own name may be the customer's: a reference that the merchant chose, or theirs behind its name.
      statement_reference: `CASE WHEN statement_reference IS NULL THEN NULL
        WHEN split_part(statement_reference, ' ', 1) = $3 THEN $3 || ' ERASED' ELSE 'ERASED' END`,
    },
    kept: 'status metadata search_text',
  },
  schedule_words: { rows: OF_SCHEDULES, isDeleted: true, hidden: 'word' },
  schedule_terms: {
    rows: OF_SCHEDULES,
    kept: 'currency frequency_type time_zone amount_mode non_working_day',
  },
  schedule_agenda: { rows: OF_SCHEDULES },
  occurrence_changes: { rows: OF_SCHEDULES },
  skipped_occurrences: { rows: OF_SCHEDULES, kept: 'reason' },
  schedule_runs: { rows: OF_SCHEDULES },
  announced_occurrences: { rows: OF_SCHEDULES },
  imported_lines: { rows: OF_SCHEDULES, hidden: 'line_key content' },
  consents: {
    rows: OF_SCHEDULES,
    erased: {
      link: `''`,
      link_hash: 'sha256(link_hash)', // of no link
      initiation: NOTHING,
      nonce: NOTHING,
      confirm_nonce: NOTHING,
      paying_account: NOTHING,
      paying_account_ending: NOTHING,
    },
    kept: 'status control_parameters',
    hidden: 'link link_hash nonce confirm_nonce state_hash left_state_hash confirm_state_hash',
  },
  bank_grants: { rows: OF_CONSENTS, isDeleted: true, hidden: 'bank_grant revision' },
  consent_looks: { rows: OF_CONSENTS, kept: 'said evidence' },
  consent_limit_changes: { rows: OF_CONSENTS, kept: 'before after' },
  payments: {
    rows: OF_SCHEDULES,
    erased: { description: NOTHING },
    kept: 'currency status error_code error_message returned_reason no_retry_reason ad_hoc',
  },
  payment_work: { rows: OF_PAYMENTS, kept: 'stage stopped_by' },
  schedule_change_lines: {
    rows: OF_SCHEDULES,
    kept: 'schedule_status effect state error_code reason link',
  },
  prepared_acts: {
    rows: `(about_id IN (${SCHEDULES}) OR about_id IN (${PAYMENTS}) OR object_id IN (${SCHEDULES}))`,
    erased: { inputs: NOTHING },
    kept: 'agent operation ground summary status decided_by',
    hidden: 'inputs identity content',
  },
  attempts: { rows: OF_PAYMENTS, kept: 'status bank_status error_code error_message pay_in_by' },
  payment_orders: { rows: OF_PAYMENTS },
  payment_evidence: { rows: OF_PAYMENTS },
  to_settle: { rows: OF_PAYMENTS },
  carried_payments: { rows: OF_PAYMENTS },
  unallocated_items: {
    rows: `(${OF_WALLETS} OR ${OF_PAYMENTS})`,
    erased: { payer: NOTHING },
    kept: 'part_of came_back_of currency reason status proposed ended_by confirmed_by end_reason',
  },
  came_back_lines: { rows: OF_ITEMS, kept: 'carried_by' },
  debts: { rows: `(${OF_WALLETS} OR ${OF_PAYMENTS})`, kept: 'reason issuer_account' },
  refunds: {
    rows: OF_SCHEDULES,
    erased: { reason: NOTHING, destination: NOTHING },
    kept: 'currency status stage error_code error_message',
  },
  disputes: {
    rows: OF_SCHEDULES,
    erased: { note: NOTHING, answer: NOTHING },
    kept: 'raised_by reason currency status refunds_before',
  },
  refund_lines: { rows: OF_REFUNDS, kept: 'kind' },
  carried_refund_lines: { rows: OF_REFUNDS, kept: 'kind' },
  events: { rows: OF_SCHEDULES, kept: 'kind body' }, // the body by `redactEvent`
  events_without_endpoint: { rows: OF_EVENTS },
  deliveries: {
    rows: OF_EVENTS,
    erased: { first_response_body: `CASE WHEN first_response_body IS NOT NULL THEN '' END` },
    kept: 'status',
  },
  delivery_attempts: {
    rows: `delivery_id IN (SELECT delivery_id FROM deliveries WHERE merchant_id = $1 AND ${OF_EVENTS})`,
    erased: { response_body: NOTHING },
    kept: 'error',
  },
  notices: {
    rows: eitherOf(
      'notice_id',
      'notices',
      OF_CUSTOMER,
      `cause_id IN (${SCHEDULES} UNION ALL ${PAYMENTS})`,
    ),
    isDeleted: true,
    kept: 'kind content status error',
    hidden: 'reader_index',
  },
  request_log: {
    rows: NAMES_THEM,
    erased: { request_body: NOTHING, response_body: NOTHING },
    kept: 'method path error_code caller_type idempotency_key user_agent',
  },
  state_changes: {
    rows: eitherOf(
      'change_id',
      'state_changes',
      'schedule_id IS NULL AND object_id = $2',
      OF_SCHEDULES,
    ),
    kept: 'from_state to_state reason actor',
  },
};

/** Tables that hold nothing of a customer, or nothing for long, each with the reason. */
export const NOT_OF_CUSTOMERS: Readonly<Record<string, readonly string[]>> = {
  'the merchant and its team': [
    'merchants',
    'users',
    'credentials',
    'sessions',
    'verifications',
    'two_factors',
    'passkeys',
    'used_codes',
    'members',
    'former_addresses',
    'let_ins',
    'operator_requests',
    'access_rules',
    'identity_providers',
    'identities',
    'user_links',
    'api_keys',
    'api_key_limits',
    'invitations',
    'settlement_account_changes',
    'payee_checks',
    'schedule_changes',
    'merchant_fees',
    'merchant_looks',
    'merchant_holds',
    'webhook_endpoints',
    'notices_off',
    'notices_on',
    'announcements',
    'coming_announcements',
  ],
  'amounts between accounts of ours': [
    'accounts',
    'transfers',
    'transfer_seals',
    'account_seals',
    'settlements',
    'fee_transfers',
    'fee_wallet',
    'carried_debts',
  ],
  'copies, which are found by what they say: `copies.ts`': [
    'idempotency_keys',
    'inbox',
    'saved_views',
  ],
  'ids of a bank’s consents and payments until they are looked up': [
    'bank_revocations',
    'unknown_bank_payments',
  ],
  'the service itself': [
    'archives',
    'bank_condition_changes',
    'bank_conditions',
    'bank_distrusts',
    'bank_stops',
    'deployment',
    'deployment_keys',
    'law_breaches',
    'law_findings',
    'law_marks',
    'law_rounds',
    'engine_heartbeats',
    'migrations',
    'operator_identities',
    'operator_keys',
    'operator_notices',
    'operator_sessions',
    'operators',
    'reconciliation_agenda',
    'reconciliation_items',
    'reconciliations',
    'safeguarding_agenda',
    'safeguarding_breaches',
    'safeguarding_register',
    'safeguarding_runs',
    'sandbox_clock',
    'vault_seals',
    'write_check',
  ],
};
