// Written by `npm run generate -- sdk-types` from the OpenAPI document of the service.
import type { ListQuery } from './paging.ts';

/** Every answer that is not 200. */
export interface ErrorBody {
  error: {
    code:
      | 'invalid_request'
      | 'unauthorized'
      | 'forbidden'
      | 'second_factor_required'
      | 'proof_required'
      | 'sso_required'
      | 'address_not_allowed'
      | 'not_found'
      | 'customer_not_found'
      | 'method_not_allowed'
      | 'consent_required'
      | 'consent_decided'
      | 'schedule_cancelled'
      | 'schedule_paused'
      | 'merchant_suspended'
      | 'idempotency_conflict'
      | 'request_in_progress'
      | 'payment_not_retryable'
      | 'limit_exceeded'
      | 'occurrence_passed'
      | 'payment_not_refundable'
      | 'refund_exceeds_payment'
      | 'insufficient_balance'
      | 'settlement_not_retryable'
      | 'endpoint_not_enabled'
      | 'too_many_endpoints'
      | 'no_pending_secret'
      | 'clock_busy'
      | 'last_owner'
      | 'operation_refused'
      | 'customer_without_email'
      | 'reminded_already'
      | 'customer_in_use'
      | 'customer_erased'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'headers_too_large'
      | 'rate_limit_exceeded'
      | 'internal_error'
      | 'service_unavailable';
    message: string;
    /** Dotted field path → what is wrong with it. */
    details?: Record<string, string>;
  };
}

export interface AdvanceSandboxClockRequest {
  /** An ISO 8601 duration, counted in your calendar: months and days keep the time of day. */
  by?: string;
  /** ISO 8601 with an offset or Z. */
  to?: string;
}

export interface SandboxMoved {
  from: string;
  to: string;
  /** In the order in which it happened: the last 10,000. */
  happened: (StateChangeHappening | EventHappening | DeliveryHappening)[];
  truncated: boolean;
  /** It was asked to stop, and did so before its target. */
  stopped: boolean;
}

/** An amount of money. */
export interface Amount {
  /** In the smallest unit of the currency: pence for GBP. */
  value: number;
  /** ISO 4217. */
  currency: string;
}

/** An amount of money, or none. */
export interface AmountOrZero {
  /** In the smallest unit of the currency: pence for GBP. */
  value: number;
  /** ISO 4217. */
  currency: string;
}

/** An amount of money that several payments may make up. */
export interface AmountPerPeriod {
  /** In the smallest unit of the currency: pence for GBP. */
  value: number;
  /** ISO 4217. */
  currency: string;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The last four characters of the key. */
  hint: string;
  /** What the key may do. */
  scopes: (
    | 'schedules'
    | 'payments'
    | 'settlements'
    | 'customers'
    | 'webhooks'
    | 'merchant'
    | 'keys'
  )[];
  /** The member with whose membership it ends; null: the operator. */
  made_by: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  /** The addresses and ranges that the key may be used from; null: anywhere. */
  allowed_ips: string[] | null;
  last_refused: RefusedUse | null;
}

export interface Bank {
  bank_id: string;
  name: string;
  /** How the bank answers our calls: `degraded` is sometimes, `down` is not at all. */
  condition: 'operational' | 'degraded' | 'down';
  /** Since when it is in that condition; null: it was not called yet. */
  since: string | null;
  operations: BankOperation[];
  /** The operator sends no payments to this bank for now; they wait. */
  stopped: boolean;
}

export interface BankAccountCustomer {
  id: string;
  name?: string;
  email?: string;
  /** Your own id of the customer. */
  reference?: string;
  type: 'bank_account';
  /** 8 digits; 6 and 7 are padded with zeros on the left. */
  account_number: string;
  /** 6 digits; hyphens and blanks are accepted. */
  sort_code: string;
}

export interface BankAccountCustomerDetails {
  id: string;
  name: string | null;
  email: string | null;
  /** Your own id of the customer. */
  reference: string | null;
  /** For your team; never shown to the customer. */
  notes: string | null;
  bank: CustomerBank | null;
  paying_account: PayingAccount | null;
  created_at: string;
  type: 'bank_account';
  /** 8 digits; 6 and 7 are padded with zeros on the left. */
  account_number: string;
  /** 6 digits; hyphens and blanks are accepted. */
  sort_code: string;
}

export interface BankAccountCustomerInput {
  name?: string | null;
  email?: string | null;
  /** Your own id of the customer. */
  reference?: string | null;
  type: 'bank_account';
  /** 8 digits; 6 and 7 are padded with zeros on the left. */
  account_number: string;
  /** 6 digits; hyphens and blanks are accepted. */
  sort_code: string;
}

export interface BankList {
  data: Bank[];
}

export interface BankOperation {
  /** Asking customers for consents, our access, checking funds, sending payments, reading how they went. */
  operation: 'consent' | 'token' | 'funds' | 'payment' | 'read';
  /** How the bank answers our calls: `degraded` is sometimes, `down` is not at all. */
  condition: 'operational' | 'degraded' | 'down';
  /** Since when it is in that condition; null: it was not called yet. */
  since: string | null;
}

export interface ChangeSandboxAccountRequest {
  balance?: number;
  behaviour?: string;
}

export interface ChangeSandboxBankRequest {
  /**
   * What the whole bank does: unavailable, refuses_clients, stops_at_acsc, omits_optional_fields, bare_errors,
   * loses_requests, loses_answers.
   */
  behaviours?: string[];
  /** Faults of the next calls, used up one by one. */
  next_calls?: SandboxFault[];
}

