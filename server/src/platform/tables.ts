/**
 * Where a table lives on a Citus cluster: `reference`, a whole copy on every node; `distributed`, by merchant, all of them in one
 * colocation group, so that what belongs to one merchant lies on one node; `local`, on the coordinator alone. On a single
 * PostgreSQL it means nothing. See docs/scale.md#where-each-table-lives.
 */
export type Place = 'reference' | 'distributed' | 'local';

/** Every table. */
export const TABLES = {
  // Merchants and people. A person works for several merchants, so these are joined across merchants.
  merchants: 'reference',
  users: 'reference',
  credentials: 'reference',
  sessions: 'reference',
  verifications: 'reference',
  two_factors: 'reference',
  passkeys: 'reference',
  used_codes: 'reference',
  members: 'reference',
  user_links: 'reference',

  // What belongs to one merchant.
  accounts: 'distributed',
  api_keys: 'distributed',
  invitations: 'distributed',
  settlement_account_changes: 'distributed',
  idempotency_keys: 'distributed',
  request_log: 'distributed',
  customers: 'distributed',
  customer_words: 'distributed',
  wallets: 'distributed',
  transfers: 'distributed',
  transfer_seals: 'distributed',
  account_seals: 'distributed',
  schedules: 'distributed',
  schedule_terms: 'distributed',
  occurrence_changes: 'distributed',
  consents: 'distributed',
  bank_grants: 'distributed',
  consent_looks: 'distributed',
  consent_limit_changes: 'distributed',
  bank_revocations: 'distributed',
  settlements: 'distributed',
  payments: 'distributed',
  payment_work: 'distributed',
  to_settle: 'distributed',
  attempts: 'distributed',
  payment_orders: 'distributed',
  payment_evidence: 'distributed',
  unallocated_items: 'distributed',
  debts: 'distributed',
  carried_payments: 'distributed',
  carried_debts: 'distributed',
  state_changes: 'distributed',
  schedule_agenda: 'distributed',
  events: 'distributed',
  events_without_endpoint: 'distributed',
  webhook_endpoints: 'distributed',
  deliveries: 'distributed',
  delivery_attempts: 'distributed',

  // What belongs to the deployment, to a bank or to the issuer.
  bank_distrusts: 'local',
  deployment: 'local',
  deployment_keys: 'local',
  inbox: 'local',
  law_breaches: 'local',
  law_findings: 'local',
  law_marks: 'local',
  law_rounds: 'local',
  migrations: 'local',
  reconciliation_agenda: 'local',
  reconciliation_items: 'local',
  reconciliations: 'local',
  sandbox_clock: 'local',
  unknown_bank_payments: 'local',
} as const satisfies Readonly<Record<string, Place>>;
