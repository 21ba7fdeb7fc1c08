import type { TABLES } from '../cluster/tables.ts';

/** Rows that are deleted by a stage once they are old. */
export interface Timed {
  kept: 'for a time';
  for: Temporal.Duration;
  /** The column of the moment from which the time runs. */
  since: string;
  /** Which rows, as SQL; 'true': all. */
  of: string;
  /** The clock of that column: `business` moves with the sandbox's, `real` is the machine's. */
  clock: 'business' | 'real';
  stage: string;
  why: string;
}

/** How long rows of a table are kept, and why. */
export type Retention = { kept: 'for ever' | 'while needed'; why: string } | Timed;

const forEver = (why: string): Retention => ({ kept: 'for ever', why });
const whileNeeded = (why: string): Retention => ({ kept: 'while needed', why });
const forATime = (timed: Omit<Timed, 'kept'>): Timed => ({ kept: 'for a time', ...timed });

const BOOKS = forEver('the books: collections, refunds, settlements and what proves them');
const AUDIT = forEver('who changed what, and why');
const SENT_TO_MERCHANTS = forEver(
  'what merchants were told, so that it can be sent again and proven',
);
const CONSENT = forEver('what customers agreed to, and what the bank said');
const PERSON = whileNeeded('until an erasure, which leaves the id');
const ACCESS = whileNeeded('until the person, the key or the setting is removed');
const SETTING = whileNeeded('until the merchant changes it');
const SIGN_IN = whileNeeded('until it is used or expires');
const WORK = whileNeeded('until the work is done');
const STATE = whileNeeded('one row for each of what it describes');