export interface ChangeSandboxIssuerRequest {
  modes: string[];
}

export interface CollectionFailedData {
  payment_id: string;
  schedule_id: string;
  amount: Amount;
  error: Failure;
  failed_at: string;
  /** The last one made, counted from 1; 0 where none was. */
  attempt: number;
  next_retry_at: string | null;
  no_retry_reason:
    | 'final'
    | 'max_retries'
    | 'next_occurrence'
    | 'end_date'
    | 'limits'
    | 'by_hand'
    | 'stopped'
    | null;
  /** There where a cancellation, a pause or a withdrawal ended the payment. */
  reason?: 'stopped';
}

export interface CollectionFailedEvent {
  event: 'collection.failed';
  data: CollectionFailedData;
}

export interface CollectionReturnedData {
  payment_id: string;
  schedule_id: string;
  amount: Amount;
  reason: string;
  returned_at: string;
}

export interface CollectionReturnedEvent {
  event: 'collection.returned';
  data: CollectionReturnedData;
}

export interface CollectionSkippedData {
  schedule_id: string;
  customer_id: string;
  due_date: string;
  reason: 'skipped' | 'amount_not_set';
  created_at: string;
}

export interface CollectionSkippedEvent {
  event: 'collection.skipped';
  data: CollectionSkippedData;
}

export interface CollectionSuccessData {
  payment_id: string;
  schedule_id: string;
  amount: Amount;
  completed_at: string;
}

export interface CollectionSuccessEvent {
  event: 'collection.success';
  data: CollectionSuccessData;
}

/**
 * What keeps, or may keep, the consent from being used: the bank says that it is over and is asked again, the bank
 * wants the customer to confirm it again (on the page of portal_url; nothing is collected until then), or the customer
 * changed the limits at the bank and the schedule no longer fits. Null: nothing.
 */
export interface ConsentNotice {
  kind: 'in_doubt' | 'reauthentication_needed' | 'limits_changed';
  since: string;
}

export interface ConsentReauthenticationNeededData {
  schedule_id: string;
  customer_id: string;
  created_at: string;
}

export interface ConsentReauthenticationNeededEvent {
  event: 'consent.reauthentication_needed';
  data: ConsentReauthenticationNeededData;
}

export interface ConsentRevokedData {
  schedule_id: string;
  customer_id: string;
  reason: string;
  created_at: string;
}

export interface ConsentRevokedEvent {
  event: 'consent.revoked';
  data: ConsentRevokedData;
}

export interface ConsentedTerms {
  amount: Amount;
  frequency: Frequency;
  end_date: string | null;
}

export interface CreateApiKeyRequest {
  /** The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from; null or empty: anywhere. */
  allowed_ips?: string[] | null;
  /** To tell your keys apart. */
  name: string;
  /** What the key may do. Default: everything but `keys`, as far as you may do it yourself. */
  scopes?: (
    | 'schedules'
    | 'payments'
    | 'settlements'
    | 'customers'
    | 'webhooks'
    | 'merchant'
    | 'keys'
  )[];
}

export interface NewPayment {
  amount: Amount;
  /** ISO 8601 with an offset or Z. */
  due_date?: string | null;
  description?: string | null;
}

export interface NewRefund {
  /** Default: what is not yet refunded. */
  amount?: Amount;
  /** Why, in your own words; the customer does not see it. */
  reason?: string;
}

export interface CreateScheduleRequest {
  amount: Amount;
  frequency: FrequencyFields;
  customer: CustomerFields;
  /** What the payment is for, as the customer reads it. */
  description: string;
  metadata?: Metadata | null;
  /** ISO 8601 with an offset or Z. */
  start_date?: string | null;
  /** ISO 8601 with an offset or Z. */
  end_date?: string | null;
  /** How often a failed payment is tried again. Default: 3. */
  max_retries?: number;
  /** What the customer’s bank statement shows. Default: the end of the schedule’s id. */
  reference?: string | null;
  limits?: LimitsInput | null;
  /** per_occurrence: `amount` is the most that one payment takes, and one whose amount was not set is skipped. */
  amount_mode?: 'fixed' | 'per_occurrence';
  /** Where a collection goes that falls on a weekend or a bank holiday of England and Wales. Default: same. */
  non_working_day?: 'same' | 'next' | 'previous';
}

export interface NewWebhookEndpoint {
  /** https. In sandbox mode also http to loopback. */
  url: string;
  description?: string;
  /**
   * The event kinds that this endpoint gets. Default: set-up, collection and settlement, each succeeded and failed.
   * Without `schedule.cancelled` and `consent.revoked` a withdrawal of the customer is never heard of.
   */
  event_kinds?: (
    | 'schedule.setup_success'
    | 'schedule.setup_failed'
    | 'collection.success'
    | 'collection.failed'
    | 'settlement.success'
    | 'settlement.failed'
    | 'collection.skipped'
    | 'collection.returned'
    | 'refund.success'
    | 'refund.failed'
    | 'schedule.cancelled'
    | 'schedule.paused'
    | 'schedule.resumed'
    | 'consent.revoked'
    | 'consent.reauthentication_needed'
    | 'merchant.settlement_account_changed'
    | 'payment.unexpected_money'
  )[];
}

/** Who pays, as you identified them, and what you know of them. */
export type Customer = PhoneCustomer | BankAccountCustomer | UserIdCustomer;

/** The bank of the latest granted consent. */
export interface CustomerBank {
  id: string;
  name: string;
}

