import type { Method } from '../platform/http/calls/route.ts';

/**
 * Whether an operation wants password and second factor again, because a session may be stolen: `always`; `sometimes`, as its
 * route decides; `in_body`, with every single request (`proved.ts`); `never`.
 */
export type ProofNeed = 'always' | 'sometimes' | 'in_body' | 'never';

/** What every operation that changes something wants. */
const NEEDED: Readonly<Record<string, ProofNeed>> = {
  // Who is on the team, and how they come in.
  inviteMember: 'always',
  changeMemberRole: 'always',
  removeMember: 'always',
  makeResetLink: 'always',
  unlinkMember: 'always',
  changeAccess: 'in_body',
  changeSso: 'in_body',
  removeSso: 'in_body',
  // Takes power away from nobody but who asked for more.
  withdrawInvitation: 'never',
  keepOwner: 'never',
  // Where the money goes.
  changeSettlementAccount: 'in_body',
  confirmSettlementAccount: 'in_body',
  releaseAccountHold: 'in_body',
  takeBackSettlementAccount: 'never',
  // Where customers are sent, and where we write to: `return_url` and `email`.
  updateMerchant: 'sometimes',
  // Keys with `merchant`, `payments` or `keys`.
  createApiKey: 'sometimes',
  rotateApiKey: 'sometimes',
  updateApiKey: 'sometimes',
  revokeApiKey: 'never',
  // The daily work: it moves no money to anybody but customers who paid, and the merchant's own account.
  createSchedule: 'never',
  importSchedules: 'never',
  updateSchedule: 'never',
  changeUpcoming: 'never',
  restoreUpcoming: 'never',
  updateCustomer: 'never',
  eraseCustomer: 'never',
  exportCustomer: 'never',
  createPayment: 'never',
  retryPayment: 'never',
  createRefund: 'never',
  retrySettlement: 'never',
  createWebhookEndpoint: 'never',
  updateWebhookEndpoint: 'never',
  deleteWebhookEndpoint: 'never',
  rotateWebhookSecret: 'never',
  activateWebhookSecret: 'never',
  testWebhookEndpoint: 'never',
  resendEvent: 'never',
  replayEvents: 'never',
  previewTerms: 'never',
  previewChange: 'never',
  getPortalLink: 'never',
  remindCustomer: 'never',
  saveView: 'never',
  deleteView: 'never',
  switchNoticeKind: 'never',
  changeLook: 'never',
  advanceSandboxClock: 'never',
  stopSandboxClock: 'never',
  decideSandboxConsent: 'never',
  changeSandboxAccount: 'never',
  changeSandboxIssuer: 'never',
  changeSandboxBank: 'never',
  resetSandbox: 'never',
};

/**
 * Returns whether an operation wants a proof. Throws for a change that is not listed, so that no endpoint changes anything before
 * somebody has decided.
 */
export function proofFor(operationId: string, method: Method): ProofNeed {
  const need = Object.hasOwn(NEEDED, operationId) ? NEEDED[operationId] : undefined;
  if (need !== undefined) return need;
  if (method === 'GET') return 'never';
  throw new Error(`nobody decided whether ${operationId} asks for password and code`);
}