/** How long each table keeps its rows: docs/rules/retention.md has this table, and a test holds the two together. */
export const RETENTION = {
  idempotency_keys: forATime({
    for: Temporal.Duration.from({ hours: 24 }),
    since: 'created_at',
    of: 'true',
    clock: 'business',
    stage: 'idempotency.forget',
    why: 'a repeated request gets its first answer',
  }),
  request_log: forATime({
    for: Temporal.Duration.from({ hours: 7 * 24 }),
    since: 'at',
    of: 'true',
    clock: 'real',
    stage: 'requests.forget',
    why: 'merchants see what their programs sent',
  }),
  inbox: forATime({
    for: Temporal.Duration.from({ hours: 30 * 24 }),
    since: 'received_at',
    of: 'due_at IS NULL',
    clock: 'business',
    stage: 'inbox.forget',
    why: 'far longer than any bank or issuer repeats a notice; only those that were acted on',
  }),
  bank_condition_changes: forATime({
    for: Temporal.Duration.from({ hours: 90 * 24 }),
    since: 'at',
    of: 'true',
    clock: 'business',
    stage: 'bank_conditions.forget',
    why: 'operators see how each bank was, and can look back after a complaint',
  }),
  schedule_changes: forATime({
    for: Temporal.Duration.from({ hours: 90 * 24 }),
    since: 'created_at',
    of: 'due_at IS NULL',
    clock: 'business',
    stage: 'schedule_changes.forget',
    why: 'merchants look back at a change of many schedules; the audit trail of each schedule keeps what happened to it',
  }),
  prepared_acts: forATime({
    for: Temporal.Duration.from({ hours: 90 * 24 }),
    since: 'created_at',
    of: 'true',
    clock: 'business',
    stage: 'prepared_acts.forget',
    why: 'merchants look back at what agents prepared; the audit trail keeps what happened',
  }),
  former_addresses: forATime({
    for: Temporal.Duration.from({ hours: 30 * 24 }),
    since: 'until',
    of: 'true',
    clock: 'business',
    stage: 'owners.forget',
    why: 'former owners and addresses of the merchant hear for a while what becomes of owners and settlement account',
  }),
  merchants: BOOKS,
  accounts: BOOKS,
  wallets: BOOKS,
  transfers: BOOKS,
  transfer_seals: BOOKS,
  account_seals: BOOKS,
  schedules: BOOKS,
  payments: BOOKS,
  attempts: BOOKS,
  payment_orders: BOOKS,
  settlements: BOOKS,
  refunds: BOOKS,
  disputes: forEver('what was disputed, and how it was answered'),
  refund_lines: BOOKS,
  carried_refund_lines: BOOKS,
  came_back_lines: BOOKS,
  fee_transfers: BOOKS,
  fee_wallet: BOOKS,
  merchant_fees: BOOKS,
  unallocated_items: BOOKS,
  debts: BOOKS,
  carried_payments: BOOKS,
  carried_debts: BOOKS,
  reconciliations: BOOKS,
  reconciliation_items: BOOKS,
  safeguarding_runs: BOOKS,
  safeguarding_breaches: AUDIT,
  safeguarding_register: AUDIT,

  archives: forEver('which history is in files, and their digests'),
  state_changes: AUDIT,
  settlement_account_changes: AUDIT,
  payee_checks: AUDIT,
  merchant_holds: AUDIT,
  bank_stops: AUDIT,
  bank_distrusts: AUDIT,

  events: SENT_TO_MERCHANTS,
  events_without_endpoint: SENT_TO_MERCHANTS,
  deliveries: SENT_TO_MERCHANTS,
  delivery_attempts: SENT_TO_MERCHANTS,
  notices: SENT_TO_MERCHANTS,
  announced_occurrences: SENT_TO_MERCHANTS,

  consents: CONSENT,
  schedule_terms: CONSENT,
  occurrence_changes: CONSENT,
  skipped_occurrences: BOOKS,
  schedule_runs: BOOKS,
  consent_limit_changes: CONSENT,
  bank_revocations: CONSENT,
  consent_looks: STATE,
  bank_conditions: STATE,
  bank_grants: whileNeeded('until the consent has ended'),

  customers: PERSON,
  customer_words: PERSON,
  schedule_words: PERSON,
  saved_views: whileNeeded('until its member deletes it, or an erasure that it names'),
  schedule_change_lines: whileNeeded('as long as the change of many schedules that they belong to'),
  imported_lines: forEver('a file that is imported again creates nothing twice'),

  users: ACCESS,
  credentials: ACCESS,
  two_factors: ACCESS,
  passkeys: ACCESS,
  members: ACCESS,
  let_ins: forEver('whom somebody let in is no second person beside them, ever'),
  access_rules: ACCESS,
  identity_providers: ACCESS,
  identities: ACCESS,
  invitations: ACCESS,
  api_key_limits: forEver('what a key may do on its own, also after it was revoked'),
  api_keys: forEver('keys that were revoked still name who did what'),
  operators: forEver('those who were removed still name who did what'),
  operator_keys: forEver('keys that were revoked still name who did what'),
  operator_identities: ACCESS,
  operator_requests: AUDIT,
  operator_notices: forEver('what operators were notified of'),

  sessions: SIGN_IN,
  verifications: SIGN_IN,
  user_links: SIGN_IN,
  operator_sessions: SIGN_IN,
  used_codes: SIGN_IN,

  merchant_looks: SETTING,
  webhook_endpoints: SETTING,
  notices_off: SETTING,
  notices_on: SETTING,
  announcements: SETTING,
  coming_announcements: SETTING,

  payment_work: WORK,
  to_settle: WORK,
  payment_evidence: WORK,
  unknown_bank_payments: WORK,
  schedule_agenda: STATE,
  reconciliation_agenda: STATE,
  safeguarding_agenda: STATE,

  law_breaches: STATE,
  law_findings: STATE,
  law_marks: STATE,
  law_rounds: STATE,
  deployment: STATE,
  deployment_keys: STATE,
  engine_heartbeats: STATE,
  write_check: STATE,
  vault_seals: forEver('a key that comes back is counted on'),
  sandbox_clock: STATE,
  migrations: forEver('what the schema is made of'),
} as const satisfies Readonly<Record<keyof typeof TABLES, Retention>>;

/** The tables of which a stage deletes old rows. */
export type TimedTable = {
  [T in keyof typeof RETENTION]: (typeof RETENTION)[T] extends Timed ? T : never;
}[keyof typeof RETENTION];