/** Who pays, what you know of them, and where they pay from. */
export type CustomerDetails =
  | PhoneCustomerDetails
  | BankAccountCustomerDetails
  | UserIdCustomerDetails;

export interface CustomerExport {
  customer_id: string;
  merchant_id: string;
  exported_at: string;
  /** Rows by table, unsealed, without secrets, hashes and links: each column as text, what is no text as JSON. */
  tables: Record<string, Record<string, string | null>[]>;
  /** Tables of which only the first 50,000 rows are there. */
  cut_short: string[];
  /**
   * What happened before this moment may be in the archive, which holds ids and amounts and no personal data. Null:
   * nothing is.
   */
  archived_before: string | null;
}

/** Who pays, identified in one of three ways. `{"phone": "+44…"}` is accepted as a shorthand of the first. */
export type CustomerFields = PhoneCustomerInput | BankAccountCustomerInput | UserIdCustomerInput;

export interface DailyFrequency {
  type: 'daily';
  /** 2 is every second one. Default: 1. */
  interval?: number;
}

export interface SandboxDecision {
  decision: 'grant' | 'deny';
  /** Who decides: the name or the account number of a documented customer. Default: "alex". */
  account?: string;
  /** The first bank where left out. */
  bank_id?: string;
}

export interface SandboxDecided {
  /** The outcome: granted, denied, rejected … */
  consent_status: string;
  schedule_status: string;
  /** Where the customer was sent; null: the closing page of the portal. */
  returned_to: string | null;
}

export interface DeleteWebhookEndpointResponse {
  id: string;
  deleted: boolean;
}

/** An event for one endpoint. */
export interface Delivery {
  id: string;
  endpoint_id: string;
  endpoint_url: string;
  status: 'pending' | 'delivered' | 'failed' | 'held';
  attempt_count: number;
  next_attempt_at: string | null;
  finished_at: string | null;
}

/** One sending. */
export interface DeliveryAttempt {
  number: number;
  /** Sent again because somebody asked. */
  manual: boolean;
  response_status: number | null;
  /** The first 4 KB. */
  response_body: string | null;
  /** Why it did not count. */
  error: string | null;
  duration_ms: number;
  at: string;
}

export interface DeliveryDetail {
  id: string;
  endpoint_id: string;
  endpoint_url: string;
  status: 'pending' | 'delivered' | 'failed' | 'held';
  attempt_count: number;
  next_attempt_at: string | null;
  finished_at: string | null;
  attempts: DeliveryAttempt[];
}

export interface DeliveryHappening {
  at: string;
  kind: 'delivery_attempt';
  event_id: string;
  endpoint_id: string;
  number: number;
  response_status: number | null;
  error: string | null;
}

export interface DestinationAccount {
  account_number: string;
  sort_code: string;
  name: string;
}

export interface EndpointTestData {
  endpoint_id: string;
  url: string;
  message: string;
}

export interface EndpointTestEvent {
  event: 'endpoint.test';
  data: EndpointTestData;
}

export interface CustomerErasure {
  /** Who asked for it, and when; kept in the activity. */
  reason: string;
  /** Erase the metadata of their schedules too. Default: false. */
  metadata?: boolean;
}

export interface ErasedCustomer {
  id: string;
  erased_at: string;
}

/** Something that happened, and where it was told. */
export interface RecollectEvent {
  /** The `webhook-id` of every sending. */
  id: string;
  kind: string;
  schedule_id: string | null;
  /** Counts the schedule's events from 1. */
  sequence: number | null;
  /** What it tells of: a payment, a settlement … */
  subject_id: string;
  created_at: string;
  deliveries: Delivery[];
}

/** An event with every attempt to deliver it. */
export interface RecollectEventDetail {
  /** The `webhook-id` of every sending. */
  id: string;
  kind: string;
  schedule_id: string | null;
  /** Counts the schedule's events from 1. */
  sequence: number | null;
  /** What it tells of: a payment, a settlement … */
  subject_id: string;
  created_at: string;
  /** Exactly the bytes that are signed and sent. */
  body: string;
  deliveries: DeliveryDetail[];
}

export interface EventHappening {
  at: string;
  kind: 'event';
  event_id: string;
  event: string;
  subject_id: string;
}

/** A code to act on, and a message for people. */
export interface Failure {
  code: string;
  message: string;
}

/** What the operator takes of each collection, never more than its amount; null: nothing. */
export interface Fees {
  fixed_pence: number;
  /** Hundredths of a percent of the amount; half a penny is rounded up. */
  basis_points: number;
  from: string;
}

/** How often is collected. */
export interface Frequency {
  type: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';
  /** Day of the month, or of the week (1 = Monday); absent for daily. */
  day?: number;
  interval: number;
}

/**
 * How often to collect. The type alone, such as `"monthly"`, is accepted too. Without `start_date` the first collection
 * comes on the next such day: within a month for every longer type too.
 */
export type FrequencyFields =
  | DailyFrequency
  | WeeklyFrequency
  | MonthlyFrequency
  | QuarterlyFrequency
  | YearlyFrequency;

export interface Import {
  data: ImportedLine[];
}

export interface ImportError {
  /** Null: the line as a whole. */
  column: string | null;
  reason: string;
}

export interface ImportSchedulesRequest {
  /** The heading and at most 200 lines of a CSV file. */
  csv: string;
  /** Where in the file the first line after the heading begins. Default: 2. */
  first_line?: number;
  /** Says what would become of each line, and creates nothing. */
  check_only?: boolean;
}

