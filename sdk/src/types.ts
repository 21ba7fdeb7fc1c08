// Written by `npm run generate -- sdk-types` from the OpenAPI document of the service.
import type { ListQuery } from './paging.ts';

/** The body of every response that is not 200. */
export interface ErrorBody {
  /** What is wrong. */
  error: {
    /** What your program acts on. Codes may be added. */
    code: ErrorCode | (string & {});
    /** What is wrong, in a sentence for developers. */
    message: string;
    /**
     * More about it, by name. With `invalid_request`: what is wrong with each field, by its dotted path, such as
     * `amount.value`.
     */
    details?: Record<string, string>;
  };
}

/** How far the clock is moved: by a duration, or to a moment. */
export interface AdvanceSandboxClockRequest {
  /**
   * How far: an ISO 8601 duration, counted in your time zone, so that months and days keep the time of day. Either this
   * or `to`.
   */
  by?: string;
  /** To which moment. ISO 8601 with an offset or Z. Either this or `by`. */
  to?: string;
  /**
   * False: the response comes at once, with `advancing: true`. Follow the clock, then read its last move. Default:
   * true.
   */
  wait?: boolean;
}

/** An amount of money. */
export interface Amount {
  /** A whole number of pence. */
  value: number;
  /** ISO 4217: `GBP`, the only currency so far. */
  currency: string;
}

/** An amount of money, which may be zero. */
export interface AmountOrZero {
  /** A whole number of pence. */
  value: number;
  /** ISO 4217: `GBP`, the only currency so far. */
  currency: string;
}

/** An amount of money that several payments may add up to. */
export interface AmountPerPeriod {
  /** A whole number of pence. */
  value: number;
  /** ISO 4217: `GBP`, the only currency so far. */
  currency: string;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** The key’s id, which is no secret. */
  id: string;
  /** The name that tells your keys apart. */
  name: string;
  /** The last four characters of the key. */
  hint: string;
  /** What the key may do. A key does no more than the member who made it may do at that moment. */
  scopes: (
    | 'schedules'
    | 'payments'
    | 'settlements'
    | 'customers'
    | 'webhooks'
    | 'merchant'
    | 'keys'
  )[];
  /** The id of the member who made it. The key ends with their membership. Null: the operator made it. */
  made_by: string | null;
  /** When it was made. */
  created_at: string;
  /** When it stops working, because another one replaces it. Null: it does not expire. */
  expires_at: string | null;
  /** When it was revoked. Null: it was not. */
  revoked_at: string | null;
  /** When it was last used, to the minute. Null: never. */
  last_used_at: string | null;
  /** The addresses and ranges that it may be used from. Null: anywhere. */
  allowed_ips: string[] | null;
  /** What it may do on its own: beyond it, a member of the team is asked. Null: all that its scopes allow. */
  limits: KeyLimits | null;
  /** The last use from an address that is not allowed, which was refused. Null: there was none. */
  last_refused: RefusedUse | null;
}

/** A bank that customers can choose, and how it answers. */
export interface Bank {
  /** The bank’s id. */
  bank_id: string;
  /** The name that customers know. */
  name: string;
  /**
   * How the bank answers our calls. `operational`: as it should. `degraded`: some calls get no answer. `down`: none
   * gets one.
   */
  condition: 'operational' | 'degraded' | 'down';
  /** Since when it is in that condition. Null: it was not called yet. */
  since: string | null;
  /** The same for each kind of call. */
  operations: BankOperation[];
  /** The operator sends no payments to this bank for now. They wait. */
  stopped: boolean;
}

/** The customer is identified by a bank account, the one that pays. */
export interface BankAccountCustomer {
  /** The customer’s id. */
  id: string;
  /** The customer’s name. */
  name?: string;
  /** The customer’s email address. */
  email?: string;
  /** Your own id of the customer. */
  reference?: string;
  /** The customer is identified by a bank account, the one that pays. */
  type: 'bank_account';
  /** The account number: 8 digits; 6 and 7 are padded with zeros on the left. */
  account_number: string;
  /** The sort code: 6 digits; hyphens and blanks are accepted. */
  sort_code: string;
}

/** The customer is identified by a bank account, the one that pays. */
export interface BankAccountCustomerDetails {
  /** The customer’s id. */
  id: string;
  /** The customer’s name. Null: not known. */
  name: string | null;
  /** The customer’s email address. Null: not known. */
  email: string | null;
  /** Your own id of the customer. Null: there is none. */
  reference: string | null;
  /** For your team; never shown to the customer. Null: there are none. */
  notes: string | null;
  /** The bank of the latest granted consent. Null: there was none. */
  bank: CustomerBank | null;
  /** The account of the latest granted consent, masked. Null: it is not known yet. */
  paying_account: PayingAccount | null;
  /** When the customer was created. */
  created_at: string;
  /** The customer is identified by a bank account, the one that pays. */
  type: 'bank_account';
  /** The account number: 8 digits; 6 and 7 are padded with zeros on the left. */
  account_number: string;
  /** The sort code: 6 digits; hyphens and blanks are accepted. */
  sort_code: string;
}

/** The customer is identified by a bank account, the one that pays. */
export interface BankAccountCustomerInput {
  /** The customer’s name. Null clears it. */
  name?: string | null;
  /** The customer’s email address. Null clears it. */
  email?: string | null;
  /** Your own id of the customer. Null clears it. */
  reference?: string | null;
  /** The customer is identified by a bank account, the one that pays. */
  type: 'bank_account';
  /** The account number: 8 digits; 6 and 7 are padded with zeros on the left. */
  account_number: string;
  /** The sort code: 6 digits; hyphens and blanks are accepted. */
  sort_code: string;
}

/** The banks that customers can choose. */
export interface BankList {
  /** All banks; there are no pages. */
  data: Bank[];
}

/** How a bank answers one kind of call. */
export interface BankOperation {
  /**
   * `consent`: customers agree or withdraw. `token`: we get access. `funds`: we check that the money is there.
   * `payment`: we send a payment. `read`: we ask for its outcome.
   */
  operation: 'consent' | 'token' | 'funds' | 'payment' | 'read';
  /**
   * How the bank answers our calls. `operational`: as it should. `degraded`: some calls get no answer. `down`: none
   * gets one.
   */
  condition: 'operational' | 'degraded' | 'down';
  /** Since when it is in that condition. Null: it was not called yet. */
  since: string | null;
}

/** Everything that proves a disputed payment, signed. */
export interface CaseFile {
  /** What to save it as. */
  name: string;
  /** What `content` is. */
  media_type: 'application/zip';
  /** The SHA-256 of its bytes, in hex. */
  sha256: string;
  /**
   * The zip file in base64: `case.json`, `case.pdf`, an index with their digests, and its signature. Who has only the
   * file can verify it with the public keys at `/.well-known/case-file-keys.json`.
   */
  content: string;
}

/** What changes in each schedule, as in an update of one. At least one field. */
export interface ChangeOfSchedules {
  /** The same amount for all of them, or a change of each by per cent. */
  amount?: Amount | PercentChange;
  /** The most that the schedule may take. Null: what the amount and the frequency need. */
  limits?: LimitsInput | null;
  /**
   * `active` resumes a paused schedule, `paused` pauses it, `cancelled` ends it for good. The status that it has
   * changes nothing.
   */
  status?: 'active' | 'paused' | 'cancelled';
  /**
   * Whether we send each customer who then has to agree the consent link, by email or text message, once a day at most.
   */
  send_link?: boolean;
}

/** Changes of an account of the sandbox. */
export interface ChangeSandboxAccountRequest {
  /** How much is in it from now on, in pence. */
  balance?: number;
  /** How it behaves from now on. An unknown behaviour is refused. */
  behaviour?: string;
}

/** Changes of how a bank of the sandbox behaves. */
export interface ChangeSandboxBankRequest {
  /**
   * What the whole bank does. `unavailable`: every call gets a 503. `refuses_clients`: its token endpoint lets nobody
   * in. `stops_at_acsc`: payments end at `ACSC`. `omits_optional_fields`: responses leave out every optional field.
   * `ignores_debtor_account`: customers may pay from any of their accounts, whichever the request names. `bare_errors`:
   * every third call gets a bare 400, 403, 404 or 502. `loses_requests`: every third call is lost before it arrives.
   * `loses_answers`: every third call is carried out, and its response is lost.
   */
  behaviours?: string[];
  /** Faults of the next calls, which are used up one by one. */
  next_calls?: SandboxFault[];
}

/** How the e-money issuer of the sandbox is to behave. */
export interface ChangeSandboxIssuerRequest {
  /** The modes that are to be on; none: it behaves as it should. */
  modes: string[];
}

/** The data of `collection.failed`. */
export interface CollectionFailedData {
  /** The payment. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** What the payment collects. */
  amount: Amount;
  /** Why it failed: one of the codes of a payment’s `error`. */
  error: Failure;
  /** When it failed. */
  failed_at: string;
  /** The number of the last attempt, counted from 1. 0: none was made. */
  attempt: number;
  /** When the payment is tried again. Null: it is not. */
  next_retry_at: string | null;
  /**
   * Why no retry follows. `final`: it would fail again. `max_retries`: all retries are used. `next_occurrence`: a retry
   * would come after the next collection. `end_date`: it would come after the end of the consent. `limits`: the
   * customer’s limits have no room for it. `by_hand`: the attempt was a retry by hand, which none follows. `stopped`: a
   * pause, a cancellation or a withdrawal ended the payment. Null: one does.
   */
  no_retry_reason:
    | 'final'
    | 'max_retries'
    | 'next_occurrence'
    | 'end_date'
    | 'limits'
    | 'by_hand'
    | 'stopped'
    | null;
  /** Present where a pause, a cancellation or a withdrawal ended the payment. */
  reason?: 'stopped';
}

/**
 * Sent when an attempt has failed; `next_retry_at` says when the next one comes, and where it is null `no_retry_reason`
 * says why. Also when a pause, a cancellation or a withdrawal ends a payment: then `reason` is `stopped`.
 */
export interface CollectionFailedEvent {
  /** The kind of the event. */
  event: 'collection.failed';
  data: CollectionFailedData;
}

/** The data of `collection.returned`. */
export interface CollectionReturnedData {
  /** The payment. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** What you owe. */
  amount: Amount;
  /** Why, as the bank says. */
  reason: string;
  /** When it was recalled. */
  returned_at: string;
}

/**
 * Sent when the customer’s bank recalls the money after the success of a collection. You owe it, and your next
 * settlements net it.
 */
export interface CollectionReturnedEvent {
  /** The kind of the event. */
  event: 'collection.returned';
  data: CollectionReturnedData;
}

/** The data of `collection.skipped`. */
export interface CollectionSkippedData {
  /** The schedule of the occurrence. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /** When the occurrence fell due. */
  due_date: string;
  /** `skipped`: you skipped it. `amount_not_set`: with `amount_mode: "per_occurrence"` you set no amount for it. */
  reason: 'skipped' | 'amount_not_set';
  /** When it was skipped. */
  created_at: string;
}

/** Sent when an occurrence falls due and nothing is collected, because you skip it or have set no amount for it. */
export interface CollectionSkippedEvent {
  /** The kind of the event. */
  event: 'collection.skipped';
  data: CollectionSkippedData;
}

/** The data of `collection.success`. */
export interface CollectionSuccessData {
  /** The payment. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** What the payment collects. */
  amount: Amount;
  /** When it succeeded. */
  completed_at: string;
}

/** Sent when a collection has succeeded: its money is in your wallet. */
export interface CollectionSuccessEvent {
  /** The kind of the event. */
  event: 'collection.success';
  data: CollectionSuccessData;
}

/** What prevents collections under the consent, or may prevent them. */
export interface ConsentNotice {
  /**
   * `in_doubt`: the bank reports that the consent has ended, and we check again; nothing is collected meanwhile.
   * `reauthentication_needed`: the bank wants the customer to confirm the consent again, on the page of `portal_url`;
   * nothing is collected until then. `limits_changed`: the customer changed the limits at the bank, and a coming
   * payment exceeds them.
   */
  kind: 'in_doubt' | 'reauthentication_needed' | 'limits_changed';
  /** Since when. */
  since: string;
}

/** The data of `consent.reauthentication_needed`. */
export interface ConsentReauthenticationNeededData {
  /** The schedule. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /** When it happened. */
  created_at: string;
}

/**
 * Sent when the bank wants the customer to confirm the consent again, on the page of `portal_url`; nothing is collected
 * until then.
 */
export interface ConsentReauthenticationNeededEvent {
  /** The kind of the event. */
  event: 'consent.reauthentication_needed';
  data: ConsentReauthenticationNeededData;
}

/** The data of `consent.revoked`. */
export interface ConsentRevokedData {
  /** The schedule. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /**
   * `withdrawn_on_portal`: the customer ended it on the portal. `withdrawn_at_bank`: they ended it at the bank.
   * `expired_at_bank`: the bank says that it has expired, before its agreed end.
   */
  reason: string;
  /** When it happened. */
  created_at: string;
}

