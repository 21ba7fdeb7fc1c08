import type { Permission } from '../merchants/role.ts';

/** The permission that a member needs per operation; every operation is listed. */
const NEEDED: Readonly<Record<string, Permission>> = {
  // The public API's
  listSchedules: 'read',
  getSchedule: 'read',
  listUpcoming: 'read',
  listCustomers: 'read',
  getCustomer: 'read',
  listSchedulesOfCustomer: 'read',
  listPaymentsOfSchedule: 'read',
  listPayments: 'read',
  getPayment: 'read',
  listRefundsOfPayment: 'read',
  listRefunds: 'read',
  getRefund: 'read',
  listSettlements: 'read',
  getSettlement: 'read',
  listPaymentsOfSettlement: 'read',
  listWallets: 'read',
  listWebhookEndpoints: 'read',
  getWebhookEndpoint: 'read',
  listEvents: 'read',
  getEvent: 'read',
  getMerchant: 'read',
  createSchedule: 'manage_schedules',
  importSchedules: 'manage_schedules',
  updateSchedule: 'manage_schedules',
  changeUpcoming: 'manage_schedules',
  restoreUpcoming: 'manage_schedules',
  updateCustomer: 'manage_schedules',
  createPayment: 'manage_schedules',
  retryPayment: 'retry_payments',
  createRefund: 'refund_payments',
  retrySettlement: 'retry_settlements',
  createWebhookEndpoint: 'manage_webhooks',
  updateWebhookEndpoint: 'manage_webhooks',
  deleteWebhookEndpoint: 'manage_webhooks',
  rotateWebhookSecret: 'manage_webhooks',
  activateWebhookSecret: 'manage_webhooks',
  testWebhookEndpoint: 'manage_webhooks',
  resendEvent: 'manage_webhooks',
  replayEvents: 'manage_webhooks',
  listApiKeys: 'manage_keys',
  createApiKey: 'manage_keys',
  rotateApiKey: 'manage_keys',
  revokeApiKey: 'manage_keys',
  updateMerchant: 'manage_settings',
  // The sandbox's
  readSandboxClock: 'use_sandbox',
  advanceSandboxClock: 'use_sandbox',
  stopSandboxClock: 'use_sandbox',
  decideSandboxConsent: 'use_sandbox',
  listSandboxAccounts: 'use_sandbox',
  changeSandboxAccount: 'use_sandbox',
  readSandboxIssuer: 'use_sandbox',
  changeSandboxIssuer: 'use_sandbox',
  changeSandboxBank: 'use_sandbox',
  resetSandbox: 'use_sandbox',
  // The dashboard's own
  getMe: 'read',
  getPulse: 'read',
  getOverview: 'read',
  getAttention: 'read',
  searchSchedules: 'read',
  previewTerms: 'read',
  previewChange: 'read',
  getScheduleTimeline: 'read',
  getScheduleConsent: 'read',
  getPortalLink: 'manage_schedules',
  remindCustomer: 'manage_schedules',
  searchAll: 'read',
  searchCustomers: 'read',
  getCustomerPage: 'read',
  searchPayments: 'read',
  getPaymentEvidence: 'read',
  getSettlementLedger: 'read',
  downloadSettlement: 'read',
  searchRequests: 'read_requests',
  getRequest: 'read_requests',
  searchActivity: 'read',
  getSettlementAccount: 'read',
  changeSettlementAccount: 'change_settlement_account',
  confirmSettlementAccount: 'change_settlement_account',
  takeBackSettlementAccount: 'change_settlement_account',
  listNoticeKinds: 'read',
  switchNoticeKind: 'manage_settings',
  listNotices: 'manage_settings',
  getTeam: 'manage_team',
  inviteMember: 'manage_team',
  withdrawInvitation: 'manage_team',
  changeMemberRole: 'manage_team',
  removeMember: 'manage_team',
  makeResetLink: 'manage_team',
};

/** Every operation that the dashboard can call. */
export const OPERATIONS: readonly string[] = Object.keys(NEEDED);

/**
 * Returns the permission that an operation needs. Throws if the operation is not listed, so that no endpoint goes without a
 * permission.
 */
export function permissionFor(operationId: string): Permission {
  const permission = Object.hasOwn(NEEDED, operationId) ? NEEDED[operationId] : undefined;
  if (permission === undefined) throw new Error(`nobody decided who may call ${operationId}`);
  return permission;
}