export interface ImportedCustomer {
  name: string | null;
  email: string | null;
  phone: string | null;
}

export interface ImportedLine {
  /** Where in the file it begins. */
  line: number;
  /** valid: it would be created; existing: it was imported before. */
  status: 'valid' | 'created' | 'existing' | 'invalid';
  /** Lines of one key stand for one schedule. Null: the line cannot be read so far. */
  key: string | null;
  import_reference: string | null;
  customer: ImportedCustomer;
  description: string | null;
  amount: AmountOrZero | null;
  schedule_id: string | null;
  /** While a consent waits for the customer; null in a check. */
  consent_url: string | null;
  errors: ImportError[];
}

/** The most that one payment, and all payments of one period, may take. */
export interface Limits {
  per_payment: Amount;
  per_period: AmountPerPeriod;
  period: 'day' | 'week' | 'fortnight' | 'month' | 'half_year' | 'year';
}

/**
 * The most that one payment, and all payments of one period, may take; null, or left out on create: what the terms
 * need.
 */
export interface LimitsInput {
  per_payment?: Amount | null;
  per_period?: AmountPerPeriod | null;
  /** Follows from the frequency: as it was read, or left out. */
  period?: 'day' | 'week' | 'fortnight' | 'month' | 'half_year' | 'year';
}

export interface ListSandboxAccountsResponse {
  banks: SandboxBank[];
}

export interface ListUpcomingResponse {
  data: Occurrence[];
}

export interface MaskedAccount {
  name: string;
  sort_code: string;
  account_number: string;
}

export interface Merchant {
  id: string;
  /** The name that customers know. */
  name: string;
  /** The name in the register of companies. */
  legal_name: string;
  /** Where customers can write to. */
  email: string;
  /** Shown to customers. */
  website: string;
  /** The business address. */
  address: string;
  /** Terms and conditions, plain text, shown before the customer agrees. */
  terms: string;
  /** The calendar of your schedules: an IANA name such as Europe/London. */
  time_zone: string;
  /** Where the customer goes after the decision. */
  return_url: string | null;
  /** A new schedule starts active where the same customer already granted a consent that covers it. */
  reuse_consent: boolean;
  /** A refund waits for the next collections where the wallet holds less. */
  refunds_wait: boolean;
  /** Of the buttons that customers see. White text must be legible on it. */
  colour: string | null;
  settlement_account: SettlementAccount;
  /** Where the logo that customers see is served. */
  logo_url: string | null;
  pending_settlement_account: PendingSettlementAccount | null;
  fees: Fees | null;
  /** What it takes instead, and from when on. */
  next_fees: Fees | null;
  /** Since when the operator has you suspended: no new schedules, no new payments. */
  suspended_since: string | null;
  /** Since when your pay-outs are on hold: settlements wait. */
  pay_outs_held_since: string | null;
  /**
   * When the hold ends on its own, after one owner alone has changed the settlement account; null: when somebody ends
   * it.
   */
  pay_outs_held_until: string | null;
  created_at: string;
}

export interface MerchantSettlementAccountChangedData {
  merchant_id: string;
  old_account: MaskedAccount;
  new_account: MaskedAccount;
  requested_at: string;
  changed_at: string;
}

export interface MerchantSettlementAccountChangedEvent {
  event: 'merchant.settlement_account_changed';
  data: MerchantSettlementAccountChangedData;
}

/**
 * Names and values of your own, at most 16,384 characters of JSON. What is nested more deeply than shown is stored too.
 */
export type Metadata = Record<string, unknown>;

export type MetadataScalar = string | number | boolean | null;

export interface MonthlyFrequency {
  type: 'monthly';
  /** Day of the month. Default: that of `start_date`, else today's. */
  day?: number;
  /** 2 is every second one. Default: 1. */
  interval?: number;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** The last four characters of the key. */
  hint: string;
  /** What the key may do. */
  scopes: (
    | 'schedules'
    | 'payments'
    | 'settlements'
    | 'customers'
    | 'webhooks'
    | 'merchant'
    | 'keys'
  )[];
  /** The member with whose membership it ends; null: the operator. */
  made_by: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  /** The addresses and ranges that the key may be used from; null: anywhere. */
  allowed_ips: string[] | null;
  last_refused: RefusedUse | null;
  /** The key itself. It is shown this once. */
  key: string;
}

/**
 * Why the order of the attempt under way has not been sent yet, and when we try again (null: now, or when somebody has
 * acted).
 */
export interface NotSent {
  reason:
    | 'merchant_suspended'
    | 'bank_stopped'
    | 'consent_in_doubt'
    | 'reauthentication_needed'
    | 'bank_down'
    | 'bank_degraded'
    | 'retrying'
    | 'being_sent';
  bank_id: string;
  next_try_at: string | null;
}

export interface Occurrence {
  due_date: string;
  amount: Amount | null;
  skipped: boolean;
  /** Whether something was set for this occurrence. */
  changed: boolean;
  reason: string | null;
}

/** What the occurrence collects, or that it is left out. */
export type OccurrenceChange = {
  amount: Amount;
} | {
  skip: true;
};

/** The account that pays, masked; null before it is known. */
export interface PayingAccount {
  sort_code: string;
  account_number: string;
}