/** Sent when the customer or the bank has ended the consent, and with it the schedule. */
export interface ConsentRevokedEvent {
  /** The kind of the event. */
  event: 'consent.revoked';
  data: ConsentRevokedData;
}

/** The terms that the customer agreed to. */
export interface ConsentedTerms {
  /** What each occurrence collects. */
  amount: Amount;
  frequency: Frequency;
  /** When it ends. Null: it goes on until it is cancelled. */
  end_date: string | null;
}

/** A new API key. */
export interface CreateApiKeyRequest {
  /** The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, at most 50. Null or empty: anywhere. */
  allowed_ips?: string[] | null;
  /**
   * What the key may do on its own, for a key that an agent gets: beyond it, an act waits until a member of the team
   * approves it in the dashboard. Null: all that its scopes allow.
   */
  limits?: {
    /** The most that one act may take, in pence. */
    per_act_pence: number;
    /** The most that all acts of a London day may take together, in pence. At least `per_act_pence`. */
    per_day_pence: number;
  } | null;
  /** A name that tells your keys apart. */
  name: string;
  /**
   * What the key may do. Nobody gives a scope they do not have. Default: everything but `keys`, as far as you may do it
   * yourself.
   */
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

/** A new dispute. */
export interface NewDispute {
  /**
   * `unauthorised`: the customer did not agree to it. `after_withdrawal`: it was taken after they withdrew their
   * permission. `wrong_amount`: another amount was due. `duplicate`: it was paid already. `not_received`: they did not
   * get what they paid for. `other`: as the note says.
   */
  reason:
    | 'unauthorised'
    | 'after_withdrawal'
    | 'wrong_amount'
    | 'duplicate'
    | 'not_received'
    | 'other';
  /** How much is disputed. Default: what the payment has not given back. */
  amount?: Amount;
  /** What the customer said about it. */
  note?: string;
}

/** One payment besides the occurrences of a schedule. */
export interface NewPayment {
  /** What it collects. */
  amount: Amount;
  /** When it is due, at most a year ahead. ISO 8601 with an offset or Z. Null: now. */
  due_date?: string | null;
  /** What it is for, as the customer reads it. Null: what the schedule says. */
  description?: string | null;
}

/** A new refund. */
export interface NewRefund {
  /** How much to refund. Default: what is left of the payment. */
  amount?: Amount;
  /** Why, in your own words. The customer does not see it. */
  reason?: string;
}

/** A change of many schedules. */
export interface CreateScheduleChangeRequest {
  /** The schedules, at most 5000. Left out where `filter` names them. */
  schedule_ids?: string[];
  /** All schedules that the list has with this filter, at most 5000. An empty object: every schedule. */
  filter?: ScheduleFilter;
  change: ChangeOfSchedules;
  /** Only says what would become of each schedule. Run the change by its id to carry it out. Default: false. */
  preview?: boolean;
}

/** A new schedule. */
export interface CreateScheduleRequest {
  /** What each occurrence collects. */
  amount: Amount;
  frequency: FrequencyFields;
  customer: CustomerFields;
  /** What the payments are for, as the customer reads it. */
  description: string;
  /** Your own data, always sent as a whole. Null: none. */
  metadata?: Metadata | null;
  /**
   * When it starts: the first collection comes at the first moment from then on that fits the frequency, and every one
   * at this time of day. It must not be in the past. ISO 8601 with an offset or Z. Null: it starts now, and collects at
   * 09:00 in your time zone.
   */
  start_date?: string | null;
  /**
   * When it ends; an occurrence at this very moment is still collected. ISO 8601 with an offset or Z. Null: it goes on
   * until it is cancelled.
   */
  end_date?: string | null;
  /** How many times a failed payment is retried automatically, at most. 3 unless set. */
  max_retries?: number;
  /**
   * What the customer’s bank statement shows: letters, digits, blanks and the characters `/ - ? : ( ) . , + &` and the
   * apostrophe. Null: your statement name and the customer’s `reference`, such as `FERNHILL C10400`, or a code in its
   * place or behind it.
   */
  reference?: string | null;
  /** The most that the schedule may take. Null: what the amount and the frequency need. */
  limits?: LimitsInput | null;
  /**
   * `fixed`, the default: every occurrence collects the amount. `per_occurrence`: each collects what you set for it,
   * and is skipped where you set nothing; the amount is the most that one takes, unless the limits allow more.
   */
  amount_mode?: 'fixed' | 'per_occurrence';
  /**
   * When a collection is due that falls on a weekend or a bank holiday of England and Wales. `same`, the default: on
   * that day. `next`: on the working day after it. `previous`: on the one before it. A daily schedule takes only
   * `same`.
   */
  non_working_day?: 'same' | 'next' | 'previous';
  /**
   * What is collected once, as soon as the customer has agreed, before the first occurrence: a joining fee, a deposit,
   * the rest of this month. Null: nothing.
   */
  first_payment?: FirstPaymentInput | null;
}

/** A new webhook endpoint. */
export interface NewWebhookEndpoint {
  /** Where events are sent to: a URL with https, in the sandbox also http to localhost. Redirects are not followed. */
  url: string;
  /** What it is for, in your own words. */
  description?: string;
  /**
   * The kinds of events that the endpoint gets. Unless you name them, it gets six: `success` and `failed` of
   * `schedule.setup_…`, `collection.…` and `settlement.…`. Add `schedule.cancelled` and `consent.revoked`, or you are
   * not told when a customer withdraws.
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
    | 'dispute.opened'
    | 'dispute.closed'
    | 'dispute.reopened'
    | 'schedule.cancelled'
    | 'schedule.paused'
    | 'schedule.resumed'
    | 'consent.revoked'
    | 'consent.reauthentication_needed'
    | 'merchant.settlement_account_changed'
    | 'payment.unexpected_money'
  )[];
}

/** Who pays: as you identified them, and what is known of their name, email address and reference. */
export type Customer = PhoneCustomer | BankAccountCustomer | UserIdCustomer;

/** A customer’s bank. */
export interface CustomerBank {
  /** The bank’s id, as `GET /api/v1/banks` lists it. */
  id: string;
  /** The name that the customer knows. */
  name: string;
}

/** A customer: how you identified them, what you know of them, and where they pay from. */
export type CustomerDetails =
  | PhoneCustomerDetails
  | BankAccountCustomerDetails
  | UserIdCustomerDetails;

/** Everything that is held of one customer. */
export interface CustomerExport {
  /** The customer. */
  customer_id: string;
  /** The merchant, which is you. */
  merchant_id: string;
  /** When it was read. */
  exported_at: string;
  /**
   * The rows by table, in plain text and without secrets, hashes and links: each column as text, and what is no text as
   * JSON.
   */
  tables: Record<string, Record<string, string | null>[]>;
  /** Tables with more than 50,000 rows, of which only the first ones are here. */
  cut_short: string[];
  /**
   * What happened before this moment may be in the archive, which has ids and amounts and no personal data. Null:
   * nothing is archived.
   */
  archived_before: string | null;
}

/**
 * Who pays, identified in one of three ways. A customer that you have already is found, and a new one is created; a
 * `user_id` must be that of a customer you have, the `customer.id` of a schedule. `{"phone": "+44…"}` is accepted as a
 * shorthand of the first. A name, email address or reference that is sent replaces the one that the customer has; what
 * is left out stays.
 */
export type CustomerFields = PhoneCustomerInput | BankAccountCustomerInput | UserIdCustomerInput;

/** Every day, or every so many. */
export interface DailyFrequency {
  /** The unit that `interval` counts. */
  type: 'daily';
  /** How many units from one collection to the next: 2 with `weekly` is every second week. */
  interval: number;
}

/** Every day, or every so many. */
export interface DailyFrequencyInput {
  /** The unit that `interval` counts. */
  type: 'daily';
  /** How many units from one collection to the next: 2 with `weekly` is every second week. Default: 1. */
  interval?: number;
}

/** How the customer decides. */
export interface SandboxDecision {
  /** `grant`: the customer agrees. `deny`: they say no. */
  decision: 'grant' | 'deny';
  /** Who decides: the login of a customer of the sandbox, such as `alex`, or an account number. Default: "alex". */
  account?: string;
  /** At which bank. Default: the first one of the sandbox. */
  bank_id?: string;
}

/** The outcome of a consent, and of its schedule. */
export interface SandboxDecided {
  /** The outcome of the consent: `granted`, `denied`, `rejected` … */
  consent_status: string;
  /** The status that the schedule has now. */
  schedule_status: string;
  /** Where the customer was sent at the end, which is your `return_url`. Null: they are on a page of the portal. */
  returned_to: string | null;
}

/** A webhook endpoint that is deleted. */
export interface DeleteWebhookEndpointResponse {
  /** The endpoint. */
  id: string;
  /** True: it is deleted. */
  deleted: boolean;
}

/** The delivery of an event to one endpoint. */
export interface Delivery {
  /** The delivery’s id. */
  id: string;
  /** The endpoint. */
  endpoint_id: string;
  /** The endpoint’s present address. */
  endpoint_url: string;
  /**
   * `pending`: it is to be sent, or waits for a retry. `delivered`: the endpoint acknowledged it with 200. `failed`:
   * all retries are used, or the endpoint was deleted. `held`: the endpoint was disabled; a replay sends it.
   */
  status: 'pending' | 'delivered' | 'failed' | 'held';
  /** How many times it was sent. */
  attempt_count: number;
  /** When it is sent next. Null: it is not `pending`. */
  next_attempt_at: string | null;
  /** When it was acknowledged, or failed for good. Null: neither. */
  finished_at: string | null;
}

/** One attempt to deliver an event to an endpoint. */
export interface DeliveryAttempt {
  /** Counts the attempts of the delivery from 1. */
  number: number;
  /** It was sent again because somebody asked for it. */
  manual: boolean;
  /** The HTTP status. Null: there was no response. */
  response_status: number | null;
  /** The first 4 KB of the response. Null: none is kept. */
  response_body: string | null;
  /** Why it does not count as delivered. Null: it does. */
  error: string | null;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** When it was sent. */
  at: string;
}

/** The delivery of an event to one endpoint, with its attempts. */
export interface DeliveryDetail {
  /** The delivery’s id. */
  id: string;
  /** The endpoint. */
  endpoint_id: string;
  /** The endpoint’s present address. */
  endpoint_url: string;
  /**
   * `pending`: it is to be sent, or waits for a retry. `delivered`: the endpoint acknowledged it with 200. `failed`:
   * all retries are used, or the endpoint was deleted. `held`: the endpoint was disabled; a replay sends it.
   */
  status: 'pending' | 'delivered' | 'failed' | 'held';
  /** How many times it was sent. */
  attempt_count: number;
  /** When it is sent next. Null: it is not `pending`. */
  next_attempt_at: string | null;
  /** When it was acknowledged, or failed for good. Null: neither. */
  finished_at: string | null;
  /** Every attempt, the first one first. */
  attempts: DeliveryAttempt[];
}

/** An event was sent to a webhook endpoint. */
export interface DeliveryHappening {
  /** When it happened, in the sandbox’s time. */
  at: string;
  /** What happened. */
  kind: 'delivery_attempt';
  /** The event that was sent. */
  event_id: string;
  /** The endpoint that it was sent to. */
  endpoint_id: string;
  /** Counts the attempts of the delivery from 1. */
  number: number;
  /** The HTTP status. Null: there was no response. */
  response_status: number | null;
  /** Why it does not count as delivered. Null: it does. */
  error: string | null;
}

/** The account that a settlement is paid to. */
export interface DestinationAccount {
  /** The account number, 8 digits. */
  account_number: string;
  /** The sort code, 6 digits. */
  sort_code: string;
  /** The account holder’s name. */
  name: string;
}

/** A payment that a customer does not recognise, or does not agree with. */
export interface Dispute {
  /** The dispute’s id. */
  id: string;
  /** The payment that is disputed. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** `customer`: on their page. `merchant`: your team or program, who were told. */
  raised_by: 'customer' | 'merchant';
  /**
   * `unauthorised`: the customer did not agree to it. `after_withdrawal`: it was taken after they withdrew their
   * permission. `wrong_amount`: another amount was due. `duplicate`: it was paid already. `not_received`: they did not
   * get what they paid for. `other`: as the note says.
   */
  reason:
    | 'unauthorised'
    | 'after_withdrawal'
    | 'wrong_amount'
    | 'duplicate'
    | 'not_received'
    | 'other';
  /** How much of the payment is disputed. */
  amount: Amount;
  /** What was said about it. Null: nothing. */
  note: string | null;
  /**
   * `open`: it waits for your answer. `refunded`: you gave the money back; it is open again if the refund fails.
   * `returned`: the customer’s bank took the payment back. `rejected`: you answered why nothing is due. `withdrawn`: it
   * was taken back.
   */
  status: 'open' | 'refunded' | 'returned' | 'rejected' | 'withdrawn';
  /** Until when it has to be answered. */
  deadline: string;
  /**
   * What it still asks for: less what was refunded or taken back by the customer’s bank since. Zero once it has ended.
   */
  left: AmountOrZero;
  /** How much of it goes back, or came back. Zero while it is open. */
  returned: AmountOrZero;
  /** The refund that pays it. Null: none does. While it is open, that refund waits for money in your wallet. */
  refund_id: string | null;
  /** What you answered, as the customer reads it. Null: nothing. */
  answer: string | null;
  /** When it was raised. */
  created_at: string;
  /** When it ended. Null: it is open. */
  ended_at: string | null;
}

/** The data of `dispute.closed`. */
export interface DisputeClosedData {
  /** The dispute. */
  dispute_id: string;
  /** The payment that is disputed. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** Who raised it. */
  raised_by: 'customer' | 'merchant';
  /** Why. */
  reason:
    | 'unauthorised'
    | 'after_withdrawal'
    | 'wrong_amount'
    | 'duplicate'
    | 'not_received'
    | 'other';
  /** How much of the payment is disputed. */
  amount: Amount;
  /** Until when it has to be answered. */
  deadline: string;
  /** How it ended. */
  outcome: 'refunded' | 'returned' | 'rejected' | 'withdrawn';
  /** How much of it goes back, or came back. */
  returned: AmountOrZero;
  /** The refund that pays it. Null: none does. */
  refund_id: string | null;
  /** When it ended. */
  ended_at: string;
}

/** Sent when a dispute ended: its money went back, or it was rejected or withdrawn. */
export interface DisputeClosedEvent {
  /** The kind of the event. */
  event: 'dispute.closed';
  data: DisputeClosedData;
}

/** The data of `dispute.opened`. */
export interface DisputeOpenedData {
  /** The dispute. */
  dispute_id: string;
  /** The payment that is disputed. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** Who raised it. */
  raised_by: 'customer' | 'merchant';
  /** Why. */
  reason:
    | 'unauthorised'
    | 'after_withdrawal'
    | 'wrong_amount'
    | 'duplicate'
    | 'not_received'
    | 'other';
  /** How much of the payment is disputed. */
  amount: Amount;
  /** Until when it has to be answered. */
  deadline: string;
  /** When it was raised. */
  created_at: string;
}

/** Sent when a customer, or your team for them, disputes a payment. */
export interface DisputeOpenedEvent {
  /** The kind of the event. */
  event: 'dispute.opened';
  data: DisputeOpenedData;
}

/** The data of `dispute.reopened`. */
export interface DisputeReopenedData {
  /** The dispute. */
  dispute_id: string;
  /** The payment that is disputed. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** Who raised it. */
  raised_by: 'customer' | 'merchant';
  /** Why. */
  reason:
    | 'unauthorised'
    | 'after_withdrawal'
    | 'wrong_amount'
    | 'duplicate'
    | 'not_received'
    | 'other';
  /** How much of the payment is disputed. */
  amount: Amount;
  /** Until when it has to be answered. */
  deadline: string;
  /** When it was opened again. */
  reopened_at: string;
}

/** Sent when the refund of a dispute failed or came back, and it is open again. */
export interface DisputeReopenedEvent {
  /** The kind of the event. */
  event: 'dispute.reopened';
  data: DisputeReopenedData;
}

/** The data of `endpoint.test`. */
export interface EndpointTestData {
  /** The endpoint that is tested. */
  endpoint_id: string;
  /** Its address. */
  url: string;
  /** A sentence for whoever reads it. */
  message: string;
}

/** Sent when you test an endpoint; no other endpoint gets it. */
export interface EndpointTestEvent {
  /** The kind of the event. */
  event: 'endpoint.test';
  data: EndpointTestData;
}

/** Why personal data are erased. */
export interface CustomerErasure {
  /** Who asked for it and when, such as `asked by letter of 5 January`. It is kept in the activity. */
  reason: string;
  /** Erases the metadata of their schedules too. Default: false. */
  metadata?: boolean;
}

/** A customer whose personal data are erased. */
export interface ErasedCustomer {
  /** The customer’s id, which payments and schedules keep. */
  id: string;
  /** When they were erased; a second erasure changes nothing. */
  erased_at: string;
}

/** Those of today. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'second_factor_required'
  | 'proof_required'
  | 'sso_required'
  | 'address_not_allowed'
  | 'key_limit_exceeded'
  | 'not_found'
  | 'customer_not_found'
  | 'method_not_allowed'
  | 'consent_required'
  | 'consent_decided'
  | 'schedule_cancelled'
  | 'schedule_paused'
  | 'schedule_ended'
  | 'merchant_suspended'
  | 'idempotency_conflict'
  | 'request_in_progress'
  | 'payment_not_retryable'
  | 'limit_exceeded'
  | 'occurrence_passed'
  | 'payment_not_refundable'
  | 'refund_exceeds_payment'
  | 'payment_not_disputable'
  | 'payment_disputed'
  | 'dispute_ended'
  | 'dispute_not_yours'
  | 'dispute_refund_waits'
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
  | 'act_outdated'
  | 'act_over'
  | 'act_done_already'
  | 'cursor_gone'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'rate_limit_exceeded'
  | 'internal_error'
  | 'service_unavailable';

/** Something that happened, and its deliveries. */
export interface RecollectEvent {
  /** The event’s id, which every delivery carries as `webhook-id`. */
  id: string;
  /** What happened. Kinds may be added. */
  kind: EventKind | (string & {});
  /** The schedule that it is about. Null: it is about none. */
  schedule_id: string | null;
  /** Counts the events of the schedule from 1. Null: it is about none. */
  sequence: number | null;
  /** The id of the object that it is about: a payment, a refund, a settlement … */
  subject_id: string;
  /** When it happened. */
  created_at: string;
  /** One for each endpoint that it is for. */
  deliveries: Delivery[];
}

/** An event, with every attempt to deliver it. */
export interface RecollectEventDetail {
  /** The event’s id, which every delivery carries as `webhook-id`. */
  id: string;
  /** What happened. Kinds may be added. */
  kind: EventKind | (string & {});
  /** The schedule that it is about. Null: it is about none. */
  schedule_id: string | null;
  /** Counts the events of the schedule from 1. Null: it is about none. */
  sequence: number | null;
  /** The id of the object that it is about: a payment, a refund, a settlement … */
  subject_id: string;
  /** When it happened. */
  created_at: string;
  /** The exact text that is signed and sent. */
  body: string;
  /** One for each endpoint that it is for. */
  deliveries: DeliveryDetail[];
}

/** A part of the feed of events, and where it goes on. */
export interface EventFeed {
  /** The next events, in the order of the feed. */
  data: FeedEvent[];
  /** What `after` takes next, also where nothing has come. */
  next_cursor: string;
  /** Whether more events are there already. If not, ask again in a few seconds. */
  has_more: boolean;
}

/** An event occurred. */
export interface EventHappening {
  /** When it happened, in the sandbox’s time. */
  at: string;
  /** What happened. */
  kind: 'event';
  /** The event’s id. */
  event_id: string;
  /** The kind of the event, such as `collection.success`. */
  event: string;
  /** The id of the object that it is about. */
  subject_id: string;
}

/** Those of today. */
export type EventKind =
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
  | 'dispute.opened'
  | 'dispute.closed'
  | 'dispute.reopened'
  | 'schedule.cancelled'
  | 'schedule.paused'
  | 'schedule.resumed'
  | 'consent.revoked'
  | 'consent.reauthentication_needed'
  | 'merchant.settlement_account_changed'
  | 'payment.unexpected_money'
  | 'endpoint.test';

/** Why something failed. */
export interface Failure {
  /** What your program acts on. Codes may be added. */
  code: FailureCode | (string & {});
  /** The same in a sentence, for your team. */
  message: string;
}

/** Those of today. */
export type FailureCode =
  | 'insufficient_funds'
  | 'account_closed'
  | 'invalid_account'
  | 'blocked'
  | 'bank_limit'
  | 'limit_exceeded'
  | 'reauthentication_required'
  | 'creditor_account_unavailable'
  | 'duplicate'
  | 'technical'
  | 'rejected'
  | 'schedule_paused'
  | 'schedule_cancelled'
  | 'paid_by_hand'
  | 'consent_denied'
  | 'consent_rejected'
  | 'consent_account_mismatch'
  | 'consent_expired'
  | 'consent_revoked'
  | 'insufficient_balance'
  | 'payer_unknown'
  | 'payment_returned'
  | 'dispute_closed'
  | 'refund_returned'
  | 'payout_returned'
  | 'amount_differs'
  | 'given_up';

/** An event with its place in the feed. */
export interface FeedEvent {
  /** The event’s id, which every delivery carries as `webhook-id`. */
  id: string;
  /** What happened. Kinds may be added. */
  kind: EventKind | (string & {});
  /** The schedule that it is about. Null: it is about none. */
  schedule_id: string | null;
  /** Counts the events of the schedule from 1. Null: it is about none. */
  sequence: number | null;
  /** The id of the object that it is about: a payment, a refund, a settlement … */
  subject_id: string;
  /** When it happened. */
  created_at: string;
  /** The exact text that webhooks sign and send. */
  body: string;
  /** Where this event stands: `after` takes it, and goes on behind the event. */
  cursor: string;
}

/** What the operator takes of each payment, never more than its amount. */
export interface Fees {
  /** The fixed part of the fee of a payment, in pence. */
  fixed_pence: number;
  /** The share of the amount, in hundredths of a percent. Half a penny is rounded up. */
  basis_points: number;
  /** From when on they apply: to what is collected from then on. */
  from: string;
}

/** A payment that is collected once, as soon as the customer has agreed. */
export interface FirstPayment {
  /** What it collects, once. */
  amount: Amount;
  /** What it is for, as the customer reads it. Null: what the schedule is for. */
  description: string | null;
}

/** A payment that is collected once, as soon as the customer has agreed. */
export interface FirstPaymentInput {
  /** What it collects, once. */
  amount: Amount;
  /** What it is for, as the customer reads it. Null: what the schedule is for. */
  description?: string | null;
}

/** How often payments are collected. */
export type Frequency =
  | DailyFrequency
  | WeeklyFrequency
  | MonthlyFrequency
  | QuarterlyFrequency
  | YearlyFrequency;

/**
 * How often payments are collected. The type alone, such as `"monthly"`, is accepted too. Without `start_date` the
 * first collection comes on the next such day, so within a month for quarterly and yearly schedules too; to begin in
 * another month, give one. A day that a month lacks falls on its last day, and the next month uses your day again. The
 * time of day stays through changes of the clocks.
 */
export type FrequencyFields =
  | DailyFrequencyInput
  | WeeklyFrequencyInput
  | MonthlyFrequencyInput
  | QuarterlyFrequencyInput
  | YearlyFrequencyInput;

/** The results of the lines of a request. */
export interface Import {
  /** The lines, in the order of the file. */
  data: ImportedLine[];
}

/** Something wrong with a line. */
export interface ImportError {
  /** The column. Null: the line as a whole. */
  column: string | null;
  /** What is wrong. */
  reason: string;
}

/** Some lines of a file. */
export interface ImportSchedulesRequest {
  /** The heading and at most 200 lines of a CSV file. */
  csv: string;
  /** The number in the whole file of the first line after the heading. Default: 2. */
  first_line?: number;
  /** Only check: the response says what would become of each line, and nothing is created. */
  check_only?: boolean;
}

/** Who pays, as the line says. */
export interface ImportedCustomer {
  /** The name of the customer. Null: the line has none. */
  name: string | null;
  /** Their email address. Null: the line has none. */
  email: string | null;
  /** Their phone number, as it is stored. Null: the line has none. */
  phone: string | null;
}

/** The result of one line of a file. */
export interface ImportedLine {
  /** Where in the file it begins. The heading is line 1. */
  line: number;
  /**
   * `created`: it is a schedule now. `valid`: a check found nothing wrong. `existing`: an earlier import created it.
   * `invalid`: `errors` say why not.
   */
  status: 'valid' | 'created' | 'existing' | 'invalid';
  /** Lines with the same key stand for the same schedule. Null: the line cannot be read that far. */
  key: string | null;
  /** The line’s own name, by which it is recognised. Null: the line has none. */
  import_reference: string | null;
  customer: ImportedCustomer;
  /** What the payments are for. Null: the line has none. */
  description: string | null;
  /** What each occurrence collects. Null: it cannot be read. */
  amount: AmountOrZero | null;
  /** The schedule of the line. Null: there is none. */
  schedule_id: string | null;
  /** The link on which the customer agrees. Null: in a check, and once they have decided. */
  consent_url: string | null;
  /** What is wrong with the line. Empty unless it is `invalid`. */
  errors: ImportError[];
}

/** What an API key may do on its own. A key and those that replace it share their limits. */
export interface KeyLimits {
  /** The most that one act may take, in pence. */
  per_act_pence: number;
  /** The most that all acts of a London day may take together, in pence. */
  per_day_pence: number;
  /** What the acts of today have taken together, in pence. */
  used_today_pence: number;
}

/** The most that the schedule may take. The customer sees the limits before agreeing, and the bank enforces them. */
export interface Limits {
  /** The most that one payment takes. */
  per_payment: Amount;
  /** The most that all payments of one period take together. */
  per_period: AmountPerPeriod;
  /** The period of `per_period`. It follows from the frequency. */
  period: 'day' | 'week' | 'fortnight' | 'month' | 'half_year' | 'year';
}

/**
 * The most that the schedule may take. On create, a limit that is left out is what the amount and the frequency need.
 */
export interface LimitsInput {
  /** The most that one payment takes, at least `amount`. Null: `amount`. */
  per_payment?: Amount | null;
  /**
   * The most that all payments of one period take together, at least what its occurrences need. Null: what they need.
   */
  per_period?: AmountPerPeriod | null;
  /** It cannot be chosen, because it follows from the frequency: leave it out, or send it as it was read. */
  period?: 'day' | 'week' | 'fortnight' | 'month' | 'half_year' | 'year';
}

/** The banks of the sandbox, with their accounts. */
export interface ListSandboxAccountsResponse {
  /** The banks of the sandbox. */
  banks: SandboxBank[];
}

/** The coming occurrences of a schedule. */
export interface ListUpcomingResponse {
  /** The coming occurrences, the next one first. */
  data: Occurrence[];
}

/** An account of which only the last digits are shown. */
export interface MaskedAccount {
  /** The account holder’s name. */
  name: string;
  /** The sort code, masked but for its last digits. */
  sort_code: string;
  /** The account number, masked but for its last digits. */
  account_number: string;
}

/** Your business details and settings. */
export interface Merchant {
  /** Your id. */
  id: string;
  /** The name that customers know. */
  name: string;
  /** The name in the register of companies. */
  legal_name: string;
  /** The address that customers can write to, and that notices for you go to. */
  email: string;
  /** Your website, shown to customers: a URL with https or http. */
  website: string;
  /** The business address, shown to customers. */
  address: string;
  /** Your terms and conditions in plain text, shown before the customer agrees. */
  terms: string;
  /**
   * The time zone in which the dates of your schedules are computed: a name of the tz database such as `Europe/London`,
   * or `UTC`.
   */
  time_zone: string;
  /**
   * Where the customer goes after the decision, with `schedule_id` and `status` in the query: a URL with https. Null: a
   * closing page of the portal.
   */
  return_url: string | null;
  /** Whether a new schedule is active at once where the same customer has granted a consent that covers it too. */
  reuse_consent: boolean;
  /** Whether a refund waits for the next collections where your wallet has less. Otherwise it is refused. */
  refunds_wait: boolean;
  /** The colour of the buttons that customers see. White text must be legible on it. Null: the default colour. */
  colour: string | null;
  settlement_account: SettlementAccount;
  /**
   * What the references of new schedules on bank statements begin with, where you give none: what you set, or the first
   * word of your name.
   */
  statement_name: string;
  /** Where the logo that customers see is served. Null: they see your name instead. */
  logo_url: string | null;
  /** The settlement account that waits to take effect. Null: no change waits. */
  pending_settlement_account: PendingSettlementAccount | null;
  /** What the operator takes of each payment. Null: nothing. */
  fees: Fees | null;
  /** The fees that follow, and from when on. Null: no change is announced. */
  next_fees: Fees | null;
  /** Since when the operator has you suspended: no new schedules, and no new payments. Null: you are not. */
  suspended_since: string | null;
  /** Since when your pay-outs are on hold: settlements wait. Null: they are not. */
  pay_outs_held_since: string | null;
  /**
   * When the hold ends on its own, after one owner alone has changed the settlement account. Null: when somebody ends
   * it, or there is none.
   */
  pay_outs_held_until: string | null;
  /** When you were registered. */
  created_at: string;
}

/** The data of `merchant.settlement_account_changed`. */
export interface MerchantSettlementAccountChangedData {
  /** The merchant, which is you. */
  merchant_id: string;
  /** The account until now, masked. */
  old_account: MaskedAccount;
  /** The account from now on, masked. */
  new_account: MaskedAccount;
  /** When the change was asked for. */
  requested_at: string;
  /** When it took effect. */
  changed_at: string;
}

/** Sent when settlements go to another account from now on. */
export interface MerchantSettlementAccountChangedEvent {
  /** The kind of the event. */
  event: 'merchant.settlement_account_changed';
  data: MerchantSettlementAccountChangedData;
}

/**
 * Names and values of your own, at most 16,384 characters of JSON. Deeper nesting than the schema shows is stored too.
 */
export type Metadata = Record<string, unknown>;

export type MetadataScalar = string | number | boolean | null;

/** Every month, or every so many. */
export interface MonthlyFrequency {
  /** The unit that `interval` counts. */
  type: 'monthly';
  /** The day of the month; in a month without that day, the last one. */
  day: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. */
  interval: number;
}

/** Every month, or every so many. */
export interface MonthlyFrequencyInput {
  /** The unit that `interval` counts. */
  type: 'monthly';
  /** The day of the month; in a month without that day, the last one. Default: that of `start_date`, else today’s. */
  day?: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. Default: 1. */
  interval?: number;
}

/** A new API key, with its secret. */
export interface NewApiKey {
  /** The key’s id, which is no secret. */
  id: string;
  /** The name that tells your keys apart. */
  name: string;
  /** The last four characters of the key. */
  hint: string;
  /** What the key may do. A key does no more than the member who made it may do at that moment. */
  scopes: (
    | 'schedules'
    | 'payments'
    | 'settlements'
    | 'customers'
    | 'webhooks'
    | 'merchant'
    | 'keys'
  )[];
  /** The id of the member who made it. The key ends with their membership. Null: the operator made it. */
  made_by: string | null;
  /** When it was made. */
  created_at: string;
  /** When it stops working, because another one replaces it. Null: it does not expire. */
  expires_at: string | null;
  /** When it was revoked. Null: it was not. */
  revoked_at: string | null;
  /** When it was last used, to the minute. Null: never. */
  last_used_at: string | null;
  /** The addresses and ranges that it may be used from. Null: anywhere. */
  allowed_ips: string[] | null;
  /** What it may do on its own: beyond it, a member of the team is asked. Null: all that its scopes allow. */
  limits: KeyLimits | null;
  /** The last use from an address that is not allowed, which was refused. Null: there was none. */
  last_refused: RefusedUse | null;
  /** The key itself. Only this response has it. */
  key: string;
}

/** Why nothing was sent yet. */
export interface NotSent {
  /**
   * `merchant_suspended`: the operator has you suspended. `bank_stopped`: the operator sends nothing to this bank for
   * now. `consent_in_doubt`: the bank reports that the consent has ended, and we check again.
   * `reauthentication_needed`: the customer has to confirm the consent again. `bank_down`: the bank does not answer.
   * `bank_degraded`: it sometimes does not. `retrying`: something else failed, and is tried again. `being_sent`: it is
   * on its way.
   */
  reason:
    | 'merchant_suspended'
    | 'bank_stopped'
    | 'consent_in_doubt'
    | 'reauthentication_needed'
    | 'bank_down'
    | 'bank_degraded'
    | 'retrying'
    | 'being_sent';
  /** The bank, as `GET /api/v1/banks` lists it. */
  bank_id: string;
  /** When we try again. Null: now, or when somebody has acted. */
  next_try_at: string | null;
}

/** A coming occurrence of a schedule. */
export interface Occurrence {
  /** When it is due. */
  due_date: string;
  /** What it collects. Null: no amount is set yet; without one nothing is collected. */
  amount: Amount | null;
  /** You skip it: nothing is collected. */
  skipped: boolean;
  /** An amount or a skip was set for this occurrence. */
  changed: boolean;
  /**
   * Why it is not on the day or at the time that was asked for, or does not collect the usual amount. Null: it does
   * both.
   */
  reason: string | null;
}

/** What the occurrence collects, or that it is skipped. */
export type OccurrenceChange = {
  /** What the occurrence collects. */
  amount: Amount;
} | {
  /** Nothing is collected. */
  skip: true;
};

/** What an account’s bank said of the account holder’s name (Confirmation of Payee). */
export interface PayeeCheck {
  /** `unavailable`: nobody could say. Whatever it is, the change takes its course. */
  result: 'match' | 'close_match' | 'no_match' | 'unavailable';
  /** The holder’s name as the bank has it. Null: the bank tells it of a close match alone. */
  bank_name: string | null;
  /** What is known besides, or why there is no verdict. Null: nothing. */
  reason:
    | 'no_such_account'
    | 'personal_account'
    | 'account_switched'
    | 'roll_number_needed'
    | 'bank_takes_no_part'
    | 'no_answer'
    | 'not_offered'
    | 'no_wallet_yet'
    | 'too_many_checks'
    | null;
  /** When the bank was asked. */
  checked_at: string;
}

/** The account that a customer pays from, masked. */
export interface PayingAccount {
  /** The sort code, all of it masked. */
  sort_code: string;
  /** The account number, masked but for its last digits. */
  account_number: string;
}

/** The collection of one occurrence of a schedule, of which there is never a second one, or an ad-hoc payment. */
export interface Payment {
  /** The payment’s id. */
  id: string;
  /** The schedule it belongs to. */
  schedule_id: string;
  /** Who pays. */
  customer_id: string;
  /** Your own name of the customer, as it is now. Null: you gave none. */
  customer_reference: string | null;
  /** The customer’s bank, as `GET /api/v1/banks` lists it. */
  bank_id: string;
  /** Your own data of the schedule, as it is now. Null: none. */
  metadata: Metadata | null;
  /**
   * `scheduled`: an occurrence of the schedule. `ad_hoc`: a payment that you asked for besides the occurrences.
   * `first`: the first payment of the schedule, collected as soon as the customer had agreed.
   */
  kind: 'scheduled' | 'ad_hoc' | 'first';
  /** What it collects. */
  amount: Amount;
  /** What it is for, of an ad-hoc or first payment that was given a description. Null: that of the schedule. */
  description: string | null;
  /**
   * `pending`: due, or waiting for a retry. `processing`: with the bank, or on its way to your wallet. `success`: the
   * money is in your wallet. `failed`: no automatic attempt follows; only a retry by hand, or money that arrives late,
   * changes it.
   */
  status: 'pending' | 'processing' | 'success' | 'failed';
  /** When it is due. */
  due_date: string;
  /** Every attempt, the first one first. */
  attempts: Attempt[];
  /** When it is tried again. Null: no retry is planned. */
  next_retry_at: string | null;
  /**
   * Why no retry follows. `final`: it would fail again. `max_retries`: all retries are used. `next_occurrence`: a retry
   * would come after the next collection. `end_date`: it would come after the end of the consent. `limits`: the
   * customer’s limits have no room for it. `by_hand`: the attempt was a retry by hand, which none follows. `stopped`: a
   * pause, a cancellation or a withdrawal ended the payment. Null: the payment has not failed.
   */
  no_retry_reason:
    | 'final'
    | 'max_retries'
    | 'next_occurrence'
    | 'end_date'
    | 'limits'
    | 'by_hand'
    | 'stopped'
    | null;
  /**
   * Why the last attempt failed, also while a retry waits: `insufficient_funds`, `technical`, `bank_limit`,
   * `limit_exceeded`, `rejected`, `account_closed`, `invalid_account`, `blocked`, `creditor_account_unavailable`,
   * `duplicate`, `consent_revoked`, `consent_expired`, `reauthentication_required`, `schedule_paused`,
   * `schedule_cancelled` or `paid_by_hand`. Null: none has failed, or the payment has succeeded.
   */
  error: Failure | null;
  /** The settlement that pays it out to you. Null: none has it yet. */
  settlement_id: string | null;
  /** What the operator takes of it, netted from its settlement. Null: it has not succeeded. */
  fee: AmountOrZero | null;
  /** What was refunded of it, or is being refunded. Refunds that failed do not count. */
  refunded: AmountOrZero;
  /**
   * What the customer’s bank recalled after the success. You owe it, and your next settlements net it. Null: nothing.
   */
  returned: ReturnedMoney | null;
  /** The account that pays, masked. Null: it is not known yet. */
  paying_account: PayingAccount | null;
  /** When it was created. */
  created_at: string;
  /** When it succeeded. Null: it has not. */
  completed_at: string | null;
  /** When it failed for good. Null: it has not. */
  failed_at: string | null;
  /** Why the order of the attempt under way has not been sent yet. Null: it was sent, or no attempt is under way. */
  not_sent: NotSent | null;
  /**
   * Why it cannot end on its own: the operator has to find out its outcome. Null: it goes on automatically, or has
   * ended.
   */
  waits_for_operator: WaitsForOperator | null;
  /** Money that arrived and may belong to this payment, though it did not wait for it. */
  unexpected_money: UnexpectedMoney[];
}

/** One attempt to collect a payment. It is one order to the bank. */
export interface Attempt {
  /** Counts the attempts of the payment from 1. */
  number: number;
  /** `processing`: under way. `success`: its money has come. `failed`: no money comes of it. */
  status: 'processing' | 'success' | 'failed';
  /** Somebody retried the payment by hand. */
  manual: boolean;
  /** Why it failed. Null: it has not. */
  error: Failure | null;
  /** The bank’s id of the payment. Null: not known. */
  bank_payment_id: string | null;
  /** The status that the bank reported last, such as `ACSC`. Null: none yet. */
  bank_status: string | null;
  /** When it began. */
  started_at: string;
  /** When its order was sent to the bank. Null: nothing was sent. */
  sent_at: string | null;
  /** When its outcome was recorded. Null: it is under way. */
  finished_at: string | null;
}

/** A payment that may still arrive, although its schedule is paused or cancelled. */
export interface PaymentUnderWay {
  /** The payment’s id. */
  id: string;
  /** What it collects. */
  amount: Amount;
  /** When it was due. */
  due_date: string;
}

/** The data of `payment.unexpected_money`. */
export interface PaymentUnexpectedMoneyData {
  /** The id of the money, which is the same once a decision is made. */
  id: string;
  /** The payment. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** How much arrived. */
  amount: Amount;
  /**
   * `open`: the operator has not decided yet. `allocated`: it pays for a payment, whole. `accepted_in_part`: it pays
   * for a payment of another amount. `returned`: it went back to whoever paid it. `paid_on`: it was paid to you by
   * hand. `credited`: it was added to your balance, and goes out with a settlement.
   */
  status: 'open' | 'allocated' | 'accepted_in_part' | 'returned' | 'paid_on' | 'credited';
  /**
   * `nothing_awaited`: no payment waits for this amount. `another_amount`: the amount differs from that of the payment.
   * `another_wallet`: it came to the wallet of another customer. `paid_already`: the payment is paid already.
   * `later_attempt`: it pays for an earlier attempt, while a later one is with the bank. `left_over`: it is left over
   * from an amount that was too high. `came_back`: it was paid out and came back. `not_transferred`: it could not be
   * transferred to your wallet.
   */
  reason:
    | 'nothing_awaited'
    | 'another_amount'
    | 'another_wallet'
    | 'paid_already'
    | 'later_attempt'
    | 'left_over'
    | 'came_back'
    | 'not_transferred';
  /** When it arrived. */
  arrived_at: string;
}

/**
 * Sent when money arrives that may belong to a payment and that it does not wait for, and again when the operator has
 * decided what becomes of it.
 */
export interface PaymentUnexpectedMoneyEvent {
  /** The kind of the event. */
  event: 'payment.unexpected_money';
  data: PaymentUnexpectedMoneyData;
}

/** The settlement account that a change will put in place, masked. */
export interface PendingSettlementAccount {
  /** The account holder’s name. */
  name: string;
  /** The sort code, masked but for its last digits. */
  sort_code: string;
  /** The account number, masked but for its last digits. */
  account_number: string;
  /** When the change was asked for. */
  requested_at: string;
  /** From when on settlements are paid to it, unless a second owner confirms it before. */
  takes_effect_at: string;
  /** What the bank said of the name when the change was asked for. Null: it was not asked. */
  payee_check: PayeeCheck | null;
}

/** A change of amounts by per cent. */
export interface PercentChange {
  /**
   * By how many per cent the amount as you last asked for it changes, with at most two decimals. Not 0; below 0 it goes
   * down.
   */
  percent: number;
  /** The new amount is rounded to a multiple of this many pence; what lies in the middle is rounded up. Default: 1. */
  round_to?: number;
}

/** The customer is identified by a phone number. */
export interface PhoneCustomer {
  /** The customer’s id. */
  id: string;
  /** The customer’s name. */
  name?: string;
  /** The customer’s email address. */
  email?: string;
  /** Your own id of the customer. */
  reference?: string;
  /** The customer is identified by a phone number. */
  type: 'phone';
  /** The phone number, in international format with a `+`. */
  value: string;
}

/** The customer is identified by a phone number. */
export interface PhoneCustomerDetails {
  /** The customer’s id. */
  id: string;
  /** The customer’s name. Null: not known. */
  name: string | null;
  /** The customer’s email address. Null: not known. */
  email: string | null;
  /** Your own id of the customer. Null: there is none. */
  reference: string | null;
  /** For your team; never shown to the customer. Null: there are none. */
  notes: string | null;
  /** The bank of the latest granted consent. Null: there was none. */
  bank: CustomerBank | null;
  /** The account of the latest granted consent, masked. Null: it is not known yet. */
  paying_account: PayingAccount | null;
  /** When the customer was created. */
  created_at: string;
  /** The customer is identified by a phone number. */
  type: 'phone';
  /** The phone number, in international format with a `+`. */
  value: string;
}

/** The customer is identified by a phone number. */
export interface PhoneCustomerInput {
  /** The customer’s name. Null clears it. */
  name?: string | null;
  /** The customer’s email address. Null clears it. */
  email?: string | null;
  /** Your own id of the customer. Null clears it. */
  reference?: string | null;
  /** The customer is identified by a phone number. */
  type: 'phone';
  /** The phone number, in international format with a `+`. */
  value: string;
}

/** An act to be prepared. */
export interface ActToPrepare {
  /** The endpoint that does it, by its `operationId` in this document. */
  operation:
    | 'createPayment'
    | 'createSchedule'
    | 'updateSchedule'
    | 'changeUpcoming'
    | 'restoreUpcoming'
    | 'retryPayment'
    | 'createRefund';
  /** What stands in the path of that endpoint, such as `id`; else an empty object. */
  params: Record<string, string>;
  /** The body of that endpoint; an empty object, where it takes none. */
  body: Record<string, unknown>;
  /**
   * What it is for, in a few words of your own that stay the same when you ask again, such as the number of an invoice.
   * One purpose for one schedule or payment is one act. Null: the same request is one act for 24 hours.
   */
  purpose?: string | null;
}

/** Something that an API key has prepared, and its outcome. */
export interface PreparedAct {
  /** The act’s id, by which it is committed. */
  id: string;
  /** The endpoint that does it, by its `operationId`. */
  operation:
    | 'createPayment'
    | 'createSchedule'
    | 'updateSchedule'
    | 'changeUpcoming'
    | 'restoreUpcoming'
    | 'retryPayment'
    | 'createRefund';
  /**
   * `prepared`: nothing has happened yet. `waiting_for_approval`: it was committed beyond the limits of the key, and a
   * member of the team is asked. `done`: it has happened, once. `declined`: a member has declined it, for good.
   * `replaced`: the key prepared something else for the same purpose. `expired`: it was not committed or approved in
   * time.
   */
  status: 'prepared' | 'waiting_for_approval' | 'done' | 'declined' | 'replaced' | 'expired';
  /** What happens when it is committed, in a sentence. */
  summary: string;
  /** What it takes, as the limits of the key count it. */
  amount: AmountOrZero;
  /** Who else is asked. */
  asks: ('customer' | 'member')[];
  /** The schedule or payment that it is about. Null: it creates a schedule. */
  about_id: string | null;
  /** What it has made or changed. Null: it is not done. */
  object_id: string | null;
  /** The limits of the key now. Null: it has none. */
  limits: KeyLimits | null;
  /** The API key that prepared it. */
  key_id: string;
  /** The name of that key. */
  key_name: string;
  /** The name that the agent gave itself. Null: none. */
  agent: string | null;
  /** The id of the member who approved or declined it. Null: nobody did. */
  decided_by: string | null;
  /** When it was prepared. */
  created_at: string;
  /** Until when it can be committed or approved. */
  expires_at: string;
  /** When it was done, declined or replaced. Null: it was not. */
  ended_at: string | null;
}

/** Every quarter, or every so many. */
export interface QuarterlyFrequency {
  /** The unit that `interval` counts. */
  type: 'quarterly';
  /** The day of the month; in a month without that day, the last one. */
  day: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. */
  interval: number;
}

/** Every quarter, or every so many. */
export interface QuarterlyFrequencyInput {
  /** The unit that `interval` counts. */
  type: 'quarterly';
  /** The day of the month; in a month without that day, the last one. Default: that of `start_date`, else today’s. */
  day?: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. Default: 1. */
  interval?: number;
}

/** Money of a payment that goes back to the account that paid. */
export interface Refund {
  /** The refund’s id. */
  id: string;
  /** The payment that it refunds. */
  payment_id: string;
  /** How much goes back. */
  amount: Amount;
  /**
   * `pending`: not ordered yet, or waiting for money in your wallet. `processing`: with the e-money issuer. `success`:
   * paid to the account that paid. `failed`: not paid, or it came back; its money is in your wallet, and it can be made
   * again.
   */
  status: 'pending' | 'processing' | 'success' | 'failed';
  /** Why, in your own words. Null: you gave no reason. */
  reason: string | null;
  /**
   * Why it failed, such as `insufficient_balance`, `payer_unknown`, `payment_returned`, `dispute_closed` or
   * `refund_returned`. Null: it has not.
   */
  error: Failure | null;
  /** When it was created. */
  created_at: string;
  /** When it was paid. Null: it was not. */
  completed_at: string | null;
  /** When it failed, or came back. Null: it has not. */
  failed_at: string | null;
}

/** What a dispute gives back. */
export interface DisputeRefund {
  /** How much to give back. Default: what it still asks for (`left`). */
  amount?: Amount;
}

/** The data of `refund.failed`. */
export interface RefundFailedData {
  /** The refund. */
  refund_id: string;
  /** The payment that it refunds. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** How much it refunds. */
  amount: Amount;
  /** Why, in your own words. Null: you gave no reason. */
  reason: string | null;
  /** Why: one of the codes of a refund’s `error`. */
  error: Failure;
  /** When it failed, or came back. */
  failed_at: string;
}

/** Sent when a refund was not paid, or came back. Its money is in your wallet. */
export interface RefundFailedEvent {
  /** The kind of the event. */
  event: 'refund.failed';
  data: RefundFailedData;
}

/** The data of `refund.success`. */
export interface RefundSuccessData {
  /** The refund. */
  refund_id: string;
  /** The payment that it refunds. */
  payment_id: string;
  /** The schedule of the payment. */
  schedule_id: string;
  /** How much it refunds. */
  amount: Amount;
  /** Why, in your own words. Null: you gave no reason. */
  reason: string | null;
  /** When it was paid. */
  completed_at: string;
}

/** Sent when a refund was paid to the account that had paid. */
export interface RefundSuccessEvent {
  /** The kind of the event. */
  event: 'refund.success';
  data: RefundSuccessData;
}

/** A use of an API key that was refused because of its address. */
export interface RefusedUse {
  /** When it was used. */
  at: string;
  /** The address that it was used from. */
  address: string;
}

/** The answer to a dispute. */
export interface DisputeRejection {
  /** Why nothing is due, as the customer reads it. */
  answer: string;
}

/** Which events are sent again, and to which endpoint. */
export interface Replay {
  /** The endpoint that the events are sent to. */
  endpoint_id: string;
  /** Only events that occurred at this moment or later. ISO 8601 with an offset or Z. */
  from: string;
  /** Only events that occurred before this moment. ISO 8601 with an offset or Z. */
  to: string;
  /** Whether only what has not arrived is sent. False: what has arrived too. Default: true. */
  only_undelivered?: boolean;
}

/** How many events are sent again, and where to continue. */
export interface Replayed {
  /** The endpoint that the events are sent to. */
  endpoint_id: string;
  /** How many events are on their way. */
  replayed: number;
  /** The `from` to continue with, where there are more events than one call sends. Null: there are no more. */
  next_from: string | null;
  /** Events from before this moment may be in the archive, and are not sent then. Null: none of the range is. */
  archived_before: string | null;
}

/** Where an event is sent again. */
export interface ResendEventRequest {
  /** Only to this endpoint. Default: every enabled one that should have it. */
  endpoint_id?: string;
}

/** Money of a payment that the customer’s bank has recalled. */
export interface ReturnedMoney {
  /** What was recalled, and what you owe. */
  amount: Amount;
  /** When it was recalled. */
  at: string;
  /** Why, as the bank says. */
  reason: string;
}

/** How an API key is replaced. */
export interface RotateApiKeyRequest {
  /** How many hours the old key goes on working. Default: 24. */
  overlap_hours?: number;
}

/** An account at a bank of the sandbox. */
export interface SandboxAccount {
  /** The login of its customer at the bank. The PIN is 1234. */
  account: string;
  /** The account holder’s name. */
  holder: string;
  /** What the bank app calls the account. */
  nickname: string;
  /** The sort code, 6 digits. */
  sort_code: string;
  /** The account number, 8 digits. */
  account_number: string;
  /** How it behaves, such as `normal` or `fails_first`. */
  behaviour: string;
  /** What happens when a payment is collected from it. */
  summary: string;
  /** How much is in it, in pence. */
  balance: number;
  /** The money that comes into it once a month. Null: none does. */
  payday: SandboxPayday | null;
}

/** A bank of the sandbox, with its accounts. */
export interface SandboxBank {
  /** The bank’s id. */
  bank_id: string;
  /** The name that customers know. */
  name: string;
  /** What is special about it. */
  summary: string;
  /** Where its app is: log in there as a customer. */
  app_url: string;
  /** What the whole bank does, besides what its accounts do. */
  behaviours: string[];
  /** Its accounts. */
  accounts: SandboxAccount[];
}

/** How a whole bank of the sandbox behaves. */
export interface SandboxBankBehaviour {
  /** The bank’s id. */
  bank_id: string;
  /** The name that customers know. */
  name: string;
  /**
   * What the whole bank does. `unavailable`: every call gets a 503. `refuses_clients`: its token endpoint lets nobody
   * in. `stops_at_acsc`: payments end at `ACSC`. `omits_optional_fields`: responses leave out every optional field.
   * `ignores_debtor_account`: customers may pay from any of their accounts, whichever the request names. `bare_errors`:
   * every third call gets a bare 400, 403, 404 or 502. `loses_requests`: every third call is lost before it arrives.
   * `loses_answers`: every third call is carried out, and its response is lost.
   */
  behaviours: string[];
  /** Faults of the next calls, which are used up one by one. */
  next_calls: SandboxFault[];
}

/** The business time of the sandbox. */
export interface SandboxClock {
  /** What time it is in the sandbox. */
  now: string;
  /** True: it is being moved forward. False: it runs with real time. */
  advancing: boolean;
  /** To which moment it is being moved. Null: it is not. */
  advancing_to: string | null;
  /**
   * The webhook endpoints that have not answered yet, while it is being moved: a slow one holds up everybody’s clock.
   */
  waiting_for: string[];
  /** Why the last move ended before its target. Null: it did not, or was asked to. */
  last_error: string | null;
}

/** A fault of the next calls of one kind. */
export interface SandboxFault {
  /** Which calls: method and path as in the standard, such as `GET /domestic-vrp-consents/:id`. */
  call: string;
  /** What happens to the call: a bare HTTP status from 400 to 599, or the request or its response is lost. */
  fault: number | 'lost_request' | 'lost_answer';
  /** How many calls. Default: 1. */
  times?: number;
}

/** How the e-money issuer of the sandbox behaves. */
export interface SandboxIssuer {
  /** The modes that are on. */
  modes: string[];
  /** All modes that there are. */
  known: SandboxIssuerMode[];
}

/** A mode that the issuer can be in. */
export interface SandboxIssuerMode {
  /** Its name. */
  mode: string;
  /** How the issuer behaves while it is on. */
  summary: string;
}

/** What happened while the clock was moved. */
export interface SandboxMoved {
  /** Where the clock stood before. */
  from: string;
  /** Where it stands now, or stood when the move ended. */
  to: string;
  /** True: the move is under way. */
  advancing: boolean;
  /** What happened to you on the way, in order: the last 10,000 entries. */
  happened: (StateChangeHappening | EventHappening | DeliveryHappening)[];
  /** More happened than `happened` has. */
  truncated: boolean;
  /** It ended before it reached its target: it was asked to stop, or `error` says why. */
  stopped: boolean;
  /** What ended it before its target. Null: nothing did. */
  error: string | null;
}

/** Money that comes into an account once a month. */
export interface SandboxPayday {
  /** The day of the month. */
  day: number;
  /** How much comes, in pence. */
  amount: number;
  /** When it comes next. Null: it does not. */
  next: string | null;
}

/** A series of collections from one customer. */
export interface Schedule {
  /** The schedule’s id. */
  id: string;
  /**
   * `pending_consent`: the customer has not agreed yet. `active`: it collects. `paused`: nothing is collected until it
   * is resumed. `cancelled`: it is over for good.
   */
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  /**
   * What each occurrence collects, as you last asked. While a change waits for the customer, collections go by
   * `consented`.
   */
  amount: Amount;
  /** How often it collects, as you last asked. */
  frequency: Frequency;
  customer: Customer;
  /** What the payments are for, as the customer reads it. */
  description: string;
  /** Your own data. Null: none. */
  metadata: Metadata | null;
  /** From when on it collects, as you sent it. Null: you sent none. */
  start_date: string | null;
  /** When it ends; an occurrence at this very moment is still collected. Null: it goes on until it is cancelled. */
  end_date: string | null;
  /** How many times a failed payment is retried automatically, at most. */
  max_retries: number;
  /**
   * What the customer’s bank statement shows: your reference, or the one made for you, in the characters that every
   * bank takes, letters, digits, blanks, `.` and `-`.
   */
  reference: string;
  limits: Limits;
  /** What is collected once, as soon as the customer has agreed, before the first occurrence. Null: nothing. */
  first_payment: FirstPayment | null;
  /**
   * `fixed`, the default: every occurrence collects the amount. `per_occurrence`: each collects what you set for it,
   * and is skipped where you set nothing; the amount is the most that one takes, unless the limits allow more.
   */
  amount_mode: 'fixed' | 'per_occurrence';
  /**
   * When a collection is due that falls on a weekend or a bank holiday of England and Wales. `same`, the default: on
   * that day. `next`: on the working day after it. `previous`: on the one before it. A daily schedule takes only
   * `same`.
   */
  non_working_day: 'same' | 'next' | 'previous';
  /**
   * When it collects next: the first coming occurrence that is not skipped, or an ad-hoc payment that is due before it.
   * Before the customer has agreed, the first occurrence if they agree now. Retries do not count. Null: nothing is to
   * come.
   */
  next_payment_date: string | null;
  /** When the paused schedule resumes automatically. Null: only when you resume it. */
  resume_at: string | null;
  /** When it was created. */
  created_at: string;
  /**
   * The terms that the customer agreed to. Collections go by them until the customer agrees to others. Null: before the
   * first consent.
   */
  consented: ConsentedTerms | null;
  /** The account that the customer pays from, masked. Null: it is not known yet. */
  paying_account: PayingAccount | null;
  /**
   * What prevents collections under the consent, or may prevent them; the most serious, if there are several. Null:
   * nothing.
   */
  consent_notice: ConsentNotice | null;
  /** What you should know of terms that are allowed; mostly nothing. */
  warnings: {
    /**
     * `max_gap`: more than twelve months lie between two collections, or until the first. Some banks end a consent that
     * lies unused for 13 months.
     */
    code: 'max_gap';
    /** The same, for people. */
    message: string;
  }[];
  /**
   * The link on which the customer agrees, to a new schedule, to changed terms or to another account. Present while a
   * consent waits for the customer.
   */
  consent_url?: string;
  /**
   * What the customer is asked for on `consent_url`. `terms`: what is shown holds once they have agreed.
   * `another_account`: it holds already, and they are asked to pay it from another account.
   */
  consent_for?: 'terms' | 'another_account';
  /**
   * The customer’s own page: what was agreed, all payments, and the way to stop them. Present once a consent was
   * granted. Whoever has the link can stop the payments.
   */
  portal_url?: string;
  /**
   * Payments that were with the bank when the schedule was paused or cancelled, and may still arrive. Present on a
   * single schedule that is paused or cancelled.
   */
  payments_under_way?: PaymentUnderWay[];
}

/** The data of `schedule.cancelled`. */
export interface ScheduleCancelledData {
  /** The schedule. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /** The status that the schedule has now. */
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  /** Why, in words such as `paused by the merchant`, or as a code such as `withdrawn_at_bank`. */
  reason: string;
  /** When it happened. */
  created_at: string;
}

/** Sent when a schedule is over for good. */
export interface ScheduleCancelledEvent {
  /** The kind of the event. */
  event: 'schedule.cancelled';
  data: ScheduleCancelledData;
}

/** A change of many schedules at once. */
export interface ScheduleChange {
  /** The change’s id. */
  id: string;
  /**
   * `preview`: nothing was changed yet. `running`: schedules are being changed, one after the other. `done`: every line
   * is done, refused or failed.
   */
  status: 'preview' | 'running' | 'done';
  change: ChangeOfSchedules;
  /** How many schedules it is about: the set is fixed when the change is asked for. */
  total: number;
  /** How many change without a new consent. */
  within_consent: number;
  /** How many need a new consent; until then they collect as agreed. */
  needs_consent: number;
  /** How many still wait for the customer’s consent; their link shows the change. */
  awaiting_consent: number;
  /** How many are already as asked. */
  unchanged: number;
  /** How many cannot be changed; their lines say why. */
  refused: number;
  /** How many lines are done: changed, unchanged or refused. */
  done: number;
  /** How many lines failed for now. Run the change again for these. */
  failed: number;
  /** What their amounts add up to before, as the list of schedules does; without those that are refused. */
  amount_before: AmountOrZero;
  /** The same once the change has taken effect. */
  amount_after: AmountOrZero;
  /** When it was asked for. */
  created_at: string;
  /** When it was started. Null: it is a preview. */
  started_at: string | null;
  /** When its last line ended. Null: it is not done. */
  finished_at: string | null;
}

/** One schedule of a change. */
export interface ScheduleChangeLine {
  /** The schedule. */
  schedule_id: string;
  /** What its payments are for. */
  description: string;
  /** Its amount when the change was asked for. */
  amount_before: AmountOrZero;
  /** Its amount after the change. */
  amount_after: AmountOrZero;
  /**
   * `within_consent`: it changes without a new consent. `needs_consent`: the customer has to agree again.
   * `awaiting_consent`: the customer has not agreed to the schedule yet. `unchanged`: it is already so. `refused`: it
   * cannot be changed.
   */
  effect: 'within_consent' | 'needs_consent' | 'awaiting_consent' | 'unchanged' | 'refused';
  /** `planned`: not carried out yet. `done`: carried out, or nothing to do. `failed`: it can be run again. */
  state: 'planned' | 'done' | 'failed';
  /**
   * Why it is refused or failed. `schedule_changed`: the schedule was changed after the change was asked for.
   * `effect_changed`: it would now have another effect than was said. The others are [error codes](docs/errors). Null:
   * neither.
   */
  error_code: string | null;
  /** Why it is refused or failed, or why the customer has to agree, in words. Null: neither. */
  reason: string | null;
  /** What came of sending the customer the consent link. Null: nothing was to be sent, or not yet. */
  link: 'by_email' | 'by_text' | 'already' | 'unreachable' | 'nothing_waits' | null;
}

export interface ScheduleFilter {
  /**
   * Only items that this finds: words of the description, an id or its beginning, an amount in pounds, the bank’s id of
   * a payment, or what finds a customer.
   */
  q?: string;
  /** Only schedules in this status. `failing`: active, and the latest collection that has ended failed for good. */
  status?: 'pending_consent' | 'active' | 'paused' | 'cancelled' | 'failing';
  /** Only failing schedules whose latest collection failed with this code. */
  error_code?: string;
  /** Only schedules of this customer. An unknown id is 404. */
  customer_id?: string;
  /** Only schedules that first became active in this month, such as `2026-03`. */
  started?: string;
  /** Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `created_at` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** Only items with an `amount` of at least this many pence. */
  amount_from?: number;
  /** Only items with an `amount` of at most this many pence. */
  amount_to?: number;
}

/** The data of `schedule.paused`. */
export interface SchedulePausedData {
  /** The schedule. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /** The status that the schedule has now. */
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  /** Why, in words such as `paused by the merchant`, or as a code such as `withdrawn_at_bank`. */
  reason: string;
  /** When it happened. */
  created_at: string;
}

/** Sent when a schedule is paused, and when one cannot resume at `resume_at` because no consent is in force. */
export interface SchedulePausedEvent {
  /** The kind of the event. */
  event: 'schedule.paused';
  data: SchedulePausedData;
}

/** The data of `schedule.resumed`. */
export interface ScheduleResumedData {
  /** The schedule. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /** The status that the schedule has now. */
  status: 'pending_consent' | 'active' | 'paused' | 'cancelled';
  /** Why, in words such as `paused by the merchant`, or as a code such as `withdrawn_at_bank`. */
  reason: string;
  /** When it happened. */
  created_at: string;
}

/** Sent when a paused schedule collects again. */
export interface ScheduleResumedEvent {
  /** The kind of the event. */
  event: 'schedule.resumed';
  data: ScheduleResumedData;
}

/** The data of `schedule.setup_failed`. */
export interface ScheduleSetupFailedData {
  /** The schedule. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /**
   * Why. `consent_denied`: the customer said no. `consent_expired`: they did not decide in time. `consent_rejected`:
   * the bank refused for good. `consent_account_mismatch`: they chose another account than the one you named.
   */
  error: Failure;
  /** When it happened. */
  created_at: string;
}

/**
 * Sent when the customer has not agreed. A new schedule is cancelled; of an older one the change, or the request for
 * another account, is dropped, and it goes on as it was.
 */
export interface ScheduleSetupFailedEvent {
  /** The kind of the event. */
  event: 'schedule.setup_failed';
  data: ScheduleSetupFailedData;
}

/** The data of `schedule.setup_success`. */
export interface ScheduleSetupSuccessData {
  /** The schedule. */
  schedule_id: string;
  /** The customer of the schedule. */
  customer_id: string;
  /** What each occurrence collects from now on. */
  amount: Amount;
  frequency: Frequency;
  /** What is collected now, once. Null: nothing, as after every later consent of the schedule. */
  first_payment: FirstPayment | null;
  /** When it happened. */
  created_at: string;
}

/** Sent when the customer has agreed to a new schedule, to changed terms or to another account. */
export interface ScheduleSetupSuccessEvent {
  /** The kind of the event. */
  event: 'schedule.setup_success';
  data: ScheduleSetupSuccessData;
}

/**
 * The payments of one business day, paid out to you together on the next. A day with more than £1,000,000.00 has
 * several.
 */
export interface Settlement {
  /** The settlement’s id. */
  id: string;
  /**
   * `pending`: not ordered yet, or your pay-outs are on hold. `processing`: with the e-money issuer. `success`: paid
   * out. `failed`: not paid out, or it came back; its money is in your wallet, and goes out with the next settlement or
   * by a retry.
   */
  status: 'pending' | 'processing' | 'success' | 'failed';
  /** What is paid out: `gross` less `refunds`, `fees` and `carried`. */
  amount: Amount;
  /** The sum of its payments. */
  gross: AmountOrZero;
  /** What refunds took since the settlement before; below zero where failed refunds gave back more. */
  refunds: SignedAmount;
  /** The sum of the fees of its payments. */
  fees: AmountOrZero;
  /** What you owed for recalled payments, netted here. */
  carried: AmountOrZero;
  /** The business day on which it is paid out, in London. */
  settlement_date: string;
  /**
   * What stands on your bank statement: the same for every attempt, and of this settlement alone. Where the issuer has
   * the pay-out under another one, it is that one. Capitals and digits; that of a pay-out of long ago may have small
   * letters.
   */
  statement_reference: string;
  destination_account: DestinationAccount;
  /** How many times a pay-out was begun. */
  attempts: number;
  /**
   * Why it failed, such as `invalid_account`, or `payout_returned` where it came back; `amount_differs` while the
   * operator clears up what the issuer paid. Null: nothing is wrong.
   */
  error: Failure | null;
  /** When it was opened. Its payments are fixed from then on. */
  created_at: string;
  /** When it was paid out. Null: it was not. */
  completed_at: string | null;
  /** When it failed, or came back. Null: it has not. */
  failed_at: string | null;
}

/** The account that settlements are paid to. An owner changes it in the dashboard; an API key gets 403 `forbidden`. */
export interface SettlementAccount {
  /** The account holder’s name. */
  name: string;
  /** The sort code, 6 digits. */
  sort_code: string;
  /** The account number, 8 digits. */
  account_number: string;
}

/** The data of `settlement.failed`. */
export interface SettlementFailedData {
  /** The settlement. */
  settlement_id: string;
  /** What it pays out. */
  amount: Amount;
  /** What stands on your bank statement. */
  statement_reference: string;
  /** The account that it is paid to. */
  destination_account: {
    /** The account number, 8 digits. */
    account_number: string;
    /** The sort code, 6 digits. */
    sort_code: string;
  };
  /** Why it failed, or came back. */
  error: Failure;
  /** When it failed, or came back. */
  failed_at: string;
}

/** Sent when a settlement was not paid out, or came back (`payout_returned`). Its money is in your wallet. */
export interface SettlementFailedEvent {
  /** The kind of the event. */
  event: 'settlement.failed';
  data: SettlementFailedData;
}

/** The data of `settlement.success`. */
export interface SettlementSuccessData {
  /** The settlement. */
  settlement_id: string;
  /** What it pays out. */
  amount: Amount;
  /** What stands on your bank statement. */
  statement_reference: string;
  /** The account that it is paid to. */
  destination_account: {
    /** The account number, 8 digits. */
    account_number: string;
    /** The sort code, 6 digits. */
    sort_code: string;
  };
  /** When it was paid out. */
  completed_at: string;
}

/** Sent when a settlement was paid out to your bank account. */
export interface SettlementSuccessEvent {
  /** The kind of the event. */
  event: 'settlement.success';
  data: SettlementSuccessData;
}

/** An amount of money, which may be below zero. */
export interface SignedAmount {
  /** A whole number of pence. */
  value: number;
  /** ISO 4217: `GBP`, the only currency so far. */
  currency: string;
}

/** Something of yours changed its state. */
export interface StateChangeHappening {
  /** When it happened, in the sandbox’s time. */
  at: string;
  /** What happened. */
  kind: 'state_change';
  /** The id of what changed: a schedule, a payment, a settlement … */
  object_id: string;
  /** The schedule that it belongs to. Null: to none. */
  schedule_id: string | null;
  /** The state before. Null: it is new. */
  from: string | null;
  /** The state after. */
  to: string;
  /** Why it changed. */
  reason: string;
}

/** A test event. */
export interface TestWebhookEndpointResponse {
  /** The event that was sent. */
  event_id: string;
}

/** Money that arrived and that no payment waited for. */
export interface UnexpectedMoney {
  /** The id of this money. */
  id: string;
  /** How much came. */
  amount: AmountOrZero;
  /**
   * `open`: the operator has not decided yet. `allocated`: it pays for a payment, whole. `accepted_in_part`: it pays
   * for a payment of another amount. `returned`: it went back to whoever paid it. `paid_on`: it was paid to you by
   * hand. `credited`: it was added to your balance, and goes out with a settlement.
   */
  status: 'open' | 'allocated' | 'accepted_in_part' | 'returned' | 'paid_on' | 'credited';
  /**
   * `nothing_awaited`: no payment waits for this amount. `another_amount`: the amount differs from that of the payment.
   * `another_wallet`: it came to the wallet of another customer. `paid_already`: the payment is paid already.
   * `later_attempt`: it pays for an earlier attempt, while a later one is with the bank. `left_over`: it is left over
   * from an amount that was too high. `came_back`: it was paid out and came back. `not_transferred`: it could not be
   * transferred to your wallet.
   */
  reason:
    | 'nothing_awaited'
    | 'another_amount'
    | 'another_wallet'
    | 'paid_already'
    | 'later_attempt'
    | 'left_over'
    | 'came_back'
    | 'not_transferred';
  /** When it arrived. */
  arrived_at: string;
  /** When the operator decided about it. Null: it is still open. */
  ended_at: string | null;
}

/** Changes of an API key. A field that is left out stays as it is. */
export interface UpdateApiKeyRequest {
  /** The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, at most 50. Null or empty: anywhere. */
  allowed_ips?: string[] | null;
  /**
   * What the key may do on its own, for a key that an agent gets: beyond it, an act waits until a member of the team
   * approves it in the dashboard. Null: all that its scopes allow.
   */
  limits?: {
    /** The most that one act may take, in pence. */
    per_act_pence: number;
    /** The most that all acts of a London day may take together, in pence. At least `per_act_pence`. */
    per_day_pence: number;
  } | null;
}

/** Changes of a customer. A field that is left out stays as it is. */
export interface CustomerChanges {
  /** The customer’s name. Null clears it. */
  name?: string | null;
  /** The customer’s email address. Null clears it. */
  email?: string | null;
  /** Your own id of the customer. Null clears it. */
  reference?: string | null;
  /** For your team; never shown to the customer. Null clears them. */
  notes?: string | null;
}

/** Changes of your details and settings. A field that is left out stays as it is. */
export interface MerchantChanges {
  /** The name that customers know. */
  name?: string;
  /** The name in the register of companies. */
  legal_name?: string;
  /** The address that customers can write to, and that notices for you go to. */
  email?: string;
  /** Your website, shown to customers: a URL with https or http. */
  website?: string;
  /** The business address, shown to customers. */
  address?: string;
  /** Your terms and conditions in plain text, shown before the customer agrees. */
  terms?: string;
  /**
   * The time zone in which the dates of your schedules are computed: a name of the tz database such as `Europe/London`,
   * or `UTC`.
   */
  time_zone?: string;
  /**
   * Where the customer goes after the decision, with `schedule_id` and `status` in the query: a URL with https. Null: a
   * closing page of the portal.
   */
  return_url?: string | null;
  /** Whether a new schedule is active at once where the same customer has granted a consent that covers it too. */
  reuse_consent?: boolean;
  /** Whether a refund waits for the next collections where your wallet has less. Otherwise it is refused. */
  refunds_wait?: boolean;
  /** The colour of the buttons that customers see. White text must be legible on it. Null: the default colour. */
  colour?: string | null;
  settlement_account?: SettlementAccount;
  /**
   * What the references of new schedules on bank statements begin with, where you give none: 1 to 10 letters and
   * digits, stored in capitals. Null: the first word of your name.
   */
  statement_name?: string | null;
  /**
   * The logo that customers see: a PNG or JPEG of at most 100 KB and 2,000 pixels a side, in base64. Null takes it
   * away.
   */
  logo?: string | null;
}

/** Changes of a schedule. A field that is left out stays as it is. */
export interface UpdateScheduleRequest {
  /** What each occurrence collects. */
  amount?: Amount;
  frequency?: FrequencyFields;
  /** What the payments are for, as the customer reads it. */
  description?: string;
  /** Your own data, always sent as a whole. Null: none. */
  metadata?: Metadata | null;
  /** When it starts. It can be changed only before the first payment. ISO 8601 with an offset or Z. */
  start_date?: string;
  /**
   * When it ends; an occurrence at this very moment is still collected. ISO 8601 with an offset or Z. Null: it goes on
   * until it is cancelled.
   */
  end_date?: string | null;
  /** How many times a failed payment is retried automatically, at most. 3 unless set. */
  max_retries?: number;
  /**
   * What the customer’s bank statement shows: letters, digits, blanks and the characters `/ - ? : ( ) . , + &` and the
   * apostrophe. Null: your statement name and the customer’s `reference`, such as `FERNHILL C10400`, or a code in its
   * place or behind it. It can be changed only before the customer has agreed: null then leaves it.
   */
  reference?: string | null;
  /** The most that the schedule may take. Null: what the amount and the frequency need. */
  limits?: LimitsInput | null;
  /**
   * `fixed`, the default: every occurrence collects the amount. `per_occurrence`: each collects what you set for it,
   * and is skipped where you set nothing; the amount is the most that one takes, unless the limits allow more.
   */
  amount_mode?: 'fixed' | 'per_occurrence';
  /**
   * When a collection is due that falls on a weekend or a bank holiday of England and Wales. `same`, the default: on
   * that day. `next`: on the working day after it. `previous`: on the one before it. A daily schedule takes only
   * `same`.
   */
  non_working_day?: 'same' | 'next' | 'previous';
  /**
   * `active` resumes a paused schedule, `paused` pauses it, `cancelled` ends it for good. The status that it has
   * changes nothing.
   */
  status?: 'active' | 'paused' | 'cancelled';
  /**
   * With `status: "paused"`: when the schedule resumes automatically. ISO 8601 with an offset or Z. Null: only when you
   * resume it.
   */
  resume_at?: string | null;
}

/** Changes of a webhook endpoint. A field that is left out stays as it is. */
export interface WebhookEndpointChanges {
  /** Where events are sent to: a URL with https, in the sandbox also http to localhost. Redirects are not followed. */
  url?: string;
  /** What it is for, in your own words. */
  description?: string;
  /**
   * The kinds of events that the endpoint gets. Unless you name them, it gets six: `success` and `failed` of
   * `schedule.setup_…`, `collection.…` and `settlement.…`. Add `schedule.cancelled` and `consent.revoked`, or you are
   * not told when a customer withdraws.
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
    | 'dispute.opened'
    | 'dispute.closed'
    | 'dispute.reopened'
    | 'schedule.cancelled'
    | 'schedule.paused'
    | 'schedule.resumed'
    | 'consent.revoked'
    | 'consent.reauthentication_needed'
    | 'merchant.settlement_account_changed'
    | 'payment.unexpected_money'
  )[];
  /** `enabled`: events are sent. `disabled`: they are held back until they are replayed. */
  status?: 'enabled' | 'disabled';
}

/** The customer is identified by the id of a customer that you have. */
export interface UserIdCustomer {
  /** The customer’s id. */
  id: string;
  /** The customer’s name. */
  name?: string;
  /** The customer’s email address. */
  email?: string;
  /** Your own id of the customer. */
  reference?: string;
  /** The customer is identified by the id of a customer that you have. */
  type: 'user_id';
  /** The id of a customer of yours. */
  value: string;
}

/** The customer is identified by the id of a customer that you have. */
export interface UserIdCustomerDetails {
  /** The customer’s id. */
  id: string;
  /** The customer’s name. Null: not known. */
  name: string | null;
  /** The customer’s email address. Null: not known. */
  email: string | null;
  /** Your own id of the customer. Null: there is none. */
  reference: string | null;
  /** For your team; never shown to the customer. Null: there are none. */
  notes: string | null;
  /** The bank of the latest granted consent. Null: there was none. */
  bank: CustomerBank | null;
  /** The account of the latest granted consent, masked. Null: it is not known yet. */
  paying_account: PayingAccount | null;
  /** When the customer was created. */
  created_at: string;
  /** The customer is identified by the id of a customer that you have. */
  type: 'user_id';
  /** The id of a customer of yours. */
  value: string;
}

/** The customer is identified by the id of a customer that you have. */
export interface UserIdCustomerInput {
  /** The customer’s name. Null clears it. */
  name?: string | null;
  /** The customer’s email address. Null clears it. */
  email?: string | null;
  /** Your own id of the customer. Null clears it. */
  reference?: string | null;
  /** The customer is identified by the id of a customer that you have. */
  type: 'user_id';
  /** The id of a customer of yours. */
  value: string;
}

/** Why a payment cannot end on its own. */
export interface WaitsForOperator {
  /**
   * `no_outcome`: the bank has said nothing final for a day. `credited_without_money`: the bank says that it has paid,
   * and no money has come for two hours. `wrong_amount`: money of another amount has come. `not_transferred`: its money
   * has come, and is not in your wallet after two hours. `not_sent`: nothing was sent for a week.
   */
  reason: 'no_outcome' | 'credited_without_money' | 'wrong_amount' | 'not_transferred' | 'not_sent';
  /** Since when. */
  since: string;
}

/**
 * An e-money wallet: your own, to which every payment is transferred, or the one in which the payments of a customer
 * arrive.
 */
export interface Wallet {
  /** The wallet’s id. */
  id: string;
  /** The customer whose payments arrive in it. Null: it is your own wallet. */
  customer_id: string | null;
  /**
   * `planned`: not yet at the e-money issuer. `reserved`: its account is known, and it takes no money yet. `open`: it
   * takes money. `closing`: nobody needs it, and the issuer is to close it. `closed`: it is closed.
   */
  status: 'planned' | 'reserved' | 'open' | 'closing' | 'closed';
  /** What is in it now. */
  balance: AmountOrZero;
}

/** An address of yours that gets events. */
export interface WebhookEndpoint {
  /** The endpoint’s id. */
  id: string;
  /** Where events are sent to. */
  url: string;
  /** What it is for, in your own words; empty if you said nothing. */
  description: string;
  /** The kinds of events that it gets. */
  event_kinds: string[];
  /** `enabled`: events are sent. `disabled`: they are held back until they are replayed. */
  status: 'enabled' | 'disabled';
  /** How many deliveries were held back while it was disabled. A replay sends them. */
  held: number;
  /** How many deliveries have failed at least once, and were not acknowledged since. */
  undelivered: number;
  /** When the new secret is activated automatically. Null: there is no new secret. */
  next_secret_activates_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
}

/** An endpoint, with its new secret. */
export interface WebhookEndpointWithSecret {
  /** The endpoint’s id. */
  id: string;
  /** Where events are sent to. */
  url: string;
  /** What it is for, in your own words; empty if you said nothing. */
  description: string;
  /** The kinds of events that it gets. */
  event_kinds: string[];
  /** `enabled`: events are sent. `disabled`: they are held back until they are replayed. */
  status: 'enabled' | 'disabled';
  /** How many deliveries were held back while it was disabled. A replay sends them. */
  held: number;
  /** How many deliveries have failed at least once, and were not acknowledged since. */
  undelivered: number;
  /** When the new secret is activated automatically. Null: there is no new secret. */
  next_secret_activates_at: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** The new secret that signs its webhooks. Only this response has it. */
  secret: string;
}

/** Every week, or every so many. */
export interface WeeklyFrequency {
  /** The unit that `interval` counts. */
  type: 'weekly';
  /** The day of the week, 1 (Monday) to 7. */
  day: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. */
  interval: number;
}

/** Every week, or every so many. */
export interface WeeklyFrequencyInput {
  /** The unit that `interval` counts. */
  type: 'weekly';
  /** The day of the week, 1 (Monday) to 7. Default: that of `start_date`, else today’s. */
  day?: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. Default: 1. */
  interval?: number;
}

/** Every year, or every so many. */
export interface YearlyFrequency {
  /** The unit that `interval` counts. */
  type: 'yearly';
  /** The day of the month; in a month without that day, the last one. */
  day: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. */
  interval: number;
}

/** Every year, or every so many. */
export interface YearlyFrequencyInput {
  /** The unit that `interval` counts. */
  type: 'yearly';
  /** The day of the month; in a month without that day, the last one. Default: that of `start_date`, else today’s. */
  day?: number;
  /** How many units from one collection to the next: 2 with `weekly` is every second week. Default: 1. */
  interval?: number;
}

export interface CustomerQuery extends ListQuery {
  /**
   * Only items that this finds: words of the name or their beginnings from three letters on, the email address or its
   * words, the reference, a phone number or at least its last four digits, a sort code with an account number, or an
   * id: of the customer, or of a schedule or payment of theirs.
   */
  q?: string;
  /** Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `created_at` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first. */
  sort?: '-created_at' | 'created_at';
}

export interface ExportCustomerQuery {
  /** Who asked for it and when, such as `asked by letter of 5 January`. It is kept in the activity. */
  reason: string;
}

export interface ScheduleQuery extends ListQuery {
  /**
   * Only items that this finds: words of the description, an id or its beginning, an amount in pounds, the bank’s id of
   * a payment, or what finds a customer.
   */
  q?: string;
  /** Only schedules in this status. `failing`: active, and the latest collection that has ended failed for good. */
  status?: 'pending_consent' | 'active' | 'paused' | 'cancelled' | 'failing';
  /** Only failing schedules whose latest collection failed with this code. */
  error_code?: string;
  /** Only schedules of this customer. An unknown id is 404. */
  customer_id?: string;
  /** Only schedules that first became active in this month, such as `2026-03`. */
  started?: string;
  /** Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `created_at` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** Only items with an `amount` of at least this many pence. */
  amount_from?: number;
  /** Only items with an `amount` of at most this many pence. */
  amount_to?: number;
  /** Whether `total_amount` adds up what matches, on all pages. Refused beside `after`. */
  sum?: boolean;
  /** What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first. */
  sort?: '-created_at' | 'created_at' | 'description' | '-description';
}

export interface ListUpcomingQuery {
  /** How many to return. */
  limit?: number;
}

export interface ListScheduleChangeLinesQuery extends ListQuery {
  /** Only schedules for which the change has this effect. */
  effect?: 'within_consent' | 'needs_consent' | 'awaiting_consent' | 'unchanged' | 'refused';
  /** Only lines in this state. */
  state?: 'planned' | 'done' | 'failed';
}

export interface PaymentQuery extends ListQuery {
  /** Whether `total_amount` adds up what matches, on all pages. Refused beside `after`. */
  sum?: boolean;
  /**
   * Only items that this finds: an id or its beginning, an amount in pounds, an attempt’s instruction id or the bank’s
   * id of a payment; for a key with the scope `schedules` also words of the description, for one with `customers` what
   * finds a customer.
   */
  q?: string;
  /** Only payments in this status. */
  status?: 'pending' | 'processing' | 'success' | 'failed';
  /** Only payments whose `error` has this code. */
  error_code?: string;
  /** Only payments from accounts at this bank. */
  bank_id?: string;
  /** Only payments of this schedule. An unknown id is 404. */
  schedule_id?: string;
  /** Only payments of this customer. An unknown id is 404. */
  customer_id?: string;
  /** Only items with `due_date` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `due_date` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** Only items with an `amount` of at least this many pence. */
  amount_from?: number;
  /** Only items with an `amount` of at most this many pence. */
  amount_to?: number;
  /** What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first. */
  sort?: '-created_at' | 'created_at' | '-due_date' | 'due_date';
}

export interface RefundQuery extends ListQuery {
  /** Whether `total_amount` adds up what matches, on all pages. Refused beside `after`. */
  sum?: boolean;
  /** Only refunds in this status. */
  status?: 'pending' | 'processing' | 'success' | 'failed';
  /** Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `created_at` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** Only items with an `amount` of at least this many pence. */
  amount_from?: number;
  /** Only items with an `amount` of at most this many pence. */
  amount_to?: number;
  /** What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first. */
  sort?: '-created_at' | 'created_at';
}

export interface DisputeQuery extends ListQuery {
  /** Whether `total_amount` adds up what matches, on all pages. Refused beside `after`. */
  sum?: boolean;
  /** Only disputes in this status. */
  status?: 'open' | 'refunded' | 'returned' | 'rejected' | 'withdrawn';
  /** Only disputes for this reason. */
  reason?:
    | 'unauthorised'
    | 'after_withdrawal'
    | 'wrong_amount'
    | 'duplicate'
    | 'not_received'
    | 'other';
  /** Only disputes of this payment. */
  payment_id?: string;
  /** Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `created_at` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** Only items with an `amount` of at least this many pence. */
  amount_from?: number;
  /** Only items with an `amount` of at most this many pence. */
  amount_to?: number;
  /** What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first. */
  sort?: '-created_at' | 'created_at';
}

export interface SettlementQuery extends ListQuery {
  /** Whether `total_amount` adds up what matches, on all pages. Refused beside `after`. */
  sum?: boolean;
  /** Only settlements in this status. */
  status?: 'pending' | 'processing' | 'success' | 'failed';
  /**
   * A line of your bank statement, or a part of its reference, in whatever case and with blanks: only the settlements
   * whose `statement_reference` it has, or is a part of.
   */
  q?: string;
  /** Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `created_at` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** Only items with an `amount` of at least this many pence. */
  amount_from?: number;
  /** Only items with an `amount` of at most this many pence. */
  amount_to?: number;
  /** What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first. */
  sort?: '-created_at' | 'created_at';
}

export interface FollowEventsQuery {
  /** How many to return. */
  limit?: number;
  /** Where to go on: the `cursor` of an event, or a `next_cursor`. `start` is the beginning, and the default. */
  after?: string;
}

export interface EventQuery extends ListQuery {
  /** Only events that have not arrived: an endpoint has not acknowledged them, or no endpoint has got them yet. */
  delivery?: 'undelivered';
  /** Only events of this kind. */
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
    | 'dispute.opened'
    | 'dispute.closed'
    | 'dispute.reopened'
    | 'schedule.cancelled'
    | 'schedule.paused'
    | 'schedule.resumed'
    | 'consent.revoked'
    | 'consent.reauthentication_needed'
    | 'merchant.settlement_account_changed'
    | 'payment.unexpected_money'
    | 'endpoint.test';
  /** Only events about this schedule. */
  schedule_id?: string;
  /** Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z. */
  from?: string;
  /** Only items with `created_at` before this moment. ISO 8601 with an offset or Z. */
  to?: string;
  /** What the list is sorted by. A `-` reverses the order: `-created_at` is the newest first. */
  sort?: '-created_at' | 'created_at';
}

export interface PreparedActQuery extends ListQuery {
  /** Only acts in this status. Those that have expired are among `prepared` and `waiting_for_approval`. */
  status?: 'prepared' | 'waiting_for_approval' | 'done' | 'declined' | 'replaced';
}

/** What each kind of event carries. */
export interface WebhookData {
  /**
   * Sent when an attempt has failed; `next_retry_at` says when the next one comes, and where it is null
   * `no_retry_reason` says why. Also when a pause, a cancellation or a withdrawal ends a payment: then `reason` is
   * `stopped`.
   */
  'collection.failed': CollectionFailedData;
  /**
   * Sent when the customer’s bank recalls the money after the success of a collection. You owe it, and your next
   * settlements net it.
   */
  'collection.returned': CollectionReturnedData;
  /** Sent when an occurrence falls due and nothing is collected, because you skip it or have set no amount for it. */
  'collection.skipped': CollectionSkippedData;
  /** Sent when a collection has succeeded: its money is in your wallet. */
  'collection.success': CollectionSuccessData;
  /**
   * Sent when the bank wants the customer to confirm the consent again, on the page of `portal_url`; nothing is
   * collected until then.
   */
  'consent.reauthentication_needed': ConsentReauthenticationNeededData;
  /** Sent when the customer or the bank has ended the consent, and with it the schedule. */
  'consent.revoked': ConsentRevokedData;
  /** Sent when a dispute ended: its money went back, or it was rejected or withdrawn. */
  'dispute.closed': DisputeClosedData;
  /** Sent when a customer, or your team for them, disputes a payment. */
  'dispute.opened': DisputeOpenedData;
  /** Sent when the refund of a dispute failed or came back, and it is open again. */
  'dispute.reopened': DisputeReopenedData;
  /** Sent when you test an endpoint; no other endpoint gets it. */
  'endpoint.test': EndpointTestData;
  /** Sent when settlements go to another account from now on. */
  'merchant.settlement_account_changed': MerchantSettlementAccountChangedData;
  /**
   * Sent when money arrives that may belong to a payment and that it does not wait for, and again when the operator has
   * decided what becomes of it.
   */
  'payment.unexpected_money': PaymentUnexpectedMoneyData;
  /** Sent when a refund was not paid, or came back. Its money is in your wallet. */
  'refund.failed': RefundFailedData;
  /** Sent when a refund was paid to the account that had paid. */
  'refund.success': RefundSuccessData;
  /** Sent when a schedule is over for good. */
  'schedule.cancelled': ScheduleCancelledData;
  /** Sent when a schedule is paused, and when one cannot resume at `resume_at` because no consent is in force. */
  'schedule.paused': SchedulePausedData;
  /** Sent when a paused schedule collects again. */
  'schedule.resumed': ScheduleResumedData;
  /**
   * Sent when the customer has not agreed. A new schedule is cancelled; of an older one the change, or the request for
   * another account, is dropped, and it goes on as it was.
   */
  'schedule.setup_failed': ScheduleSetupFailedData;
  /** Sent when the customer has agreed to a new schedule, to changed terms or to another account. */
  'schedule.setup_success': ScheduleSetupSuccessData;
  /** Sent when a settlement was not paid out, or came back (`payout_returned`). Its money is in your wallet. */
  'settlement.failed': SettlementFailedData;
  /** Sent when a settlement was paid out to your bank account. */
  'settlement.success': SettlementSuccessData;
}
