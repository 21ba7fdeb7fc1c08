export type { CallOptions, ClientOptions, RequestAttempt, RequestResult } from './api.ts';
export { Recollect } from './client.ts';
export type { ErrorCode } from './error-codes.ts';
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
export type { Reply, ResponseInfo, WithResponse } from './reply.ts';
export type { ApiKey, ApiKeys, NewApiKey, Scope } from './resources/api-keys.ts';
export type { Bank, BankCondition, Banks } from './resources/banks.ts';
export type {
  Customer,
  CustomerChanges,
  CustomerDetails,
  CustomerErasure,
  CustomerExport,
  CustomerIdentification,
  CustomerInput,
  CustomerProfile,
  CustomerQuery,
  ErasedCustomer,
} from './resources/customers.ts';
export type {
  Delivery,
  DeliveryAttempt,
  EventQuery,
  Events,
  RecollectEvent,
  RecollectEventDetail,
  Replay,
  Replayed,
} from './resources/events.ts';
export {
  type ImportedLine,
  type ImportOptions,
  type ImportResult,
  type ImportStatus,
  importErrorsCsv,
  importLinksCsv,
} from './resources/import.ts';
export type { ListPromise } from './resources/list.ts';
export type { Fees, Merchant, MerchantChanges, MerchantSettings } from './resources/merchant.ts';
export type {
  Attempt,
  NoRetryReason,
  NotSentReason,
  Payment,
  PaymentKind,
  PaymentQuery,
  PaymentStatus,
  Payments,
  UnexpectedMoney,
  UnexpectedMoneyReason,
  UnexpectedMoneyStatus,
} from './resources/payments.ts';
export type { NewRefund, Refund, RefundQuery, RefundStatus, Refunds } from './resources/refunds.ts';
export type {
  Sandbox,
  SandboxAccount,
  SandboxBank,
  SandboxBankBehaviour,
  SandboxClock,
  SandboxDecided,
  SandboxDecision,
  SandboxFault,
  SandboxHappening,
  SandboxIssuer,
  SandboxMove,
  SandboxMoved,
} from './resources/sandbox.ts';
export type {
  AmountMode,
  Frequency,
  FrequencyInput,
  FrequencyType,
  LimitPeriod,
  Limits,
  LimitsInput,
  Metadata,
  NewPayment,
  NewSchedule,
  NonWorkingDay,
  Occurrence,
  OccurrenceChange,
  Schedule,
  ScheduleChanges,
  ScheduleQuery,
  ScheduleStatus,
  Schedules,
} from './resources/schedules.ts';
export type {
  Settlement,
  SettlementQuery,
  SettlementStatus,
  Settlements,
} from './resources/settlements.ts';
export type { Wallet, WalletStatus, Wallets } from './resources/wallets.ts';
export type {
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpoints,
  WebhookEndpointWithSecret,
} from './resources/webhook-endpoints.ts';
export { type SignedWebhook, signWebhook, type WebhookToSign } from './webhooks/sign-webhook.ts';
export {
  type LooselyVerifiedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookToVerify,
} from './webhooks/verify-webhook.ts';
export type {
  DestinationAccount,
  EventKind,
  SubscribedKind,
  WebhookData,
  WebhookEvent,
} from './webhooks/webhook-events.ts';
export type { WebhookHeaders } from './webhooks/webhook-headers.ts';
export type {
  Amount,
  AmountQuery,
  CreatedSort,
  Failure,
  List,
  ListQuery,
  PayingAccount,
  SpanQuery,
} from './wire.ts';