export interface Payment {
  id: string;
  schedule_id: string;
  customer_id: string;
  /** `scheduled`: one of the schedule's occurrences. `ad_hoc`: a payment besides them. */
  kind: 'scheduled' | 'ad_hoc';
  amount: Amount;
  description: string | null;
  status: 'pending' | 'processing' | 'success' | 'failed';
  due_date: string;
  attempts: Attempt[];
  next_retry_at: string | null;
  no_retry_reason:
    | 'final'
    | 'max_retries'
    | 'next_occurrence'
    | 'end_date'
    | 'limits'
    | 'by_hand'
    | 'stopped'
    | null;
  error: Failure | null;
  settlement_id: string | null;
  /** What your operator takes of it, netted from its settlement; null until it succeeds. */
  fee: AmountOrZero | null;
  /** Refunded, or being refunded; failed refunds do not count. */
  refunded: AmountOrZero;
  returned: ReturnedMoney | null;
  paying_account: PayingAccount | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
  not_sent: NotSent | null;
  waits_for_operator: WaitsForOperator | null;
  /** Money that came and may belong to it, beside what it waited for. */
  unexpected_money: UnexpectedMoney[];
}

export interface Attempt {
  number: number;
  status: 'processing' | 'success' | 'failed';
  manual: boolean;
  error: Failure | null;
  bank_payment_id: string | null;
  bank_status: string | null;
  started_at: string;
  /** When its order was sent to the bank; null: nothing was sent. */
  sent_at: string | null;
  finished_at: string | null;
}

export interface PaymentUnderWay {
  id: string;
  amount: Amount;
  due_date: string;
}

export interface PaymentUnexpectedMoneyData {
  /** Of the money: the event comes again with the same id once a decision is made. */
  id: string;
  payment_id: string;
  schedule_id: string;
  amount: Amount;
  status: 'open' | 'allocated' | 'accepted_in_part' | 'returned' | 'paid_on' | 'credited';
  reason:
    | 'nothing_awaited'
    | 'another_amount'
    | 'another_wallet'
    | 'paid_already'
    | 'later_attempt'
    | 'left_over'
    | 'came_back'
    | 'not_transferred';
  arrived_at: string;
}

export interface PaymentUnexpectedMoneyEvent {
  event: 'payment.unexpected_money';
  data: PaymentUnexpectedMoneyData;
}

/** Where settlements are to be paid to instead, masked, and from when. */
export interface PendingSettlementAccount {
  name: string;
  sort_code: string;
  account_number: string;
  requested_at: string;
  takes_effect_at: string;
}

export interface PhoneCustomer {
  id: string;
  name?: string;
  email?: string;
  /** Your own id of the customer. */
  reference?: string;
  type: 'phone';
  /** International format, starting with +. */
  value: string;
}

export interface PhoneCustomerDetails {
  id: string;
  name: string | null;
  email: string | null;
  /** Your own id of the customer. */
  reference: string | null;
  /** For your team; never shown to the customer. */
  notes: string | null;
  bank: CustomerBank | null;
  paying_account: PayingAccount | null;
  created_at: string;
  type: 'phone';
  /** International format, starting with +. */
  value: string;
}

export interface PhoneCustomerInput {
  name?: string | null;
  email?: string | null;
  /** Your own id of the customer. */
  reference?: string | null;
  type: 'phone';
  /** International format, starting with +. */
  value: string;
}

export interface QuarterlyFrequency {
  type: 'quarterly';
  /** Day of the month. Default: that of `start_date`, else today's. */
  day?: number;
  /** 2 is every second one. Default: 1. */
  interval?: number;
}

export interface Refund {
  id: string;
  payment_id: string;
  amount: Amount;
  status: 'pending' | 'processing' | 'success' | 'failed';
  reason: string | null;
  error: Failure | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
}

export interface RefundFailedData {
  refund_id: string;
  payment_id: string;
  schedule_id: string;
  amount: Amount;
  reason: string | null;
  error: Failure;
  failed_at: string;
}

export interface RefundFailedEvent {
  event: 'refund.failed';
  data: RefundFailedData;
}

export interface RefundSuccessData {
  refund_id: string;
  payment_id: string;
  schedule_id: string;
  amount: Amount;
  reason: string | null;
  completed_at: string;
}

export interface RefundSuccessEvent {
  event: 'refund.success';
  data: RefundSuccessData;
}

/** The last use from another address, which was refused. */
export interface RefusedUse {
  at: string;
  address: string;
}

export interface Replay {
  endpoint_id: string;
  /** ISO 8601 with an offset or Z. */
  from: string;
  /** ISO 8601 with an offset or Z. */
  to: string;
  /** False: also those that arrived. Default: true. */
  only_undelivered?: boolean;
}

export interface Replayed {
  endpoint_id: string;
  /** How many are on their way. */
  replayed: number;
  next_from: string | null;
  /** Events from before this moment may be in the archive, and are then not sent. Null: none of the range is. */
  archived_before: string | null;
}

export interface ResendEventRequest {
  endpoint_id?: string;
}

export interface ReturnedMoney {
  amount: Amount;
  at: string;
  reason: string;
}

export interface RotateApiKeyRequest {
  /** How long the old key goes on working. Default: 24. */
  overlap_hours?: number;
}

export interface SandboxAccount {
  /** The name to log in with at the bank; the PIN is 1234. */
  account: string;
  holder: string;
  nickname: string;
  sort_code: string;
  account_number: string;
  behaviour: string;
  /** What happens when this account is asked to pay. */
  summary: string;
  balance: number;
  payday: SandboxPayday | null;
}

export interface SandboxBank {
  bank_id: string;
  name: string;
  summary: string;
  app_url: string;
  /** What the whole bank does besides its accounts. */
  behaviours: string[];
  accounts: SandboxAccount[];
}

