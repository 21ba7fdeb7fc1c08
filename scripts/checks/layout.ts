// The layering of the code: for the rules on imports (.dependency-cruiser.mjs) and for our own.

/** The server's slices: a file may import from its own slice and from those before it, never after. */
export const SLICES: readonly string[] = [
  'platform',
  'merchants',
  'customers',
  'wallets',
  'banks',
  'consents',
  'schedules',
  'payments',
  'refunds',
  'settlements',
  'webhooks',
  'notices',
  'disputes',
  'laws',
  'safeguarding',
  'privacy',
  'archive',
  'portal',
  'agents',
  'dashboard',
  'operators',
  'sandbox',
  'app',
];

/**
 * Folders whose sub-folders have an order, as the slices have: a file imports from its own sub-folder and from those before it.
 * What lies in such a folder itself comes after all of them, unless it has a place of its own.
 */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  'server/src/platform': [
    'values',
    'brand',
    'documents',
    'network',
    'connection',
    'time',
    'config',
    'log',
    'cluster',
    'db',
    'postgres',
    'vault',
    'engine',
    'state',
    'two-people',
    'platform.ts',
    'inbox.ts',
    'retention',
    'seals',
    'http',
  ],
  'server/src/schedules': [
    'terms',
    'limits',
    'request',
    'books',
    'change',
    'stages',
    'import',
    'many',
  ],
  'server/src/payments': [
    'payment',
    'books',
    'limits',
    'outcomes',
    'pay-ins',
    'stages',
    'operator',
    'api',
  ],
  'server/src/agents': ['acts', 'prepared', 'mcp'],
  'server/src/laws': ['findings', 'seals', 'reconciliation', 'invariants', 'run'],
  'sandbox/src/bank': [
    'config.ts',
    'schema.ts',
    'wire',
    'parties',
    'behaviour',
    'bank.ts',
    'doors',
    'books',
    'vrp',
    'pages',
    'control',
  ],
  'server/src/app': ['banks-file', 'deployment', 'docs', 'wiring', 'cli'],
  'server/src/app/cli': ['session', 'serving', 'client', 'operations', 'sandbox', 'merchant'],
  'dashboard/src/pages/settings': ['frame', 'proof', 'business', 'security', 'emails', 'team'],
  'dashboard/src/pages/schedules': ['form', 'show', 'many', 'list', 'change', 'import'],
  'server/src/platform/http': ['schemas', 'lists', 'admission', 'request-log', 'calls', 'openapi'],
};

/** Folders with a front: nothing outside of them imports another file of theirs. */
export const FOLDER_FRONTS: Readonly<Record<string, readonly string[]>> = {
  'server/src/schedules/limits': ['agreement.ts', 'describe-limits.ts', 'limits.ts', 'room.ts'],
};

/** Pure files of the server: types, state tables and decisions; none of them reaches I/O. */
export const PURE_FILES: readonly string[] = [
  'platform/time/bank-holidays.ts',
  'platform/time/calendar.ts',
  'platform/time/local-time.ts',
  'platform/values/errors.ts',
  'platform/values/instants.ts',
  'platform/values/money.ts',
  'platform/state/state-machine.ts',
  'merchants/merchant.ts',
  'merchants/terms/fees.ts',
  'merchants/role.ts',
  'merchants/rules.ts',
  'customers/customer.ts',
  'wallets/issuer.ts',
  'banks/bank.ts',
  'consents/consent.ts',
  'schedules/limits/agreement.ts',
  'schedules/limits/headroom.ts',
  'schedules/limits/limit-window.ts',
  'schedules/limits/limits.ts',
  'schedules/limits/room.ts',
  'schedules/limits/tightest-limit.ts',
  'schedules/terms/describe.ts',
  'schedules/terms/frequency.ts',
  'schedules/terms/occurrences.ts',
  'schedules/terms/plan.ts',
  'schedules/terms/retry-times.ts',
  'schedules/terms/schedule.ts',
  'payments/payment/payment.ts',
  'payments/payment/attempt.ts',
  'payments/payment/outcome.ts',
  'payments/payment/retry.ts',
  'payments/payment/states.ts',
  'refunds/refund.ts',
  'settlements/settlement-day.ts',
  'settlements/settlement.ts',
  'disputes/dispute.ts',
  'webhooks/endpoint.ts',
  'webhooks/retry-ladder.ts',
  'webhooks/signature.ts',
  'notices/kinds.ts',
  'notices/notice.ts',
  'notices/words.ts',
  'privacy/redact.ts',
  'privacy/traces.ts',
  'dashboard/accounting/journal.ts',
  'dashboard/accounting/layouts.ts',
  'dashboard/customers/search-term.ts',
  'dashboard/overview/days.ts',
  'dashboard/overview/upcoming.ts',
  'dashboard/schedules/change-words.ts',
  'dashboard/schedules/merge.ts',
  'dashboard/schedules/timeline-words.ts',
];

/** Tests, code that only tests use, and the behaviour suites of the ports: no product code imports them. */
export const TEST_CODE =
  '[.]test[.]ts$|-contract[.]ts$|/bank-journey[.]ts$' +
  '|^(server|sandbox)/test-support/|^test/|^bench/|^simulation/|^chaos/';

/** Tooling around the product: checks, test runner, generators, the demo. */
export const TOOLING = '^scripts/|^sdk/scripts/|^demo/';

/** The types of the SDK, which are generated. */
export const SDK_TYPES = 'sdk/src/types.ts';

/** Whether a path (from the root, with slashes) is product code: neither test nor tooling. */
export function isProductCode(path: string): boolean {
  const product = /^(server|sandbox|sdk|dashboard)\/.*[.]tsx?$/.test(path) && path !== SDK_TYPES;
  return product && !new RegExp(`${TEST_CODE}|${TOOLING}`).test(path);
}
