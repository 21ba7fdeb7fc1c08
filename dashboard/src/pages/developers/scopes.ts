import type { Scope } from '@recollect/sdk';
import type { Permission } from '../../app/session.tsx';

interface ScopeWords {
  /** What a key with this scope may do. */
  sentence: string;
  /** The permission needed to grant it. */
  needs: Permission;
}

const SCOPES: Readonly<Record<Scope, ScopeWords>> = {
  schedules: {
    sentence: 'Create, read, change, pause and cancel schedules.',
    needs: 'manage_schedules',
  },
  payments: { sentence: 'Read payments, retry and refund them.', needs: 'retry_payments' },
  settlements: { sentence: 'Read settlements and wallets.', needs: 'read' },
  customers: { sentence: 'Read and change customers.', needs: 'manage_schedules' },
  webhooks: {
    sentence: 'Manage webhook endpoints and their secrets, read and resend events.',
    needs: 'manage_webhooks',
  },
  merchant: {
    sentence: 'Read and change your business details. Never the settlement account.',
    needs: 'manage_settings',
  },
  keys: {
    sentence: 'Create, replace and revoke API keys. Only for software that manages keys.',
    needs: 'manage_keys',
  },
};

/** Every scope in the page's words, in the API's order. */
export const SCOPE_TEXTS = (Object.keys(SCOPES) as Scope[]).map((scope) => ({
  scope,
  ...SCOPES[scope],
}));
