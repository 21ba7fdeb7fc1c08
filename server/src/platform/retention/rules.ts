import type { TABLES } from '../cluster/tables.ts';
import type { RetentionClass } from './classes.ts';

/** Rows that are deleted by a stage once they are old: no duty asks for them. */
export interface Timed {
  class: 'access' | 'operations';
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

/** How long rows of a table are kept, why, and which duty stands behind it: `classes.ts`. */
export type Retention =
  | { class: RetentionClass; kept: 'for ever' | 'while needed'; why: string }
  | Timed;

const forEver = (of: RetentionClass, why: string): Retention => ({
  class: of,
  kept: 'for ever',
  why,
});
const whileNeeded = (of: RetentionClass, why: string): Retention => ({
  class: of,
  kept: 'while needed',
  why,
});
const forATime = (timed: Omit<Timed, 'kept'>): Timed => ({ kept: 'for a time', ...timed });

const BOOKS = forEver('books', 'collections, refunds, settlements and what proves them');
const SAFEGUARDING = forEver('safeguarding', 'what was owed and held each day, and what was wrong');
const AUDIT = forEver('trail', 'who changed what, who looked at what, and why');
const TOLD = forEver('told', 'what merchants were told, so that it can be sent again and proven');
const AGREED = forEver('agreements', 'what customers agreed to, and what the bank said');
const PERSON = whileNeeded('identity', 'until an erasure, which leaves the id');
const ACCESS = whileNeeded('access', 'until the person, the key or the setting is removed');
const SETTING = whileNeeded('operations', 'until the merchant changes it');
const SIGN_IN = whileNeeded('access', 'until it is used or expires');
const WORK = whileNeeded('operations', 'until the work is done');
const STATE = whileNeeded('operations', 'one row for each of what it describes');

/** How long each table keeps its rows: docs/rules/retention.md has this table, and a test holds the two together. */
export const RETENTION = {
  idempotency_keys: forATime({
    class: 'operations',
    for: Temporal.Duration.from({ hours: 24 }),
    since: 'created_at',
    of: 'true',
    clock: 'business',
    stage: 'idempotency.forget',
    why: 'a repeated request gets its first answer',
  }),
  request_log: forATime({
    class: 'operations',
    for: Temporal.Duration.from({ hours: 7 * 24 }),
    since: 'at',
    of: 'true',
    clock: 'real',
    stage: 'requests.forget',
    why: 'merchants see what their programs sent',
  }),
  inbox: forATime({
    class: 'operations',
    for: Temporal.Duration.from({ hours: 30 * 24 }),
    since: 'received_at',
    of: 'due_at IS NULL',
    clock: 'business',
    stage: 'inbox.forget',
    why: 'far longer than any bank or issuer repeats a notice; only those that were acted on',
  }),
  bank_condition_changes: forATime({
    class: 'operations',
    for: Temporal.Duration.from({ hours: 90 * 24 }),
    since: 'at',
    of: 'true',
    clock: 'business',
    stage: 'bank_conditions.forget',
    why: 'operators see how each bank was, and can look back after a complaint',
  }),
  schedule_changes: forATime({
    class: 'operations',
    for: Temporal.Duration.from({ hours: 90 * 24 }),
    since: 'created_at',
    of: 'due_at IS NULL',
    clock: 'business',
    stage: 'schedule_changes.forget',
    why: 'merchants look back at a change of many schedules; the audit trail of each schedule keeps what happened to it',
  }),
  prepared_acts: forATime({
    class: 'operations',
    for: Temporal.Duration.from({ hours: 90 * 24 }),
    since: 'created_at',
    of: 'true',
    clock: 'business',
    stage: 'prepared_acts.forget',
    why: 'merchants look back at what agents prepared; the audit trail keeps what happened',
  }),
  former_addresses: forATime({
    class: 'access',
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
  disputes: forEver('agreements', 'what was disputed, and how it was answered'),
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
  reconciliations: SAFEGUARDING,
  reconciliation_items: SAFEGUARDING,
  safeguarding_runs: SAFEGUARDING,
  safeguarding_breaches: SAFEGUARDING,
  safeguarding_register: SAFEGUARDING,

  archives: forEver('trail', 'which history is in files, and their digests'),
  state_changes: AUDIT,
  settlement_account_changes: AUDIT,
  payee_checks: AUDIT,
  merchant_holds: AUDIT,
  bank_stops: AUDIT,
  bank_distrusts: AUDIT,

  events: TOLD,
  events_without_endpoint: TOLD,
  deliveries: TOLD,
  delivery_attempts: TOLD,
  notices: TOLD,
  announced_occurrences: TOLD,

  consents: AGREED,
  schedule_terms: AGREED,
  occurrence_changes: AGREED,
  skipped_occurrences: BOOKS,
  schedule_runs: BOOKS,
  consent_limit_changes: AGREED,
  bank_revocations: AGREED,
  consent_looks: STATE,
  bank_conditions: STATE,
  bank_grants: whileNeeded('operations', 'until the consent has ended'),

  customers: PERSON,
  customer_words: PERSON,
  schedule_words: PERSON,
  saved_views: whileNeeded('identity', 'until its member deletes it, or an erasure that it names'),
  schedule_change_lines: whileNeeded(
    'operations',
    'as long as the change of many schedules that they belong to',
  ),
  imported_lines: forEver('operations', 'a file that is imported again creates nothing twice'),

  users: ACCESS,
  credentials: ACCESS,
  two_factors: ACCESS,
  passkeys: ACCESS,
  members: ACCESS,
  let_ins: forEver('trail', 'whom somebody let in is no second person beside them, ever'),
  access_rules: ACCESS,
  identity_providers: ACCESS,
  identities: ACCESS,
  invitations: ACCESS,
  api_key_limits: forEver('trail', 'what a key may do on its own, also after it was revoked'),
  api_keys: forEver('trail', 'keys that were revoked still name who did what'),
  operators: forEver('trail', 'those who were removed still name who did what'),
  operator_keys: forEver('trail', 'keys that were revoked still name who did what'),
  operator_identities: ACCESS,
  operator_requests: AUDIT,
  operator_notices: forEver('trail', 'what operators were notified of'),

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
  vault_seals: forEver('operations', 'a key that comes back is counted on'),
  sandbox_clock: STATE,
  migrations: forEver('operations', 'what the schema is made of'),
} as const satisfies Readonly<Record<keyof typeof TABLES, Retention>>;

/** The tables of which a stage deletes old rows. */
export type TimedTable = {
  [T in keyof typeof RETENTION]: (typeof RETENTION)[T] extends Timed ? T : never;
}[keyof typeof RETENTION];