export interface SandboxBankBehaviour {
  bank_id: string;
  name: string;
  /**
   * What the whole bank does: unavailable, refuses_clients, stops_at_acsc, omits_optional_fields, bare_errors,
   * loses_requests, loses_answers.
   */
  behaviours: string[];
  /** Faults of the next calls, used up one by one. */
  next_calls: SandboxFault[];
}

export interface SandboxClock {
  now: string;
  /** The clock is being moved forward; else it runs with real time. */
  advancing: boolean;
}

export interface SandboxFault {
  /** Method and path as in the standard, such as GET /domestic-vrp-consents/:id. */
  call: string;
  fault: number | 'lost_request' | 'lost_answer';
  times?: number;
}

export interface SandboxIssuer {
  /** The modes that are on. */
  modes: string[];
  known: SandboxIssuerMode[];
}

export interface SandboxIssuerMode {
  mode: string;
  /** How the issuer behaves while it is on. */
  summary: string;
}

export interface SandboxPayday {
  day: number;
  amount: number;
  next: string | null;
}

export interface Schedule {
  id: string;
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  amount: Amount;
  frequency: Frequency;
  customer: Customer;
  description: string;
  metadata: Metadata | null;
  start_date: string | null;
  end_date: string | null;
  max_retries: number;
  /** What the customer’s bank statement shows. */
  reference: string;
  limits: Limits;
  amount_mode: 'fixed' | 'per_occurrence';
  non_working_day: 'same' | 'next' | 'previous';
  /** The first coming occurrence that is not skipped, or an ad-hoc payment that is due before it. */
  next_payment_date: string | null;
  resume_at: string | null;
  created_at: string;
  consented: ConsentedTerms | null;
  paying_account: PayingAccount | null;
  consent_notice: ConsentNotice | null;
  /** The link where the customer agrees; there while a consent waits for them. */
  consent_url?: string;
  /** The customer's page, there once a consent was granted. Whoever has it can stop the payments. */
  portal_url?: string;
  /**
   * Of a single schedule that is paused or cancelled: payments that the bank had already been asked for, and that may
   * still arrive.
   */
  payments_under_way?: PaymentUnderWay[];
}

export interface ScheduleCancelledData {
  schedule_id: string;
  customer_id: string;
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  reason: string;
  created_at: string;
}

export interface ScheduleCancelledEvent {
  event: 'schedule.cancelled';
  data: ScheduleCancelledData;
}

export interface SchedulePausedData {
  schedule_id: string;
  customer_id: string;
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  reason: string;
  created_at: string;
}

export interface SchedulePausedEvent {
  event: 'schedule.paused';
  data: SchedulePausedData;
}

export interface ScheduleResumedData {
  schedule_id: string;
  customer_id: string;
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  reason: string;
  created_at: string;
}

export interface ScheduleResumedEvent {
  event: 'schedule.resumed';
  data: ScheduleResumedData;
}

export interface ScheduleSetupFailedData {
  schedule_id: string;
  customer_id: string;
  error: Failure;
  created_at: string;
}

export interface ScheduleSetupFailedEvent {
  event: 'schedule.setup_failed';
  data: ScheduleSetupFailedData;
}

export interface ScheduleSetupSuccessData {
  schedule_id: string;
  customer_id: string;
  amount: Amount;
  frequency: Frequency;
  created_at: string;
}

export interface ScheduleSetupSuccessEvent {
  event: 'schedule.setup_success';
  data: ScheduleSetupSuccessData;
}

export interface Settlement {
  id: string;
  status: 'pending' | 'processing' | 'success' | 'failed';
  /** What is paid out: `gross` less `refunds`, `fees` and `carried`. */
  amount: Amount;
  /** The sum of its payments. */
  gross: AmountOrZero;
  refunds: SignedAmount;
  /** The sum of the fees of its payments. */
  fees: AmountOrZero;
  /** What you owed for recalled collections, netted here. */
  carried: AmountOrZero;
  /** The business day, in London, on which it is paid out. */
  settlement_date: string;
  destination_account: DestinationAccount;
  attempts: number;
  error: Failure | null;
  created_at: string;
  completed_at: string | null;
  failed_at: string | null;
}

/** Where settlements are paid to. */
export interface SettlementAccount {
  /** The account holder's name. */
  name: string;
  /** 6 digits. */
  sort_code: string;
  /** 8 digits. */
  account_number: string;
}

export interface SettlementFailedData {
  settlement_id: string;
  amount: Amount;
  destination_account: {
    account_number: string;
    sort_code: string;
  };
  error: Failure;
  failed_at: string;
}

export interface SettlementFailedEvent {
  event: 'settlement.failed';
  data: SettlementFailedData;
}

export interface SettlementSuccessData {
  settlement_id: string;
  amount: Amount;
  destination_account: {
    account_number: string;
    sort_code: string;
  };
  completed_at: string;
}

export interface SettlementSuccessEvent {
  event: 'settlement.success';
  data: SettlementSuccessData;
}

/** What your refunds took; below zero where failed refunds gave back more. */
export interface SignedAmount {
  /** In the smallest unit of the currency: pence for GBP. */
  value: number;
  /** ISO 4217. */
  currency: string;
}

export interface StateChangeHappening {
  at: string;
  kind: 'state_change';
  object_id: string;
  schedule_id: string | null;
  from: string | null;
  to: string;
  reason: string;
}

export interface TestWebhookEndpointResponse {
  event_id: string;
}

