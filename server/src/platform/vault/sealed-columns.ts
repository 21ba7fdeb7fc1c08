/** A row of a table with sealed text: its primary key, and what else the context of its seal names. All are texts. */
export type SealedRow = Readonly<Record<string, string>>;

/** A column whose text is sealed by the vault. Null, and text that was stored unsealed, is possible in each of them. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  /** Columns besides the key that the context names. */
  also?: readonly string[];
  /** The column is JSON, and only this field of it is sealed. The context gets the other fields too. */
  field?: string;
  /** The service may not change it (docs/rules/access.md#who-may-change-what-in-the-database): only the database's owner may. */
  isWrittenOnce?: true;
  /** Returns the context to which the text is bound: the same as in the file that seals it. */
  context(row: SealedRow): string;
  /** The files that seal it, from server/src. */
  sealedIn: readonly string[];
}

type Kind = Omit<SealedColumn, 'column' | 'context'>;

const of = (
  kind: Kind,
  columns: Readonly<Record<string, (row: SealedRow) => string>>,
): SealedColumn[] =>
  Object.entries(columns).map(([column, context]) => ({ ...kind, column, context }));

const consent =
  (what: string) =>
  (row: SealedRow): string =>
    `consent:${row.merchant_id}:${row.consent_id}:${what}`;
const customer =
  (what: string) =>
  (row: SealedRow): string =>
    `customer:${row.merchant_id}:${what}`;
const account = (row: SealedRow): string => `merchant:${row.merchant_id}:settlement_account`;
const endpoint = (row: SealedRow): string =>
  `webhook_endpoints/${row.merchant_id}/${row.endpoint_id}/secret`;

/**
 * Every column with sealed text. `recollect vault rewrap` works along this table; tests hold it complete: against the files that
 * seal, and against what a service has written.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...of(
    {
      table: 'prepared_acts',
      key: ['merchant_id', 'act_id'],
      sealedIn: ['agents/prepared/inputs.ts'],
    },
    { inputs: (row) => `prepared_act:${row.merchant_id}:${row.act_id}` },
  ),
  ...of(
    {
      table: 'identity_providers',
      key: ['merchant_id'],
      sealedIn: ['merchants/sign-in/sso/provider-store.ts'],
    },
    { client_secret: (row) => `identity_provider:${row.merchant_id}` },
  ),
  ...of(
    { table: 'merchants', key: ['merchant_id'], sealedIn: ['merchants/store.ts'] },
    { settlement_account: account },
  ),
  ...of(
    {
      table: 'settlement_account_changes',
      key: ['merchant_id', 'change_id'],
      sealedIn: ['merchants/store.ts'],
    },
    { old_account: account, new_account: account },
  ),
  ...of(
    {
      table: 'payee_checks',
      key: ['merchant_id', 'check_id'],
      sealedIn: ['merchants/store.ts', 'merchants/settlement-account/payee-check-store.ts'],
    },
    { account, bank_name: (row) => `merchant:${row.merchant_id}:payee_name` },
  ),
  ...of(
    { table: 'customers', key: ['merchant_id', 'customer_id'], sealedIn: ['customers/sealed.ts'] },
    {
      phone: customer('phone'),
      bank_account: customer('bank_account'),
      name: customer('name'),
      email: customer('email'),
      notes: customer('notes'),
    },
  ),
  ...of(
    { table: 'wallets', key: ['merchant_id', 'wallet_id'], sealedIn: ['wallets/service.ts'] },
    { account: (row) => `wallet:${row.merchant_id}:${row.wallet_id}` },
  ),
  ...of(
    {
      table: 'consents',
      key: ['merchant_id', 'consent_id'],
      sealedIn: [
        'consents/service.ts',
        'consents/begin-authorisation.ts',
        'consents/complete-authorisation.ts',
        'consents/confirm.ts',
      ],
    },
    {
      link: consent('link'),
      initiation: consent('initiation'),
      nonce: consent('nonce'),
      confirm_nonce: consent('nonce'),
      paying_account: consent('paying_account'),
    },
  ),
  ...of(
    { table: 'bank_grants', key: ['merchant_id', 'consent_id'], sealedIn: ['consents/grant.ts'] },
    { bank_grant: consent('grant') },
  ),
  ...of(
    {
      table: 'settlements',
      key: ['merchant_id', 'settlement_id'],
      sealedIn: ['settlements/destination.ts'],
    },
    { destination: (row) => `settlement:${row.merchant_id}:${row.settlement_id}` },
  ),
  ...of(
    { table: 'refunds', key: ['merchant_id', 'refund_id'], sealedIn: ['refunds/payer.ts'] },
    { destination: (row) => `refund:${row.merchant_id}:${row.refund_id}` },
  ),
  ...of(
    { table: 'disputes', key: ['merchant_id', 'dispute_id'], sealedIn: ['disputes/texts.ts'] },
    {
      note: (row) => `dispute:${row.merchant_id}:${row.dispute_id}:note`,
      answer: (row) => `dispute:${row.merchant_id}:${row.dispute_id}:answer`,
    },
  ),
  // Before the items that are made of them, so that one pass is usually enough.
  ...of(
    {
      table: 'inbox',
      key: ['source', 'notification_id'],
      field: 'payer',
      sealedIn: ['wallets/payer.ts'],
    },
    { body: (notice) => `payer:${notice.movementId}` },
  ),
  ...of(
    {
      table: 'unallocated_items',
      key: ['merchant_id', 'item_id'],
      also: ['movement_id'],
      sealedIn: ['wallets/payer.ts'],
    },
    { payer: (row) => `payer:${row.movement_id}` },
  ),
  ...of(
    {
      table: 'webhook_endpoints',
      key: ['merchant_id', 'endpoint_id'],
      sealedIn: ['webhooks/service.ts'],
    },
    { secret: endpoint, next_secret: endpoint },
  ),
  ...of(
    { table: 'notices', key: ['merchant_id', 'notice_id'], sealedIn: ['notices/notify.ts'] },
    { content: (row) => `notice:${row.notice_id}` },
  ),
  ...of(
    {
      table: 'saved_views',
      key: ['merchant_id', 'view_id'],
      sealedIn: ['dashboard/saved-views/service.ts'],
    },
    { query: (row) => `saved-view:${row.merchant_id}` },
  ),
  ...of(
    {
      table: 'idempotency_keys',
      key: ['merchant_id', 'key'],
      sealedIn: ['platform/http/calls/idempotency.ts', 'privacy/copies.ts'],
    },
    { response_body: (row) => `idempotency:${row.merchant_id}:${row.key}` },
  ),
  ...of(
    {
      table: 'events',
      key: ['merchant_id', 'event_id'],
      isWrittenOnce: true,
      sealedIn: ['platform/state/events.ts'],
    },
    { body: (row) => `event:${row.event_id}` },
  ),
  ...of(
    {
      table: 'operator_requests',
      key: ['request_id'],
      sealedIn: ['operators/requests/store.ts'],
    },
    { wish: (row) => `operator_requests:${row.request_id}` },
  ),
  ...of(
    {
      table: 'operator_notices',
      key: ['notice_id'],
      sealedIn: ['operators/notices/notice.ts'],
    },
    { content: (row) => `operator_notices:${row.notice_id}` },
  ),
];
