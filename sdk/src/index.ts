export type { CallOptions, ClientOptions, RequestAttempt, RequestResult } from './api.ts';
export { Recollect } from './client.ts';
export {
  RecollectAuthenticationError,
  RecollectConflictError,
  RecollectConnectionError,
  RecollectError,
  RecollectNotFoundError,
  RecollectPermissionError,
  RecollectRateLimitError,
  RecollectRequestError,
  RecollectServiceError,
  type WebhookRefusal,
  WebhookVerificationError,
} from './errors.ts';
export type * from './paging.ts';
export type { Reply, ResponseInfo, WithResponse } from './reply.ts';
export type { ApiKeys } from './resources/api-keys.ts';
export type { Banks } from './resources/banks.ts';
export type { Disputes } from './resources/disputes.ts';
export type { Events } from './resources/events.ts';
export type { Followed, FollowedEvent, FollowOptions } from './resources/feed.ts';
export {
  type ImportOptions,
  type ImportResult,
  importErrorsCsv,
  importLinksCsv,
} from './resources/import.ts';
export { decodeCsv } from './resources/import-file.ts';
export type { ListPromise } from './resources/list.ts';
export type { MerchantSettings } from './resources/merchant.ts';
export type { Payments } from './resources/payments.ts';
export type { PreparedActs } from './resources/prepared-acts.ts';
export type { Refunds } from './resources/refunds.ts';
export type { AdvanceOptions, Sandbox, SandboxMove } from './resources/sandbox.ts';
export type { ManySchedules } from './resources/schedule-changes.ts';
export type { Schedules } from './resources/schedules.ts';
export type { Settlements } from './resources/settlements.ts';
export type { Wallets } from './resources/wallets.ts';
export type { WebhookEndpoints } from './resources/webhook-endpoints.ts';
export type * from './types.ts';
export type * from './values.ts';
export { type SignedWebhook, signWebhook, type WebhookToSign } from './webhooks/sign-webhook.ts';
export {
  type LooselyVerifiedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookToVerify,
} from './webhooks/verify-webhook.ts';
export type { WebhookHeaders } from './webhooks/webhook-headers.ts';
export type * from './wire.ts';