export interface UnexpectedMoney {
  id: string;
  amount: AmountOrZero;
  status: 'open' | 'allocated' | 'accepted_in_part' | 'returned' | 'paid_on' | 'credited';
  reason:
    | 'nothing_awaited'
    | 'another_amount'
    | 'another_wallet'
    | 'paid_already'
    | 'later_attempt'
    | 'left_over'
    | 'came_back'
    | 'not_transferred';
  arrived_at: string;
  ended_at: string | null;
}

export interface UpdateApiKeyRequest {
  /** The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from; null or empty: anywhere. */
  allowed_ips: string[] | null;
}

export interface CustomerChanges {
  name?: string | null;
  email?: string | null;
  /** Your own id of the customer. */
  reference?: string | null;
  /** For your team; never shown to the customer. */
  notes?: string | null;
}

export interface MerchantChanges {
  /** The name that customers know. */
  name?: string;
  /** The name in the register of companies. */
  legal_name?: string;
  /** Where customers can write to. */
  email?: string;
  /** Shown to customers. */
  website?: string;
  /** The business address. */
  address?: string;
  /** Terms and conditions, plain text, shown before the customer agrees. */
  terms?: string;
  /** The calendar of your schedules: an IANA name such as Europe/London. */
  time_zone?: string;
  /** Where the customer goes after the decision. */
  return_url?: string | null;
  /** A new schedule starts active where the same customer already granted a consent that covers it. */
  reuse_consent?: boolean;
  /** A refund waits for the next collections where the wallet holds less. */
  refunds_wait?: boolean;
  /** Of the buttons that customers see. White text must be legible on it. */
  colour?: string | null;
  settlement_account?: SettlementAccount;
  /** The logo that customers see: a PNG or JPEG of at most 100 KB and 2,000 pixels a side, in base64. */
  logo?: string | null;
}

export interface UpdateScheduleRequest {
  amount?: Amount;
  frequency?: FrequencyFields;
  /** What the payment is for, as the customer reads it. */
  description?: string;
  metadata?: Metadata | null;
  /** ISO 8601 with an offset or Z. */
  start_date?: string;
  /** ISO 8601 with an offset or Z. */
  end_date?: string | null;
  /** How often a failed payment is tried again. Default: 3. */
  max_retries?: number;
  /** What the customer’s bank statement shows. Default: the end of the schedule’s id. */
  reference?: string | null;
  limits?: LimitsInput | null;
  /** per_occurrence: `amount` is the most that one payment takes, and one whose amount was not set is skipped. */
  amount_mode?: 'fixed' | 'per_occurrence';
  /** Where a collection goes that falls on a weekend or a bank holiday of England and Wales. Default: same. */
  non_working_day?: 'same' | 'next' | 'previous';
  status?: 'active' | 'paused' | 'cancelled';
  /** With `status: "paused"`: when the schedule resumes automatically. Null: only by hand. */
  resume_at?: string | null;
}

export interface WebhookEndpointChanges {
  /** https. In sandbox mode also http to loopback. */
  url?: string;
  description?: string;
  /**
   * The event kinds that this endpoint gets. Default: set-up, collection and settlement, each succeeded and failed.
   * Without `schedule.cancelled` and `consent.revoked` a withdrawal of the customer is never heard of.
   */
  event_kinds?: (
    | 'schedule.setup_success'
    | 'schedule.setup_failed'
    | 'collection.success'
    | 'collection.failed'
    | 'settlement.success'
    | 'settlement.failed'
    | 'collection.skipped'
    | 'collection.returned'
    | 'refund.success'
    | 'refund.failed'
    | 'schedule.cancelled'
    | 'schedule.paused'
    | 'schedule.resumed'
    | 'consent.revoked'
    | 'consent.reauthentication_needed'
    | 'merchant.settlement_account_changed'
    | 'payment.unexpected_money'
  )[];
  status?: 'enabled' | 'disabled';
}

export interface UserIdCustomer {
  id: string;
  name?: string;
  email?: string;
  /** Your own id of the customer. */
  reference?: string;
  type: 'user_id';
  /** The id of a customer of yours. */
  value: string;
}

export interface UserIdCustomerDetails {
  id: string;
  name: string | null;
  email: string | null;
  /** Your own id of the customer. */
  reference: string | null;
  /** For your team; never shown to the customer. */
  notes: string | null;
  bank: CustomerBank | null;
  paying_account: PayingAccount | null;
  created_at: string;
  type: 'user_id';
  /** The id of a customer of yours. */
  value: string;
}

export interface UserIdCustomerInput {
  name?: string | null;
  email?: string | null;
  /** Your own id of the customer. */
  reference?: string | null;
  type: 'user_id';
  /** The id of a customer of yours. */
  value: string;
}

/** It cannot end on its own: somebody has to find out its outcome. */
export interface WaitsForOperator {
  reason: 'no_outcome' | 'credited_without_money' | 'wrong_amount' | 'not_transferred' | 'not_sent';
  since: string;
}

export interface Wallet {
  id: string;
  /** Null: the merchant's own wallet. */
  customer_id: string | null;
  status: 'planned' | 'reserved' | 'open' | 'closing' | 'closed';
  /** What is in it now. */
  balance: AmountOrZero;
}

/** Where a merchant gets its events. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  description: string;
  event_kinds: string[];
  status: 'enabled' | 'disabled';
  /** Deliveries that were held back while it was disabled; replay sends them. */
  held: number;
  /** Deliveries that have failed at least once and were not acknowledged since. */
  undelivered: number;
  next_secret_activates_at: string | null;
  created_at: string;
  updated_at: string;
}

/** An endpoint, and the secret that was just made for it. */
export interface WebhookEndpointWithSecret {
  id: string;
  url: string;
  description: string;
  event_kinds: string[];
  status: 'enabled' | 'disabled';
  /** Deliveries that were held back while it was disabled; replay sends them. */
  held: number;
  /** Deliveries that have failed at least once and were not acknowledged since. */
  undelivered: number;
  next_secret_activates_at: string | null;
  created_at: string;
  updated_at: string;
  /** Shown once. */
  secret: string;
}

export interface WeeklyFrequency {
  type: 'weekly';
  /** Day of the week, 1 is Monday. Default: that of `start_date`, else today's. */
  day?: number;
  /** 2 is every second one. Default: 1. */
  interval?: number;
}

export interface YearlyFrequency {
  type: 'yearly';
  /** Day of the month. Default: that of `start_date`, else today's. */
  day?: number;
  /** 2 is every second one. Default: 1. */
  interval?: number;
}

export interface CustomerQuery extends ListQuery {
  /** Only what this search finds. */
  q?: string;
  /** ISO 8601 with an offset or Z; included. */
  from?: string;
  /** ISO 8601 with an offset or Z; not included. */
  to?: string;
  sort?: '-created_at' | 'created_at';
}

export interface ExportCustomerQuery {
  /** Who asked for it, and when; kept in the activity. */
  reason: string;
}

export interface ScheduleQuery extends ListQuery {
  /** Only what this search finds. */
  q?: string;
  status?: 'pending_consent' | 'active' | 'paused' | 'cancelled' | 'failing';
  error_code?: string;
  customer_id?: string;
  /** A month such as 2026-03. */
  started?: string;
  /** ISO 8601 with an offset or Z; included. */
  from?: string;
  /** ISO 8601 with an offset or Z; not included. */
  to?: string;
  /** The least amount, in pence; included. */
  amount_from?: number;
  /** The largest amount, in pence; included. */
  amount_to?: number;
  sort?: '-created_at' | 'created_at' | 'description' | '-description';
}

export interface ListUpcomingQuery {
  limit?: number;
}

export interface PaymentQuery extends ListQuery {
  /** Only what this search finds. */
  q?: string;
  status?: 'pending' | 'processing' | 'success' | 'failed';
  error_code?: string;
  schedule_id?: string;
  customer_id?: string;
  /** ISO 8601 with an offset or Z; included. */
  from?: string;
  /** ISO 8601 with an offset or Z; not included. */
  to?: string;
  /** The least amount, in pence; included. */
  amount_from?: number;
  /** The largest amount, in pence; included. */
  amount_to?: number;
  sort?: '-created_at' | 'created_at' | '-due_date' | 'due_date';
}

export interface RefundQuery extends ListQuery {
  status?: 'pending' | 'processing' | 'success' | 'failed';
  /** ISO 8601 with an offset or Z; included. */
  from?: string;
  /** ISO 8601 with an offset or Z; not included. */
  to?: string;
  /** The least amount, in pence; included. */
  amount_from?: number;
  /** The largest amount, in pence; included. */
  amount_to?: number;
  sort?: '-created_at' | 'created_at';
}

export interface SettlementQuery extends ListQuery {
  status?: 'pending' | 'processing' | 'success' | 'failed';
  /** ISO 8601 with an offset or Z; included. */
  from?: string;
  /** ISO 8601 with an offset or Z; not included. */
  to?: string;
  /** The least amount, in pence; included. */
  amount_from?: number;
  /** The largest amount, in pence; included. */
  amount_to?: number;
  sort?: '-created_at' | 'created_at';
}

export interface EventQuery extends ListQuery {
  /** Only what has not arrived where it should have. */
  delivery?: 'undelivered';
  kind?:
    | 'schedule.setup_success'
    | 'schedule.setup_failed'
    | 'collection.success'
    | 'collection.failed'
    | 'settlement.success'
    | 'settlement.failed'
    | 'collection.skipped'
    | 'collection.returned'
    | 'refund.success'
    | 'refund.failed'
    | 'schedule.cancelled'
    | 'schedule.paused'
    | 'schedule.resumed'
    | 'consent.revoked'
    | 'consent.reauthentication_needed'
    | 'merchant.settlement_account_changed'
    | 'payment.unexpected_money'
    | 'endpoint.test';
  schedule_id?: string;
  /** ISO 8601 with an offset or Z; included. */
  from?: string;
  /** ISO 8601 with an offset or Z; not included. */
  to?: string;
  sort?: '-created_at' | 'created_at';
}

/** What each kind of event carries. */
export interface WebhookData {
  'collection.failed': CollectionFailedData;
  'collection.returned': CollectionReturnedData;
  'collection.skipped': CollectionSkippedData;
  'collection.success': CollectionSuccessData;
  'consent.reauthentication_needed': ConsentReauthenticationNeededData;
  'consent.revoked': ConsentRevokedData;
  'endpoint.test': EndpointTestData;
  'merchant.settlement_account_changed': MerchantSettlementAccountChangedData;
  'payment.unexpected_money': PaymentUnexpectedMoneyData;
  'refund.failed': RefundFailedData;
  'refund.success': RefundSuccessData;
  'schedule.cancelled': ScheduleCancelledData;
  'schedule.paused': SchedulePausedData;
  'schedule.resumed': ScheduleResumedData;
  'schedule.setup_failed': ScheduleSetupFailedData;
  'schedule.setup_success': ScheduleSetupSuccessData;
  'settlement.failed': SettlementFailedData;
  'settlement.success': SettlementSuccessData;
}
