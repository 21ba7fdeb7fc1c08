<?php

// Written by `npm run generate -- clients` from the OpenAPI document of the service.

declare(strict_types=1);

namespace Recollect;

/**
 * The types of what is sent and returned, for PHPStan and editors.
 *
 * @phpstan-type ErrorBody array{
 *   error: array{
 *     code: ErrorCode|string,
 *     message: string,
 *     details?: array<string, string>,
 *   },
 * }
 * @phpstan-type AdvanceSandboxClockRequest array{
 *   by?: string,
 *   to?: string,
 *   wait?: bool,
 * }
 * @phpstan-type Amount array{
 *   value: int,
 *   currency: string,
 * }
 * @phpstan-type AmountOrZero array{
 *   value: int,
 *   currency: string,
 * }
 * @phpstan-type AmountPerPeriod array{
 *   value: int,
 *   currency: string,
 * }
 * @phpstan-type ApiKey array{
 *   id: string,
 *   name: string,
 *   hint: string,
 *   scopes: list<'schedules'|'payments'|'settlements'|'customers'|'webhooks'|'merchant'|'keys'>,
 *   made_by: string|null,
 *   created_at: string,
 *   expires_at: string|null,
 *   revoked_at: string|null,
 *   last_used_at: string|null,
 *   allowed_ips: list<string>|null,
 *   limits: KeyLimits|null,
 *   last_refused: RefusedUse|null,
 * }
 * @phpstan-type Bank array{
 *   bank_id: string,
 *   name: string,
 *   condition: 'operational'|'degraded'|'down',
 *   since: string|null,
 *   operations: list<BankOperation>,
 *   stopped: bool,
 * }
 * @phpstan-type BankAccountCustomer array{
 *   id: string,
 *   name?: string,
 *   email?: string,
 *   reference?: string,
 *   type: 'bank_account',
 *   account_number: string,
 *   sort_code: string,
 * }
 * @phpstan-type BankAccountCustomerDetails array{
 *   id: string,
 *   name: string|null,
 *   email: string|null,
 *   reference: string|null,
 *   notes: string|null,
 *   bank: CustomerBank|null,
 *   paying_account: PayingAccount|null,
 *   created_at: string,
 *   type: 'bank_account',
 *   account_number: string,
 *   sort_code: string,
 * }
 * @phpstan-type BankAccountCustomerInput array{
 *   name?: string|null,
 *   email?: string|null,
 *   reference?: string|null,
 *   type: 'bank_account',
 *   account_number: string,
 *   sort_code: string,
 * }
 * @phpstan-type BankList array{
 *   data: list<Bank>,
 * }
 * @phpstan-type BankOperation array{
 *   operation: 'consent'|'token'|'funds'|'payment'|'read',
 *   condition: 'operational'|'degraded'|'down',
 *   since: string|null,
 * }
 * @phpstan-type CaseFile array{
 *   name: string,
 *   media_type: 'application/zip',
 *   sha256: string,
 *   content: string,
 * }
 * @phpstan-type ChangeOfSchedules array{
 *   amount?: Amount|PercentChange,
 *   limits?: LimitsInput|null,
 *   status?: 'active'|'paused'|'cancelled',
 *   send_link?: bool,
 * }
 * @phpstan-type ChangeSandboxAccountRequest array{
 *   balance?: int,
 *   behaviour?: string,
 * }
 * @phpstan-type ChangeSandboxBankRequest array{
 *   behaviours?: list<string>,
 *   next_calls?: list<SandboxFault>,
 * }
 * @phpstan-type ChangeSandboxIssuerRequest array{
 *   modes: list<string>,
 * }
 * @phpstan-type CollectionFailedData array{
 *   payment_id: string,
 *   schedule_id: string,
 *   amount: Amount,
 *   error: Failure,
 *   failed_at: string,
 *   attempt: int,
 *   next_retry_at: string|null,
 *   no_retry_reason: 'final'|'max_retries'|'next_occurrence'|'end_date'|'limits'|'by_hand'|'stopped'|null,
 *   reason?: 'stopped',
 * }
 * @phpstan-type CollectionFailedEvent array{
 *   event: 'collection.failed',
 *   data: CollectionFailedData,
 * }
 * @phpstan-type CollectionReturnedData array{
 *   payment_id: string,
 *   schedule_id: string,
 *   amount: Amount,
 *   reason: string,
 *   returned_at: string,
 * }
 * @phpstan-type CollectionReturnedEvent array{
 *   event: 'collection.returned',
 *   data: CollectionReturnedData,
 * }
 * @phpstan-type CollectionSkippedData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   due_date: string,
 *   reason: 'skipped'|'amount_not_set',
 *   created_at: string,
 * }
 * @phpstan-type CollectionSkippedEvent array{
 *   event: 'collection.skipped',
 *   data: CollectionSkippedData,
 * }
 * @phpstan-type CollectionSuccessData array{
 *   payment_id: string,
 *   schedule_id: string,
 *   amount: Amount,
 *   completed_at: string,
 * }
 * @phpstan-type CollectionSuccessEvent array{
 *   event: 'collection.success',
 *   data: CollectionSuccessData,
 * }
 * @phpstan-type ConsentNotice array{
 *   kind: 'in_doubt'|'reauthentication_needed'|'limits_changed',
 *   since: string,
 * }
 * @phpstan-type ConsentReauthenticationNeededData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   created_at: string,
 * }
 * @phpstan-type ConsentReauthenticationNeededEvent array{
 *   event: 'consent.reauthentication_needed',
 *   data: ConsentReauthenticationNeededData,
 * }
 * @phpstan-type ConsentRevokedData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   reason: string,
 *   created_at: string,
 * }
 * @phpstan-type ConsentRevokedEvent array{
 *   event: 'consent.revoked',
 *   data: ConsentRevokedData,
 * }
 * @phpstan-type ConsentedTerms array{
 *   amount: Amount,
 *   frequency: Frequency,
 *   end_date: string|null,
 * }
 * @phpstan-type CreateApiKeyRequest array{
 *   allowed_ips?: list<string>|null,
 *   limits?: array{
 *     per_act_pence: int,
 *     per_day_pence: int,
 *   }|null,
 *   name: string,
 *   scopes?: list<'schedules'|'payments'|'settlements'|'customers'|'webhooks'|'merchant'|'keys'>,
 * }
 * @phpstan-type NewDispute array{
 *   reason: 'unauthorised'|'after_withdrawal'|'wrong_amount'|'duplicate'|'not_received'|'other',
 *   amount?: Amount,
 *   note?: string,
 * }
 * @phpstan-type NewPayment array{
 *   amount: Amount,
 *   due_date?: string|null,
 *   description?: string|null,
 * }
 * @phpstan-type NewRefund array{
 *   amount?: Amount,
 *   reason?: string,
 * }
 * @phpstan-type CreateScheduleChangeRequest array{
 *   schedule_ids?: list<string>,
 *   filter?: ScheduleFilter,
 *   change: ChangeOfSchedules,
 *   preview?: bool,
 * }
 * @phpstan-type CreateScheduleRequest array{
 *   amount: Amount,
 *   frequency: FrequencyFields,
 *   customer: CustomerFields,
 *   description: string,
 *   metadata?: Metadata|null,
 *   start_date?: string|null,
 *   end_date?: string|null,
 *   max_retries?: int,
 *   reference?: string|null,
 *   limits?: LimitsInput|null,
 *   amount_mode?: 'fixed'|'per_occurrence',
 *   non_working_day?: 'same'|'next'|'previous',
 *   first_payment?: FirstPaymentInput|null,
 * }
 * @phpstan-type NewWebhookEndpoint array{
 *   url: string,
 *   description?: string,
 *   event_kinds?: list<'schedule.setup_success'|'schedule.setup_failed'|'collection.success'|'collection.failed'|'settlement.success'|'settlement.failed'|'collection.skipped'|'collection.returned'|'refund.success'|'refund.failed'|'dispute.opened'|'dispute.closed'|'dispute.reopened'|'schedule.cancelled'|'schedule.paused'|'schedule.resumed'|'consent.revoked'|'consent.reauthentication_needed'|'merchant.settlement_account_changed'|'payment.unexpected_money'>,
 * }
 * @phpstan-type Customer PhoneCustomer|BankAccountCustomer|UserIdCustomer
 * @phpstan-type CustomerBank array{
 *   id: string,
 *   name: string,
 * }
 * @phpstan-type CustomerDetails PhoneCustomerDetails|BankAccountCustomerDetails|UserIdCustomerDetails
 * @phpstan-type CustomerExport array{
 *   customer_id: string,
 *   merchant_id: string,
 *   exported_at: string,
 *   tables: array<string, list<array<string, string|null>>>,
 *   cut_short: list<string>,
 *   archived_before: string|null,
 * }
 * @phpstan-type CustomerFields PhoneCustomerInput|BankAccountCustomerInput|UserIdCustomerInput
 * @phpstan-type DailyFrequency array{
 *   type: 'daily',
 *   interval: int,
 * }
 * @phpstan-type DailyFrequencyInput array{
 *   type: 'daily',
 *   interval?: int,
 * }
 * @phpstan-type SandboxDecision array{
 *   decision: 'grant'|'deny',
 *   account?: string,
 *   bank_id?: string,
 * }
 * @phpstan-type SandboxDecided array{
 *   consent_status: string,
 *   schedule_status: string,
 *   returned_to: string|null,
 * }
 * @phpstan-type DeleteWebhookEndpointResponse array{
 *   id: string,
 *   deleted: bool,
 * }
 * @phpstan-type Delivery array{
 *   id: string,
 *   endpoint_id: string,
 *   endpoint_url: string,
 *   status: 'pending'|'delivered'|'failed'|'held',
 *   attempt_count: int,
 *   next_attempt_at: string|null,
 *   finished_at: string|null,
 * }
 * @phpstan-type DeliveryAttempt array{
 *   number: int,
 *   manual: bool,
 *   response_status: int|null,
 *   response_body: string|null,
 *   error: string|null,
 *   duration_ms: int,
 *   at: string,
 * }
 * @phpstan-type DeliveryDetail array{
 *   id: string,
 *   endpoint_id: string,
 *   endpoint_url: string,
 *   status: 'pending'|'delivered'|'failed'|'held',
 *   attempt_count: int,
 *   next_attempt_at: string|null,
 *   finished_at: string|null,
 *   attempts: list<DeliveryAttempt>,
 * }
 * @phpstan-type DeliveryHappening array{
 *   at: string,
 *   kind: 'delivery_attempt',
 *   event_id: string,
 *   endpoint_id: string,
 *   number: int,
 *   response_status: int|null,
 *   error: string|null,
 * }
 * @phpstan-type DestinationAccount array{
 *   account_number: string,
 *   sort_code: string,
 *   name: string,
 * }
 * @phpstan-type Dispute array{
 *   id: string,
 *   payment_id: string,
 *   schedule_id: string,
 *   raised_by: 'customer'|'merchant',
 *   reason: 'unauthorised'|'after_withdrawal'|'wrong_amount'|'duplicate'|'not_received'|'other',
 *   amount: Amount,
 *   note: string|null,
 *   status: 'open'|'refunded'|'returned'|'rejected'|'withdrawn',
 *   deadline: string,
 *   left: AmountOrZero,
 *   returned: AmountOrZero,
 *   refund_id: string|null,
 *   answer: string|null,
 *   created_at: string,
 *   ended_at: string|null,
 * }
 * @phpstan-type DisputeClosedData array{
 *   dispute_id: string,
 *   payment_id: string,
 *   schedule_id: string,
 *   raised_by: 'customer'|'merchant',
 *   reason: 'unauthorised'|'after_withdrawal'|'wrong_amount'|'duplicate'|'not_received'|'other',
 *   amount: Amount,
 *   deadline: string,
 *   outcome: 'refunded'|'returned'|'rejected'|'withdrawn',
 *   returned: AmountOrZero,
 *   refund_id: string|null,
 *   ended_at: string,
 * }
 * @phpstan-type DisputeClosedEvent array{
 *   event: 'dispute.closed',
 *   data: DisputeClosedData,
 * }
 * @phpstan-type DisputeOpenedData array{
 *   dispute_id: string,
 *   payment_id: string,
 *   schedule_id: string,
 *   raised_by: 'customer'|'merchant',
 *   reason: 'unauthorised'|'after_withdrawal'|'wrong_amount'|'duplicate'|'not_received'|'other',
 *   amount: Amount,
 *   deadline: string,
 *   created_at: string,
 * }
 * @phpstan-type DisputeOpenedEvent array{
 *   event: 'dispute.opened',
 *   data: DisputeOpenedData,
 * }
 * @phpstan-type DisputeReopenedData array{
 *   dispute_id: string,
 *   payment_id: string,
 *   schedule_id: string,
 *   raised_by: 'customer'|'merchant',
 *   reason: 'unauthorised'|'after_withdrawal'|'wrong_amount'|'duplicate'|'not_received'|'other',
 *   amount: Amount,
 *   deadline: string,
 *   reopened_at: string,
 * }
 * @phpstan-type DisputeReopenedEvent array{
 *   event: 'dispute.reopened',
 *   data: DisputeReopenedData,
 * }
 * @phpstan-type EndpointTestData array{
 *   endpoint_id: string,
 *   url: string,
 *   message: string,
 * }
 * @phpstan-type EndpointTestEvent array{
 *   event: 'endpoint.test',
 *   data: EndpointTestData,
 * }
 * @phpstan-type CustomerErasure array{
 *   reason: string,
 *   metadata?: bool,
 * }
 * @phpstan-type ErasedCustomer array{
 *   id: string,
 *   erased_at: string,
 * }
 * @phpstan-type ErrorCode 'invalid_request'|'unauthorized'|'forbidden'|'second_factor_required'|'proof_required'|'sso_required'|'address_not_allowed'|'key_limit_exceeded'|'not_found'|'customer_not_found'|'method_not_allowed'|'consent_required'|'consent_decided'|'schedule_cancelled'|'schedule_paused'|'schedule_ended'|'merchant_suspended'|'idempotency_conflict'|'request_in_progress'|'payment_not_retryable'|'limit_exceeded'|'occurrence_passed'|'payment_not_refundable'|'refund_exceeds_payment'|'payment_not_disputable'|'payment_disputed'|'dispute_ended'|'dispute_not_yours'|'dispute_refund_waits'|'insufficient_balance'|'settlement_not_retryable'|'endpoint_not_enabled'|'too_many_endpoints'|'no_pending_secret'|'clock_busy'|'last_owner'|'operation_refused'|'customer_without_email'|'reminded_already'|'customer_in_use'|'customer_erased'|'act_outdated'|'act_over'|'act_done_already'|'cursor_gone'|'payload_too_large'|'unsupported_media_type'|'headers_too_large'|'rate_limit_exceeded'|'internal_error'|'service_unavailable'
 * @phpstan-type RecollectEvent array{
 *   id: string,
 *   kind: EventKind|string,
 *   schedule_id: string|null,
 *   sequence: int|null,
 *   subject_id: string,
 *   created_at: string,
 *   deliveries: list<Delivery>,
 * }
 * @phpstan-type RecollectEventDetail array{
 *   id: string,
 *   kind: EventKind|string,
 *   schedule_id: string|null,
 *   sequence: int|null,
 *   subject_id: string,
 *   created_at: string,
 *   body: string,
 *   deliveries: list<DeliveryDetail>,
 * }
 * @phpstan-type EventFeed array{
 *   data: list<FeedEvent>,
 *   next_cursor: string,
 *   has_more: bool,
 * }
 * @phpstan-type EventHappening array{
 *   at: string,
 *   kind: 'event',
 *   event_id: string,
 *   event: string,
 *   subject_id: string,
 * }
 * @phpstan-type EventKind 'schedule.setup_success'|'schedule.setup_failed'|'collection.success'|'collection.failed'|'settlement.success'|'settlement.failed'|'collection.skipped'|'collection.returned'|'refund.success'|'refund.failed'|'dispute.opened'|'dispute.closed'|'dispute.reopened'|'schedule.cancelled'|'schedule.paused'|'schedule.resumed'|'consent.revoked'|'consent.reauthentication_needed'|'merchant.settlement_account_changed'|'payment.unexpected_money'|'endpoint.test'
 * @phpstan-type Failure array{
 *   code: FailureCode|string,
 *   message: string,
 * }
 * @phpstan-type FailureCode 'insufficient_funds'|'account_closed'|'invalid_account'|'blocked'|'bank_limit'|'limit_exceeded'|'reauthentication_required'|'creditor_account_unavailable'|'duplicate'|'technical'|'rejected'|'schedule_paused'|'schedule_cancelled'|'paid_by_hand'|'consent_denied'|'consent_rejected'|'consent_account_mismatch'|'consent_expired'|'consent_revoked'|'insufficient_balance'|'payer_unknown'|'payment_returned'|'dispute_closed'|'refund_returned'|'payout_returned'|'amount_differs'|'given_up'
 * @phpstan-type FeedEvent array{
 *   id: string,
 *   kind: EventKind|string,
 *   schedule_id: string|null,
 *   sequence: int|null,
 *   subject_id: string,
 *   created_at: string,
 *   body: string,
 *   cursor: string,
 * }
 * @phpstan-type Fees array{
 *   fixed_pence: int,
 *   basis_points: int,
 *   from: string,
 * }
 * @phpstan-type FirstPayment array{
 *   amount: Amount,
 *   description: string|null,
 * }
 * @phpstan-type FirstPaymentInput array{
 *   amount: Amount,
 *   description?: string|null,
 * }
 * @phpstan-type Frequency DailyFrequency|WeeklyFrequency|MonthlyFrequency|QuarterlyFrequency|YearlyFrequency
 * @phpstan-type FrequencyFields DailyFrequencyInput|WeeklyFrequencyInput|MonthlyFrequencyInput|QuarterlyFrequencyInput|YearlyFrequencyInput
 * @phpstan-type Import array{
 *   data: list<ImportedLine>,
 * }
 * @phpstan-type ImportError array{
 *   column: string|null,
 *   reason: string,
 * }
 * @phpstan-type ImportSchedulesRequest array{
 *   csv: string,
 *   first_line?: int,
 *   check_only?: bool,
 * }
 * @phpstan-type ImportedCustomer array{
 *   name: string|null,
 *   email: string|null,
 *   phone: string|null,
 * }
 * @phpstan-type ImportedLine array{
 *   line: int,
 *   status: 'valid'|'created'|'existing'|'invalid',
 *   key: string|null,
 *   import_reference: string|null,
 *   customer: ImportedCustomer,
 *   description: string|null,
 *   amount: AmountOrZero|null,
 *   schedule_id: string|null,
 *   consent_url: string|null,
 *   errors: list<ImportError>,
 * }
 * @phpstan-type KeyLimits array{
 *   per_act_pence: int,
 *   per_day_pence: int,
 *   used_today_pence: int,
 * }
 * @phpstan-type Limits array{
 *   per_payment: Amount,
 *   per_period: AmountPerPeriod,
 *   period: 'day'|'week'|'fortnight'|'month'|'half_year'|'year',
 * }
 * @phpstan-type LimitsInput array{
 *   per_payment?: Amount|null,
 *   per_period?: AmountPerPeriod|null,
 *   period?: 'day'|'week'|'fortnight'|'month'|'half_year'|'year',
 * }
 * @phpstan-type ListSandboxAccountsResponse array{
 *   banks: list<SandboxBank>,
 * }
 * @phpstan-type ListUpcomingResponse array{
 *   data: list<Occurrence>,
 * }
 * @phpstan-type MaskedAccount array{
 *   name: string,
 *   sort_code: string,
 *   account_number: string,
 * }
 * @phpstan-type Merchant array{
 *   id: string,
 *   name: string,
 *   legal_name: string,
 *   email: string,
 *   website: string,
 *   address: string,
 *   terms: string,
 *   time_zone: string,
 *   return_url: string|null,
 *   reuse_consent: bool,
 *   refunds_wait: bool,
 *   colour: string|null,
 *   settlement_account: SettlementAccount,
 *   statement_name: string,
 *   logo_url: string|null,
 *   pending_settlement_account: PendingSettlementAccount|null,
 *   fees: Fees|null,
 *   next_fees: Fees|null,
 *   suspended_since: string|null,
 *   pay_outs_held_since: string|null,
 *   pay_outs_held_until: string|null,
 *   created_at: string,
 * }
 * @phpstan-type MerchantSettlementAccountChangedData array{
 *   merchant_id: string,
 *   old_account: MaskedAccount,
 *   new_account: MaskedAccount,
 *   requested_at: string,
 *   changed_at: string,
 * }
 * @phpstan-type MerchantSettlementAccountChangedEvent array{
 *   event: 'merchant.settlement_account_changed',
 *   data: MerchantSettlementAccountChangedData,
 * }
 * @phpstan-type Metadata array<string, mixed>
 * @phpstan-type MetadataScalar string|int|float|bool|null
 * @phpstan-type MonthlyFrequency array{
 *   type: 'monthly',
 *   day: int,
 *   interval: int,
 * }
 * @phpstan-type MonthlyFrequencyInput array{
 *   type: 'monthly',
 *   day?: int,
 *   interval?: int,
 * }
 * @phpstan-type NewApiKey array{
 *   id: string,
 *   name: string,
 *   hint: string,
 *   scopes: list<'schedules'|'payments'|'settlements'|'customers'|'webhooks'|'merchant'|'keys'>,
 *   made_by: string|null,
 *   created_at: string,
 *   expires_at: string|null,
 *   revoked_at: string|null,
 *   last_used_at: string|null,
 *   allowed_ips: list<string>|null,
 *   limits: KeyLimits|null,
 *   last_refused: RefusedUse|null,
 *   key: string,
 * }
 * @phpstan-type NotSent array{
 *   reason: 'merchant_suspended'|'bank_stopped'|'consent_in_doubt'|'reauthentication_needed'|'bank_down'|'bank_degraded'|'retrying'|'being_sent',
 *   bank_id: string,
 *   next_try_at: string|null,
 * }
 * @phpstan-type Occurrence array{
 *   due_date: string,
 *   amount: Amount|null,
 *   skipped: bool,
 *   changed: bool,
 *   reason: string|null,
 * }
 * @phpstan-type OccurrenceChange array{
 *   amount: Amount,
 * }|array{
 *   skip: true,
 * }
 * @phpstan-type PayeeCheck array{
 *   result: 'match'|'close_match'|'no_match'|'unavailable',
 *   bank_name: string|null,
 *   reason: 'no_such_account'|'personal_account'|'account_switched'|'roll_number_needed'|'bank_takes_no_part'|'no_answer'|'not_offered'|'no_wallet_yet'|'too_many_checks'|null,
 *   checked_at: string,
 * }
 * @phpstan-type PayingAccount array{
 *   sort_code: string,
 *   account_number: string,
 * }
 * @phpstan-type Payment array{
 *   id: string,
 *   schedule_id: string,
 *   customer_id: string,
 *   customer_reference: string|null,
 *   bank_id: string,
 *   metadata: Metadata|null,
 *   kind: 'scheduled'|'ad_hoc'|'first',
 *   amount: Amount,
 *   description: string|null,
 *   status: 'pending'|'processing'|'success'|'failed',
 *   due_date: string,
 *   attempts: list<Attempt>,
 *   next_retry_at: string|null,
 *   no_retry_reason: 'final'|'max_retries'|'next_occurrence'|'end_date'|'limits'|'by_hand'|'stopped'|null,
 *   error: Failure|null,
 *   settlement_id: string|null,
 *   fee: AmountOrZero|null,
 *   refunded: AmountOrZero,
 *   returned: ReturnedMoney|null,
 *   paying_account: PayingAccount|null,
 *   created_at: string,
 *   completed_at: string|null,
 *   failed_at: string|null,
 *   not_sent: NotSent|null,
 *   waits_for_operator: WaitsForOperator|null,
 *   unexpected_money: list<UnexpectedMoney>,
 * }
 * @phpstan-type Attempt array{
 *   number: int,
 *   status: 'processing'|'success'|'failed',
 *   manual: bool,
 *   error: Failure|null,
 *   bank_payment_id: string|null,
 *   bank_status: string|null,
 *   started_at: string,
 *   sent_at: string|null,
 *   finished_at: string|null,
 * }
 * @phpstan-type PaymentUnderWay array{
 *   id: string,
 *   amount: Amount,
 *   due_date: string,
 * }
 * @phpstan-type PaymentUnexpectedMoneyData array{
 *   id: string,
 *   payment_id: string,
 *   schedule_id: string,
 *   amount: Amount,
 *   status: 'open'|'allocated'|'accepted_in_part'|'returned'|'paid_on'|'credited',
 *   reason: 'nothing_awaited'|'another_amount'|'another_wallet'|'paid_already'|'later_attempt'|'left_over'|'came_back'|'not_transferred',
 *   arrived_at: string,
 * }
 * @phpstan-type PaymentUnexpectedMoneyEvent array{
 *   event: 'payment.unexpected_money',
 *   data: PaymentUnexpectedMoneyData,
 * }
 * @phpstan-type PendingSettlementAccount array{
 *   name: string,
 *   sort_code: string,
 *   account_number: string,
 *   requested_at: string,
 *   takes_effect_at: string,
 *   payee_check: PayeeCheck|null,
 * }
 * @phpstan-type PercentChange array{
 *   percent: int|float,
 *   round_to?: int,
 * }
 * @phpstan-type PhoneCustomer array{
 *   id: string,
 *   name?: string,
 *   email?: string,
 *   reference?: string,
 *   type: 'phone',
 *   value: string,
 * }
 * @phpstan-type PhoneCustomerDetails array{
 *   id: string,
 *   name: string|null,
 *   email: string|null,
 *   reference: string|null,
 *   notes: string|null,
 *   bank: CustomerBank|null,
 *   paying_account: PayingAccount|null,
 *   created_at: string,
 *   type: 'phone',
 *   value: string,
 * }
 * @phpstan-type PhoneCustomerInput array{
 *   name?: string|null,
 *   email?: string|null,
 *   reference?: string|null,
 *   type: 'phone',
 *   value: string,
 * }
 * @phpstan-type ActToPrepare array{
 *   operation: 'createPayment'|'createSchedule'|'updateSchedule'|'changeUpcoming'|'restoreUpcoming'|'retryPayment'|'createRefund',
 *   params: array<string, string>,
 *   body: array<string, mixed>,
 *   purpose?: string|null,
 * }
 * @phpstan-type PreparedAct array{
 *   id: string,
 *   operation: 'createPayment'|'createSchedule'|'updateSchedule'|'changeUpcoming'|'restoreUpcoming'|'retryPayment'|'createRefund',
 *   status: 'prepared'|'waiting_for_approval'|'done'|'declined'|'replaced'|'expired',
 *   summary: string,
 *   amount: AmountOrZero,
 *   asks: list<'customer'|'member'>,
 *   about_id: string|null,
 *   object_id: string|null,
 *   limits: KeyLimits|null,
 *   key_id: string,
 *   key_name: string,
 *   agent: string|null,
 *   decided_by: string|null,
 *   created_at: string,
 *   expires_at: string,
 *   ended_at: string|null,
 * }
 * @phpstan-type QuarterlyFrequency array{
 *   type: 'quarterly',
 *   day: int,
 *   interval: int,
 * }
 * @phpstan-type QuarterlyFrequencyInput array{
 *   type: 'quarterly',
 *   day?: int,
 *   interval?: int,
 * }
 * @phpstan-type Refund array{
 *   id: string,
 *   payment_id: string,
 *   amount: Amount,
 *   status: 'pending'|'processing'|'success'|'failed',
 *   reason: string|null,
 *   error: Failure|null,
 *   created_at: string,
 *   completed_at: string|null,
 *   failed_at: string|null,
 * }
 * @phpstan-type DisputeRefund array{
 *   amount?: Amount,
 * }
 * @phpstan-type RefundFailedData array{
 *   refund_id: string,
 *   payment_id: string,
 *   schedule_id: string,
 *   amount: Amount,
 *   reason: string|null,
 *   error: Failure,
 *   failed_at: string,
 * }
 * @phpstan-type RefundFailedEvent array{
 *   event: 'refund.failed',
 *   data: RefundFailedData,
 * }
 * @phpstan-type RefundSuccessData array{
 *   refund_id: string,
 *   payment_id: string,
 *   schedule_id: string,
 *   amount: Amount,
 *   reason: string|null,
 *   completed_at: string,
 * }
 * @phpstan-type RefundSuccessEvent array{
 *   event: 'refund.success',
 *   data: RefundSuccessData,
 * }
 * @phpstan-type RefusedUse array{
 *   at: string,
 *   address: string,
 * }
 * @phpstan-type DisputeRejection array{
 *   answer: string,
 * }
 * @phpstan-type Replay array{
 *   endpoint_id: string,
 *   from: string,
 *   to: string,
 *   only_undelivered?: bool,
 * }
 * @phpstan-type Replayed array{
 *   endpoint_id: string,
 *   replayed: int,
 *   next_from: string|null,
 *   archived_before: string|null,
 * }
 * @phpstan-type ResendEventRequest array{
 *   endpoint_id?: string,
 * }
 * @phpstan-type ReturnedMoney array{
 *   amount: Amount,
 *   at: string,
 *   reason: string,
 * }
 * @phpstan-type RotateApiKeyRequest array{
 *   overlap_hours?: int,
 * }
 * @phpstan-type SandboxAccount array{
 *   account: string,
 *   holder: string,
 *   nickname: string,
 *   sort_code: string,
 *   account_number: string,
 *   behaviour: string,
 *   summary: string,
 *   balance: int,
 *   payday: SandboxPayday|null,
 * }
 * @phpstan-type SandboxBank array{
 *   bank_id: string,
 *   name: string,
 *   summary: string,
 *   app_url: string,
 *   behaviours: list<string>,
 *   accounts: list<SandboxAccount>,
 * }
 * @phpstan-type SandboxBankBehaviour array{
 *   bank_id: string,
 *   name: string,
 *   behaviours: list<string>,
 *   next_calls: list<SandboxFault>,
 * }
 * @phpstan-type SandboxClock array{
 *   now: string,
 *   advancing: bool,
 *   advancing_to: string|null,
 *   waiting_for: list<string>,
 *   last_error: string|null,
 * }
 * @phpstan-type SandboxFault array{
 *   call: string,
 *   fault: int|'lost_request'|'lost_answer',
 *   times?: int,
 * }
 * @phpstan-type SandboxIssuer array{
 *   modes: list<string>,
 *   known: list<SandboxIssuerMode>,
 * }
 * @phpstan-type SandboxIssuerMode array{
 *   mode: string,
 *   summary: string,
 * }
 * @phpstan-type SandboxMoved array{
 *   from: string,
 *   to: string,
 *   advancing: bool,
 *   happened: list<StateChangeHappening|EventHappening|DeliveryHappening>,
 *   truncated: bool,
 *   stopped: bool,
 *   error: string|null,
 * }
 * @phpstan-type SandboxPayday array{
 *   day: int,
 *   amount: int,
 *   next: string|null,
 * }
 * @phpstan-type Schedule array{
 *   id: string,
 *   status: 'pending_consent'|'active'|'paused'|'cancelled',
 *   amount: Amount,
 *   frequency: Frequency,
 *   customer: Customer,
 *   description: string,
 *   metadata: Metadata|null,
 *   start_date: string|null,
 *   end_date: string|null,
 *   max_retries: int,
 *   reference: string,
 *   limits: Limits,
 *   first_payment: FirstPayment|null,
 *   amount_mode: 'fixed'|'per_occurrence',
 *   non_working_day: 'same'|'next'|'previous',
 *   next_payment_date: string|null,
 *   resume_at: string|null,
 *   created_at: string,
 *   consented: ConsentedTerms|null,
 *   paying_account: PayingAccount|null,
 *   consent_notice: ConsentNotice|null,
 *   warnings: list<array{
 *     code: 'max_gap',
 *     message: string,
 *   }>,
 *   consent_url?: string,
 *   consent_for?: 'terms'|'another_account',
 *   portal_url?: string,
 *   payments_under_way?: list<PaymentUnderWay>,
 * }
 * @phpstan-type ScheduleCancelledData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   status: 'pending_consent'|'active'|'paused'|'cancelled',
 *   reason: string,
 *   created_at: string,
 * }
 * @phpstan-type ScheduleCancelledEvent array{
 *   event: 'schedule.cancelled',
 *   data: ScheduleCancelledData,
 * }
 * @phpstan-type ScheduleChange array{
 *   id: string,
 *   status: 'preview'|'running'|'done',
 *   change: ChangeOfSchedules,
 *   total: int,
 *   within_consent: int,
 *   needs_consent: int,
 *   awaiting_consent: int,
 *   unchanged: int,
 *   refused: int,
 *   done: int,
 *   failed: int,
 *   amount_before: AmountOrZero,
 *   amount_after: AmountOrZero,
 *   created_at: string,
 *   started_at: string|null,
 *   finished_at: string|null,
 * }
 * @phpstan-type ScheduleChangeLine array{
 *   schedule_id: string,
 *   description: string,
 *   amount_before: AmountOrZero,
 *   amount_after: AmountOrZero,
 *   effect: 'within_consent'|'needs_consent'|'awaiting_consent'|'unchanged'|'refused',
 *   state: 'planned'|'done'|'failed',
 *   error_code: string|null,
 *   reason: string|null,
 *   link: 'by_email'|'by_text'|'already'|'unreachable'|'nothing_waits'|null,
 * }
 * @phpstan-type ScheduleFilter array{
 *   q?: string,
 *   status?: 'pending_consent'|'active'|'paused'|'cancelled'|'failing',
 *   error_code?: string,
 *   customer_id?: string,
 *   started?: string,
 *   from?: string,
 *   to?: string,
 *   amount_from?: int,
 *   amount_to?: int,
 * }
 * @phpstan-type SchedulePausedData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   status: 'pending_consent'|'active'|'paused'|'cancelled',
 *   reason: string,
 *   created_at: string,
 * }
 * @phpstan-type SchedulePausedEvent array{
 *   event: 'schedule.paused',
 *   data: SchedulePausedData,
 * }
 * @phpstan-type ScheduleResumedData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   status: 'pending_consent'|'active'|'paused'|'cancelled',
 *   reason: string,
 *   created_at: string,
 * }
 * @phpstan-type ScheduleResumedEvent array{
 *   event: 'schedule.resumed',
 *   data: ScheduleResumedData,
 * }
 * @phpstan-type ScheduleSetupFailedData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   error: Failure,
 *   created_at: string,
 * }
 * @phpstan-type ScheduleSetupFailedEvent array{
 *   event: 'schedule.setup_failed',
 *   data: ScheduleSetupFailedData,
 * }
 * @phpstan-type ScheduleSetupSuccessData array{
 *   schedule_id: string,
 *   customer_id: string,
 *   amount: Amount,
 *   frequency: Frequency,
 *   first_payment: FirstPayment|null,
 *   created_at: string,
 * }
 * @phpstan-type ScheduleSetupSuccessEvent array{
 *   event: 'schedule.setup_success',
 *   data: ScheduleSetupSuccessData,
 * }
 * @phpstan-type Settlement array{
 *   id: string,
 *   status: 'pending'|'processing'|'success'|'failed',
 *   amount: Amount,
 *   gross: AmountOrZero,
 *   refunds: SignedAmount,
 *   fees: AmountOrZero,
 *   carried: AmountOrZero,
 *   settlement_date: string,
 *   statement_reference: string,
 *   destination_account: DestinationAccount,
 *   attempts: int,
 *   error: Failure|null,
 *   created_at: string,
 *   completed_at: string|null,
 *   failed_at: string|null,
 * }
 * @phpstan-type SettlementAccount array{
 *   name: string,
 *   sort_code: string,
 *   account_number: string,
 * }
 * @phpstan-type SettlementFailedData array{
 *   settlement_id: string,
 *   amount: Amount,
 *   statement_reference: string,
 *   destination_account: array{
 *     account_number: string,
 *     sort_code: string,
 *   },
 *   error: Failure,
 *   failed_at: string,
 * }
 * @phpstan-type SettlementFailedEvent array{
 *   event: 'settlement.failed',
 *   data: SettlementFailedData,
 * }
 * @phpstan-type SettlementSuccessData array{
 *   settlement_id: string,
 *   amount: Amount,
 *   statement_reference: string,
 *   destination_account: array{
 *     account_number: string,
 *     sort_code: string,
 *   },
 *   completed_at: string,
 * }
 * @phpstan-type SettlementSuccessEvent array{
 *   event: 'settlement.success',
 *   data: SettlementSuccessData,
 * }
 * @phpstan-type SignedAmount array{
 *   value: int,
 *   currency: string,
 * }
 * @phpstan-type StateChangeHappening array{
 *   at: string,
 *   kind: 'state_change',
 *   object_id: string,
 *   schedule_id: string|null,
 *   from: string|null,
 *   to: string,
 *   reason: string,
 * }
 * @phpstan-type TestWebhookEndpointResponse array{
 *   event_id: string,
 * }
 * @phpstan-type UnexpectedMoney array{
 *   id: string,
 *   amount: AmountOrZero,
 *   status: 'open'|'allocated'|'accepted_in_part'|'returned'|'paid_on'|'credited',
 *   reason: 'nothing_awaited'|'another_amount'|'another_wallet'|'paid_already'|'later_attempt'|'left_over'|'came_back'|'not_transferred',
 *   arrived_at: string,
 *   ended_at: string|null,
 * }
 * @phpstan-type UpdateApiKeyRequest array{
 *   allowed_ips?: list<string>|null,
 *   limits?: array{
 *     per_act_pence: int,
 *     per_day_pence: int,
 *   }|null,
 * }
 * @phpstan-type CustomerChanges array{
 *   name?: string|null,
 *   email?: string|null,
 *   reference?: string|null,
 *   notes?: string|null,
 * }
 * @phpstan-type MerchantChanges array{
 *   name?: string,
 *   legal_name?: string,
 *   email?: string,
 *   website?: string,
 *   address?: string,
 *   terms?: string,
 *   time_zone?: string,
 *   return_url?: string|null,
 *   reuse_consent?: bool,
 *   refunds_wait?: bool,
 *   colour?: string|null,
 *   settlement_account?: SettlementAccount,
 *   statement_name?: string|null,
 *   logo?: string|null,
 * }
 * @phpstan-type UpdateScheduleRequest array{
 *   amount?: Amount,
 *   frequency?: FrequencyFields,
 *   description?: string,
 *   metadata?: Metadata|null,
 *   start_date?: string,
 *   end_date?: string|null,
 *   max_retries?: int,
 *   reference?: string|null,
 *   limits?: LimitsInput|null,
 *   amount_mode?: 'fixed'|'per_occurrence',
 *   non_working_day?: 'same'|'next'|'previous',
 *   status?: 'active'|'paused'|'cancelled',
 *   resume_at?: string|null,
 * }
 * @phpstan-type WebhookEndpointChanges array{
 *   url?: string,
 *   description?: string,
 *   event_kinds?: list<'schedule.setup_success'|'schedule.setup_failed'|'collection.success'|'collection.failed'|'settlement.success'|'settlement.failed'|'collection.skipped'|'collection.returned'|'refund.success'|'refund.failed'|'dispute.opened'|'dispute.closed'|'dispute.reopened'|'schedule.cancelled'|'schedule.paused'|'schedule.resumed'|'consent.revoked'|'consent.reauthentication_needed'|'merchant.settlement_account_changed'|'payment.unexpected_money'>,
 *   status?: 'enabled'|'disabled',
 * }
 * @phpstan-type UserIdCustomer array{
 *   id: string,
 *   name?: string,
 *   email?: string,
 *   reference?: string,
 *   type: 'user_id',
 *   value: string,
 * }
 * @phpstan-type UserIdCustomerDetails array{
 *   id: string,
 *   name: string|null,
 *   email: string|null,
 *   reference: string|null,
 *   notes: string|null,
 *   bank: CustomerBank|null,
 *   paying_account: PayingAccount|null,
 *   created_at: string,
 *   type: 'user_id',
 *   value: string,
 * }
 * @phpstan-type UserIdCustomerInput array{
 *   name?: string|null,
 *   email?: string|null,
 *   reference?: string|null,
 *   type: 'user_id',
 *   value: string,
 * }
 * @phpstan-type WaitsForOperator array{
 *   reason: 'no_outcome'|'credited_without_money'|'wrong_amount'|'not_transferred'|'not_sent',
 *   since: string,
 * }
 * @phpstan-type Wallet array{
 *   id: string,
 *   customer_id: string|null,
 *   status: 'planned'|'reserved'|'open'|'closing'|'closed',
 *   balance: AmountOrZero,
 * }
 * @phpstan-type WebhookEndpoint array{
 *   id: string,
 *   url: string,
 *   description: string,
 *   event_kinds: list<string>,
 *   status: 'enabled'|'disabled',
 *   held: int,
 *   undelivered: int,
 *   next_secret_activates_at: string|null,
 *   created_at: string,
 *   updated_at: string,
 * }
 * @phpstan-type WebhookEndpointWithSecret array{
 *   id: string,
 *   url: string,
 *   description: string,
 *   event_kinds: list<string>,
 *   status: 'enabled'|'disabled',
 *   held: int,
 *   undelivered: int,
 *   next_secret_activates_at: string|null,
 *   created_at: string,
 *   updated_at: string,
 *   secret: string,
 * }
 * @phpstan-type WeeklyFrequency array{
 *   type: 'weekly',
 *   day: int,
 *   interval: int,
 * }
 * @phpstan-type WeeklyFrequencyInput array{
 *   type: 'weekly',
 *   day?: int,
 *   interval?: int,
 * }
 * @phpstan-type YearlyFrequency array{
 *   type: 'yearly',
 *   day: int,
 *   interval: int,
 * }
 * @phpstan-type YearlyFrequencyInput array{
 *   type: 'yearly',
 *   day?: int,
 *   interval?: int,
 * }
 */
final class Types
{
}

/**
 * @phpstan-import-type CreateScheduleRequest from Types
 * @phpstan-import-type Import from Types
 * @phpstan-import-type ImportSchedulesRequest from Types
 * @phpstan-import-type ListUpcomingResponse from Types
 * @phpstan-import-type NewPayment from Types
 * @phpstan-import-type Occurrence from Types
 * @phpstan-import-type OccurrenceChange from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type Schedule from Types
 * @phpstan-import-type UpdateScheduleRequest from Types
 */
final class Schedules
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create a schedule. The response has the `consent_url` to give to the customer; nothing is collected
     * until they have agreed there. With your setting `reuse_consent` it is `active` at once where an earlier
     * consent of the customer covers it. Refused while the operator has you suspended, and for a `user_id`
     * that is no customer of yours. A key needs the scope `schedules`.
     *
     * @param CreateScheduleRequest $body
     * @return Schedule
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/schedules',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Import schedules from a CSV file. Creates a schedule for each line that is valid and was not imported
     * before; the others are listed with what is wrong. Send a long file in pieces, each with the heading. A
     * file may be sent again: it creates only what is missing. Refused while the operator has you suspended,
     * unless it is a check. A key needs the scope `schedules`.
     *
     * @param ImportSchedulesRequest $body
     * @return Import
     */
    public function import(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/schedules/import',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Get a schedule. As it is now. Of one that is paused or cancelled it lists the payments that may still
     * arrive. A key needs the scope `schedules`.
     *
     * @return Schedule
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/schedules/' . Transport::segment($id));
    }

    /**
     * Update a schedule. Changes only the fields sent. A change beyond what the customer agreed to waits for
     * a new consent: the response has its `consent_url`, and collections go by `consented` until then.
     * `status` pauses, resumes or cancels: a pause or a cancellation ends payments that wait, and sends
     * nothing more; `payments_under_way` lists what may still arrive. A resume is refused without a consent
     * in force, any change of a cancelled schedule, and a change of terms while a consent is being set up at
     * the bank. A key needs the scope `schedules`.
     *
     * @param UpdateScheduleRequest $body
     * @return Schedule
     */
    public function update(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'PUT',
            '/api/v1/schedules/' . Transport::segment($id),
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Ask the customer for another account. Makes a new link for the terms that you asked for last: for a
     * customer who has changed banks, or has lost the link. The response has its `consent_url`, and a link
     * before it stops working. A consent in force stays in force until the customer has agreed at the new
     * link, and is deleted at its bank then; if they do not agree, the schedule goes on as it was. What waits
     * then is collected from the new account, if its limits have room for it. Refused for a schedule that is
     * cancelled (`schedule_cancelled`) or has nothing more to collect (`schedule_ended`), and while a consent
     * is being set up at the bank (`request_in_progress`). A key needs the scope `schedules`.
     *
     * @return Schedule
     */
    public function requestAnotherAccount(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/schedules/' . Transport::segment($id) . '/consent',
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * List schedules. The newest first, unless sorted otherwise. All filters together decide. Of a schedule
     * whose change waits for the customer, `amount_from`, `amount_to` and `total_amount` take the `amount`
     * that was asked for, as each item shows it. A key needs the scope `schedules`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   q?: string,
     *   status?: 'pending_consent'|'active'|'paused'|'cancelled'|'failing',
     *   error_code?: string,
     *   customer_id?: string,
     *   started?: string,
     *   from?: string,
     *   to?: string,
     *   amount_from?: int,
     *   amount_to?: int,
     *   sum?: bool,
     *   sort?: '-created_at'|'created_at'|'description'|'-description',
     * } $query
     * @return Page<Schedule>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/schedules', $query);
    }

    /**
     * List the schedules of a customer. The newest first, in every status. A key needs the scope `schedules`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<Schedule>
     */
    public function listByCustomer(string $customer_id, array $query = []): Page
    {
        return $this->transport->list(
            '/api/v1/customers/' . Transport::segment($customer_id) . '/schedules',
            $query,
        );
    }

    /**
     * List the payments of a schedule. The newest first: those of its occurrences, and ad-hoc payments. A key
     * needs the scope `payments`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<Payment>
     */
    public function payments(string $id, array $query = []): Page
    {
        return $this->transport->list('/api/v1/schedules/' . Transport::segment($id) . '/payments', $query);
    }

    /**
     * Collect once. Makes one payment besides the occurrences of the schedule, now or at `due_date`, within
     * the limits that the customer agreed to. Where the limits have no room for it beside the coming
     * occurrences of the period, it is refused: `details` has `available`, in pence, and `available_from`,
     * when there is room. Refused too before the customer has agreed, for a schedule that is paused or
     * cancelled, and while the operator has you suspended. A key needs the scope `payments`.
     *
     * @param NewPayment $body
     * @return Payment
     */
    public function collect(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/schedules/' . Transport::segment($id) . '/payments',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * List the coming occurrences of a schedule. When each is due under the present terms, and what it
     * collects. A cancelled schedule has none. A key needs the scope `schedules`.
     *
     * @param array{
     *   limit?: int,
     * } $query
     * @return ListUpcomingResponse
     */
    public function upcoming(string $id, array $query = []): array
    {
        return $this->transport->send(
            'GET',
            '/api/v1/schedules/' . Transport::segment($id) . '/upcoming',
            query: $query,
        );
    }

    /**
     * Set the amount of a coming occurrence, or skip it. It replaces what was set before. Refused once the
     * occurrence has fallen due, and for an amount for which the customer’s limits have no room beside the
     * other occurrences of the period: then `details.available` says how many pence they have. A key needs
     * the scope `schedules`.
     *
     * @param OccurrenceChange $body
     * @return Occurrence
     */
    public function changeUpcoming(
        string $id,
        string $due_date,
        array $body,
        ?string $idempotencyKey = null,
    ): array
    {
        return $this->transport->send(
            'PUT',
            '/api/v1/schedules/' . Transport::segment($id) . '/upcoming/' . Transport::segment($due_date),
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Undo what was set for a coming occurrence. It collects the usual amount again; with `amount_mode:
     * "per_occurrence"` none is set then. Refused once the occurrence has fallen due. A key needs the scope
     * `schedules`.
     *
     * @return Occurrence
     */
    public function restoreUpcoming(string $id, string $due_date): array
    {
        return $this->transport->send(
            'DELETE',
            '/api/v1/schedules/' . Transport::segment($id) . '/upcoming/' . Transport::segment($due_date),
        );
    }
}

/**
 * @phpstan-import-type CreateScheduleChangeRequest from Types
 * @phpstan-import-type ScheduleChange from Types
 * @phpstan-import-type ScheduleChangeLine from Types
 */
final class ManySchedules
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Change many schedules. Changes up to 5000 schedules, named by id or by the filter of the list: their
     * amount (the same for all, or by per cent), limits or status. Each changes as with an update of it
     * alone, once; the response says how many do so without a new consent. With `preview` nothing changes
     * yet: run the change by its id. A schedule that anybody changes in between is refused and keeps its
     * terms. One change of yours runs at a time. A change is kept for 90 days. A key needs the scope
     * `schedules`.
     *
     * @param CreateScheduleChangeRequest $body
     * @return ScheduleChange
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/schedule_changes',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Run a change of many schedules. Starts a change that was asked for as a preview, or runs its failed
     * lines again. Of a change that runs, or has nothing left to do, it changes nothing. A key needs the
     * scope `schedules`.
     *
     * @return ScheduleChange
     */
    public function run(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/schedule_changes/' . Transport::segment($id) . '/run',
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Get a change of many schedules. How far it is, and how many schedules have which effect. A key needs
     * the scope `schedules`.
     *
     * @return ScheduleChange
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/schedule_changes/' . Transport::segment($id));
    }

    /**
     * List changes of many schedules. The newest first, of the last 90 days. A key needs the scope
     * `schedules`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<ScheduleChange>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/schedule_changes', $query);
    }

    /**
     * List the schedules of a change. In the order in which they are changed, each with what becomes of it. A
     * key needs the scope `schedules`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   effect?: 'within_consent'|'needs_consent'|'awaiting_consent'|'unchanged'|'refused',
     *   state?: 'planned'|'done'|'failed',
     * } $query
     * @return Page<ScheduleChangeLine>
     */
    public function lines(string $id, array $query = []): Page
    {
        return $this->transport->list(
            '/api/v1/schedule_changes/' . Transport::segment($id) . '/lines',
            $query,
        );
    }
}

/**
 * @phpstan-import-type CustomerChanges from Types
 * @phpstan-import-type CustomerDetails from Types
 * @phpstan-import-type CustomerErasure from Types
 * @phpstan-import-type CustomerExport from Types
 * @phpstan-import-type ErasedCustomer from Types
 */
final class Customers
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List customers. The newest first, unless sorted otherwise. A search finds the newest 10,000 at most,
     * and `total` counts these. A key needs the scope `customers`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   q?: string,
     *   from?: string,
     *   to?: string,
     *   sort?: '-created_at'|'created_at',
     * } $query
     * @return Page<CustomerDetails>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/customers', $query);
    }

    /**
     * Get a customer. What you know of them, and the bank and account that they pay from, masked. A key needs
     * the scope `customers`.
     *
     * @return CustomerDetails
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/customers/' . Transport::segment($id));
    }

    /**
     * Update a customer. Changes only the fields sent. The phone number and the account that identify a
     * customer cannot be changed. Refused for a customer who was erased. A key needs the scope `customers`.
     *
     * @param CustomerChanges $body
     * @return CustomerDetails
     */
    public function update(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'PUT',
            '/api/v1/customers/' . Transport::segment($id),
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Erase a customer’s personal data. Cannot be undone. Payments, refunds and settlements stay, under an id
     * that names nobody; the same phone number or account creates a new customer from then on. Refused while
     * something is under way, such as a schedule that is not cancelled or money that is not settled:
     * `details` counts what it is. The API key must have been made by an owner or by the operator. A key
     * needs the scope `customers`.
     *
     * @param CustomerErasure $body
     * @return ErasedCustomer
     */
    public function erase(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/customers/' . Transport::segment($id) . '/erase',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Export what is held of a customer. For a person who asks what is held of them. It is recorded in the
     * activity. The API key must have been made by an owner or by the operator. A key needs the scope
     * `customers`.
     *
     * @param array{
     *   reason: string,
     * } $query
     * @return CustomerExport
     */
    public function export(string $id, array $query): array
    {
        return $this->transport->send(
            'GET',
            '/api/v1/customers/' . Transport::segment($id) . '/export',
            query: $query,
        );
    }
}

/**
 * @phpstan-import-type Dispute from Types
 * @phpstan-import-type NewDispute from Types
 * @phpstan-import-type NewRefund from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type Refund from Types
 */
final class Payments
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Get a payment. With every attempt, and what the bank said of each. A key needs the scope `payments`.
     *
     * @return Payment
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/payments/' . Transport::segment($id));
    }

    /**
     * List payments. The newest first, unless sorted otherwise. Payments of a status or with an error code
     * are found soonest when sorted by `due_date`. A key needs the scope `payments`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   sum?: bool,
     *   q?: string,
     *   status?: 'pending'|'processing'|'success'|'failed',
     *   error_code?: string,
     *   bank_id?: string,
     *   schedule_id?: string,
     *   customer_id?: string,
     *   from?: string,
     *   to?: string,
     *   amount_from?: int,
     *   amount_to?: int,
     *   sort?: '-created_at'|'created_at'|'-due_date'|'due_date',
     * } $query
     * @return Page<Payment>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/payments', $query);
    }

    /**
     * Retry a failed payment by hand. It is tried at once, or on its due date where that is still to come. It
     * does not count against `max_retries`, and no automatic retry follows it. Refused
     * (`payment_not_retryable`) unless the payment has failed, its consent is in force and its schedule is
     * not cancelled; while an earlier order may still be open at the bank; and while money that may belong to
     * it has come. Refused (`limit_exceeded`) where the limits have no room for it: `details` has
     * `available`, in pence, and `available_from`. A key needs the scope `payments`.
     *
     * @return Payment
     */
    public function retry(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/payments/' . Transport::segment($id) . '/retry',
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Refund a payment. Whole or in part, to the account that paid. It is taken from your wallet, and from
     * your next settlement. Refused unless the payment has succeeded, and for more than is left of it after
     * other refunds and recalls. Where your wallet has less, it is refused with `insufficient_balance`; with
     * your setting `refunds_wait` it waits for the next collections instead, up to 30 days. Repeat it with
     * the same `Idempotency-Key`: another request is another refund. A key needs the scope `payments`.
     *
     * @param NewRefund $body
     * @return Refund
     */
    public function refund(string $id, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/payments/' . Transport::segment($id) . '/refunds',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * List the refunds of a payment. The newest first, failed ones included. A key needs the scope
     * `payments`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<Refund>
     */
    public function refunds(string $id, array $query = []): Page
    {
        return $this->transport->list('/api/v1/payments/' . Transport::segment($id) . '/refunds', $query);
    }

    /**
     * Dispute a payment. For a customer who does not recognise a payment, or does not agree with it. It has
     * to be answered by its `deadline`: the end of the next business day where they did not authorise it,
     * else of the fifteenth. Refused unless the payment has succeeded and has something left to give back,
     * and while another dispute of it is open or has given money back. The customer can raise one on their
     * own page too. A key needs the scope `payments`.
     *
     * @param NewDispute $body
     * @return Dispute
     */
    public function dispute(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/payments/' . Transport::segment($id) . '/disputes',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }
}

/**
 * @phpstan-import-type Refund from Types
 */
final class Refunds
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Get a refund. As it stands: a refund that has succeeded can still come back. A key needs the scope
     * `payments`.
     *
     * @return Refund
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/refunds/' . Transport::segment($id));
    }

    /**
     * List refunds. Those of all payments, the newest first, unless sorted otherwise. A key needs the scope
     * `payments`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   sum?: bool,
     *   status?: 'pending'|'processing'|'success'|'failed',
     *   from?: string,
     *   to?: string,
     *   amount_from?: int,
     *   amount_to?: int,
     *   sort?: '-created_at'|'created_at',
     * } $query
     * @return Page<Refund>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/refunds', $query);
    }
}

/**
 * @phpstan-import-type CaseFile from Types
 * @phpstan-import-type Dispute from Types
 * @phpstan-import-type DisputeRefund from Types
 * @phpstan-import-type DisputeRejection from Types
 */
final class Disputes
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Get a dispute. As it stands: a refunded one is open again if its refund fails or comes back. A key
     * needs the scope `payments`.
     *
     * @return Dispute
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/disputes/' . Transport::segment($id));
    }

    /**
     * List disputes. Those of all payments, the newest first, unless sorted otherwise. A key needs the scope
     * `payments`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   sum?: bool,
     *   status?: 'open'|'refunded'|'returned'|'rejected'|'withdrawn',
     *   reason?: 'unauthorised'|'after_withdrawal'|'wrong_amount'|'duplicate'|'not_received'|'other',
     *   payment_id?: string,
     *   from?: string,
     *   to?: string,
     *   amount_from?: int,
     *   amount_to?: int,
     *   sort?: '-created_at'|'created_at',
     * } $query
     * @return Page<Dispute>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/disputes', $query);
    }

    /**
     * Get the case file of a dispute. The terms as shown, the consent at the bank, each order and answer,
     * what the banks say now with their signatures, what was notified, money and ledger, withdrawals, as JSON
     * and PDF, signed. Each call makes it from what is on record, out of the archive too; who took it is in
     * the audit trail. It names the customer and the account that paid: a key needs the scope `customers`
     * too, and a maker who may refund payments. A key needs the scope `payments`.
     *
     * @return CaseFile
     */
    public function file(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/disputes/' . Transport::segment($id) . '/file');
    }

    /**
     * Refund a dispute. Gives back what it asks for, or less, and ends it, in one act. It is a refund as any
     * other: to the account that paid, out of your wallet. Where that has less, the refund waits for the next
     * collections, up to 30 days, whatever your setting `refunds_wait`: meanwhile the dispute is open, and
     * `refund_id` names the refund. What was refunded or taken back by the customer’s bank since it was
     * opened is not paid again: where nothing is left, it ends without a refund. Repeat it with the same
     * `Idempotency-Key`. A key needs the scope `payments`.
     *
     * @param DisputeRefund $body
     * @return Dispute
     */
    public function refund(string $id, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/disputes/' . Transport::segment($id) . '/refund',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Reject a dispute. Ends it without money, and stops a refund of it that waits. The customer is sent your
     * answer. A key needs the scope `payments`.
     *
     * @param DisputeRejection $body
     * @return Dispute
     */
    public function reject(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/disputes/' . Transport::segment($id) . '/reject',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Withdraw a dispute. For one that you raised by mistake. Ends it without money, and stops a refund of it
     * that waits. One that the customer raised is 409 `dispute_not_yours`: they take it back on their page,
     * or you reject it with an answer. A key needs the scope `payments`.
     *
     * @return Dispute
     */
    public function withdraw(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/disputes/' . Transport::segment($id) . '/withdraw',
            idempotencyKey: $idempotencyKey,
        );
    }
}

/**
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type Settlement from Types
 */
final class Settlements
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List settlements. One for each business day on which something is paid out, the newest first, unless
     * sorted otherwise. A key needs the scope `settlements`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   sum?: bool,
     *   status?: 'pending'|'processing'|'success'|'failed',
     *   q?: string,
     *   from?: string,
     *   to?: string,
     *   amount_from?: int,
     *   amount_to?: int,
     *   sort?: '-created_at'|'created_at',
     * } $query
     * @return Page<Settlement>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/settlements', $query);
    }

    /**
     * Get a settlement. As it stands: a settlement that has succeeded can still come back. A key needs the
     * scope `settlements`.
     *
     * @return Settlement
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/settlements/' . Transport::segment($id));
    }

    /**
     * List the payments of a settlement. Their amounts add up to the `gross` of the settlement, and their
     * fees to its `fees`. A key needs the scope `settlements`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<Payment>
     */
    public function payments(string $id, array $query = []): Page
    {
        return $this->transport->list('/api/v1/settlements/' . Transport::segment($id) . '/payments', $query);
    }

    /**
     * Pay a failed settlement out again at once. To the settlement account that is in force now. Without it
     * the money goes out with the next business day’s settlement. Refused unless the settlement has failed;
     * once its money has gone out with a later one; and where refunds or recalled payments have taken a part
     * of it. A key needs the scope `payments`.
     *
     * @return Settlement
     */
    public function retry(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/settlements/' . Transport::segment($id) . '/retry',
            idempotencyKey: $idempotencyKey,
        );
    }
}

/**
 * @phpstan-import-type Wallet from Types
 */
final class Wallets
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List wallets and what is in them. Your own wallet first, then those of your customers, the newest
     * first. A key needs the scope `settlements`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<Wallet>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/wallets', $query);
    }
}

/**
 * @phpstan-import-type BankList from Types
 */
final class Banks
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List the banks and how they answer. The banks that customers can choose. While a bank is down or
     * stopped, payments there wait, and nothing is lost. A key needs the scope `schedules`.
     *
     * @return BankList
     */
    public function list(): array
    {
        return $this->transport->send('GET', '/api/v1/banks');
    }
}

/**
 * @phpstan-import-type DeleteWebhookEndpointResponse from Types
 * @phpstan-import-type NewWebhookEndpoint from Types
 * @phpstan-import-type TestWebhookEndpointResponse from Types
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpointChanges from Types
 * @phpstan-import-type WebhookEndpointWithSecret from Types
 */
final class WebhookEndpoints
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List the webhook endpoints. The newest first, with how much each has not received. Deleted ones are not
     * listed. A key needs the scope `webhooks`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<WebhookEndpoint>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/webhook_endpoints', $query);
    }

    /**
     * Get a webhook endpoint. With how much it has not received. Its secret is not shown. A key needs the
     * scope `webhooks`.
     *
     * @return WebhookEndpoint
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/webhook_endpoints/' . Transport::segment($id));
    }

    /**
     * Create a webhook endpoint. It is enabled at once. Only this response has the secret that signs its
     * webhooks. You can have 20. A key needs the scope `webhooks`.
     *
     * @param NewWebhookEndpoint $body
     * @return WebhookEndpointWithSecret
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/webhook_endpoints',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Update a webhook endpoint. Changes only the fields sent. Events that occur while it is disabled are
     * held. Enabling takes up the retries that were waiting, and sends nothing else on its own: `held` says
     * how many are held, and a replay sends them. A key needs the scope `webhooks`.
     *
     * @param WebhookEndpointChanges $body
     * @return WebhookEndpoint
     */
    public function update(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'PUT',
            '/api/v1/webhook_endpoints/' . Transport::segment($id),
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Delete a webhook endpoint. Deliveries that wait for it have failed. The events remain. A key needs the
     * scope `webhooks`.
     *
     * @return DeleteWebhookEndpointResponse
     */
    public function delete(string $id): array
    {
        return $this->transport->send('DELETE', '/api/v1/webhook_endpoints/' . Transport::segment($id));
    }

    /**
     * Make a new secret for a webhook endpoint. Only this response has the new secret. The old one goes on
     * signing until you activate the new one, for at most 24 hours; meanwhile `webhook-signature` carries
     * both signatures. A key needs the scope `webhooks`.
     *
     * @return WebhookEndpointWithSecret
     */
    public function rotate(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/webhook_endpoints/' . Transport::segment($id) . '/rotate',
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Activate the new secret of a webhook endpoint. It signs from now on, and the old one no more. Refused
     * where no new secret waits. A key needs the scope `webhooks`.
     *
     * @return WebhookEndpoint
     */
    public function activate(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/webhook_endpoints/' . Transport::segment($id) . '/activate',
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Send a test event to this webhook endpoint. It gets an `endpoint.test` event, which no other endpoint
     * gets. The event shows what came of it. Refused while the endpoint is disabled. A key needs the scope
     * `webhooks`.
     *
     * @return TestWebhookEndpointResponse
     */
    public function test(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/webhook_endpoints/' . Transport::segment($id) . '/test',
            idempotencyKey: $idempotencyKey,
        );
    }
}

/**
 * @phpstan-import-type EventFeed from Types
 * @phpstan-import-type RecollectEvent from Types
 * @phpstan-import-type RecollectEventDetail from Types
 * @phpstan-import-type Replay from Types
 * @phpstan-import-type Replayed from Types
 * @phpstan-import-type ResendEventRequest from Types
 */
final class Events
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List the events. The newest first, unless sorted otherwise. Old events may be in the archive, and are
     * not listed then. A key needs the scope `webhooks`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   delivery?: 'undelivered',
     *   kind?: 'schedule.setup_success'|'schedule.setup_failed'|'collection.success'|'collection.failed'|'settlement.success'|'settlement.failed'|'collection.skipped'|'collection.returned'|'refund.success'|'refund.failed'|'dispute.opened'|'dispute.closed'|'dispute.reopened'|'schedule.cancelled'|'schedule.paused'|'schedule.resumed'|'consent.revoked'|'consent.reauthentication_needed'|'merchant.settlement_account_changed'|'payment.unexpected_money'|'endpoint.test',
     *   schedule_id?: string,
     *   from?: string,
     *   to?: string,
     *   sort?: '-created_at'|'created_at',
     * } $query
     * @return Page<RecollectEvent>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/events', $query);
    }

    /**
     * Follow the events. Every event once, in one order that never changes: the order for a program that
     * follows along, with or without webhooks. An event shows as soon as no earlier one can come any more.
     * Keep `next_cursor` with what you did about the events, and go on from it. 410 `cursor_gone` where its
     * event is in the archive, or lost with a restore: begin again with `start`, and skip the ids that you
     * have. A key needs the scope `webhooks`.
     *
     * @param array{
     *   limit?: int,
     *   after?: string,
     * } $query
     * @return EventFeed
     */
    public function follow(array $query = []): array
    {
        return $this->transport->send('GET', '/api/v1/events/feed', query: $query);
    }

    /**
     * Get an event with its deliveries. With every attempt to deliver it: the response, how long it took, and
     * why it did not count. A key needs the scope `webhooks`.
     *
     * @return RecollectEventDetail
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/events/' . Transport::segment($id));
    }

    /**
     * Send an event again. To one endpoint, or to every enabled one that had it or subscribes to its kind
     * now. It is a new attempt of the same event, under the same `webhook-id`, with all its retries. Refused
     * where no enabled endpoint gets it. A key needs the scope `webhooks`.
     *
     * @param ResendEventRequest $body
     * @return RecollectEventDetail
     */
    public function resend(string $id, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/events/' . Transport::segment($id) . '/resend',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Send a range of events again. Sends one endpoint what was held, what failed and what it never got:
     * events between `from` and `to`, of the kinds that it subscribes to, the oldest first, at most 10,000 in
     * one call. Refused while the endpoint is disabled. A key needs the scope `webhooks`.
     *
     * @param Replay $body
     * @return Replayed
     */
    public function replay(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/events/replay',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }
}

/**
 * @phpstan-import-type Merchant from Types
 * @phpstan-import-type MerchantChanges from Types
 */
final class MerchantSettings
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Get your business details and settings. Also whether the operator has you suspended, or holds your
     * pay-outs. A key needs the scope `merchant`.
     *
     * @return Merchant
     */
    public function get(): array
    {
        return $this->transport->send('GET', '/api/v1/merchant');
    }

    /**
     * Change your business details and settings. Changes only the fields sent. `settlement_account` is
     * refused with 403 `forbidden`: an owner changes it in the dashboard. A key needs the scope `merchant`.
     *
     * @param MerchantChanges $body
     * @return Merchant
     */
    public function update(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'PUT',
            '/api/v1/merchant',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }
}

/**
 * @phpstan-import-type ApiKey from Types
 * @phpstan-import-type CreateApiKeyRequest from Types
 * @phpstan-import-type NewApiKey from Types
 * @phpstan-import-type RotateApiKeyRequest from Types
 * @phpstan-import-type UpdateApiKeyRequest from Types
 */
final class ApiKeys
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List your API keys. The newest first, revoked and expired ones included. None shows its secret. A key
     * needs the scope `keys`.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     * } $query
     * @return Page<ApiKey>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/api_keys', $query);
    }

    /**
     * Get the API key that you use. What it may do, its limits, and how much of them is used today. Any key
     * may call it, whatever its scopes.
     *
     * @return ApiKey
     */
    public function own(): array
    {
        return $this->transport->send('GET', '/api/v1/api_key');
    }

    /**
     * Create an API key. Only this response has the key itself. Refused for scopes that you do not have
     * yourself. A key needs the scope `keys`.
     *
     * @param CreateApiKeyRequest $body
     * @return NewApiKey
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/api_keys',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Replace an API key. The new key has the same name, scopes, addresses and limits; only this response has
     * the key itself. The old one goes on working for `overlap_hours`. Refused for scopes that you do not
     * have yourself. A key needs the scope `keys`.
     *
     * @param RotateApiKeyRequest $body
     * @return NewApiKey
     */
    public function rotate(string $id, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/api_keys/' . Transport::segment($id) . '/rotate',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Change the addresses or the limits of an API key. It takes effect within five seconds; other limits for
     * a key that has some, at once. The key itself and its scopes stay as they are. A key needs the scope
     * `keys`.
     *
     * @param UpdateApiKeyRequest $body
     * @return ApiKey
     */
    public function update(string $id, array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'PUT',
            '/api/v1/api_keys/' . Transport::segment($id),
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Revoke an API key at once. It stops working at once, and cannot be restored. Revoking it again changes
     * nothing. A key needs the scope `keys`.
     *
     * @return ApiKey
     */
    public function revoke(string $id): array
    {
        return $this->transport->send('DELETE', '/api/v1/api_keys/' . Transport::segment($id));
    }
}

/**
 * @phpstan-import-type ActToPrepare from Types
 * @phpstan-import-type PreparedAct from Types
 */
final class PreparedActs
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Prepare an act. Tries what another endpoint would do, and changes nothing: what would be refused is
     * refused now, with the errors of that endpoint. The response says what will happen, what it takes, and
     * who else is asked; commit it within an hour. Preparing the same again returns the same act, also when
     * it is done. Only for API keys, with the scope of that endpoint. Any key may call it, whatever its
     * scopes.
     *
     * @param ActToPrepare $body
     * @return PreparedAct
     */
    public function prepare(array $body, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/prepared_acts',
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Commit a prepared act. Does it, once: the id of the act is its idempotency key, so repeat it as often
     * as no response came, with or without an `Idempotency-Key`. Beyond the limits of the key it waits until
     * a member of the team approves it in the dashboard; commit it again, or read it, to see its outcome.
     * Refused (`act_outdated`) where what it is about has changed, and with the errors of the endpoint that
     * does it. Any key may call it, whatever its scopes.
     *
     * @return PreparedAct
     */
    public function commit(string $id, ?string $idempotencyKey = null): array
    {
        return $this->transport->send(
            'POST',
            '/api/v1/prepared_acts/' . Transport::segment($id) . '/commit',
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * List prepared acts. Those of the API key that asks, the newest first. They are kept for 90 days. Any
     * key may call it, whatever its scopes.
     *
     * @param array{
     *   limit?: int,
     *   offset?: int,
     *   after?: string,
     *   status?: 'prepared'|'waiting_for_approval'|'done'|'declined'|'replaced',
     * } $query
     * @return Page<PreparedAct>
     */
    public function list(array $query = []): Page
    {
        return $this->transport->list('/api/v1/prepared_acts', $query);
    }

    /**
     * Get a prepared act. As it is now, and what it has made. Any key may call it, whatever its scopes.
     *
     * @return PreparedAct
     */
    public function get(string $id): array
    {
        return $this->transport->send('GET', '/api/v1/prepared_acts/' . Transport::segment($id));
    }
}

/**
 * @phpstan-import-type AdvanceSandboxClockRequest from Types
 * @phpstan-import-type ChangeSandboxAccountRequest from Types
 * @phpstan-import-type ChangeSandboxBankRequest from Types
 * @phpstan-import-type ChangeSandboxIssuerRequest from Types
 * @phpstan-import-type ListSandboxAccountsResponse from Types
 * @phpstan-import-type SandboxAccount from Types
 * @phpstan-import-type SandboxBankBehaviour from Types
 * @phpstan-import-type SandboxClock from Types
 * @phpstan-import-type SandboxDecided from Types
 * @phpstan-import-type SandboxDecision from Types
 * @phpstan-import-type SandboxIssuer from Types
 * @phpstan-import-type SandboxMoved from Types
 */
final class Sandbox
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Read the sandbox clock. Due dates, retries, settlement days and `created_at` follow it. Everybody in
     * the sandbox shares it.
     *
     * @return SandboxClock
     */
    public function clock(): array
    {
        return $this->transport->send('GET', '/sandbox/clock');
    }

    /**
     * Move the sandbox clock forward. Whatever falls due on the way happens in its order and at its own time,
     * retries and webhooks included, and the response lists it. At most five years at a time, and never back.
     * The sandbox has one clock: it moves for its other merchants too. A year takes a while: with `wait:
     * false` the response comes at once. Refused while the clock is being moved.
     *
     * @param AdvanceSandboxClockRequest $body
     * @return SandboxMoved
     */
    public function advance(array $body = []): array
    {
        return $this->transport->send(
            'POST',
            '/sandbox/clock/advance',
            body: $body,
            onlyOnce: true,
            timeout: 600,
        );
    }

    /**
     * Read the last move of the sandbox clock. With what has happened to you in it: until now, where it is
     * under way.
     *
     * @return SandboxMoved
     */
    public function lastMove(): array
    {
        return $this->transport->send('GET', '/sandbox/clock/advance');
    }

    /**
     * Stop moving the sandbox clock. An advance in progress ends at the moment that it has reached, and its
     * response lists what has happened until then. From there the clock runs with real time. Without an
     * advance nothing changes.
     *
     * @return SandboxClock
     */
    public function stop(): array
    {
        return $this->transport->send('POST', '/sandbox/clock/stop', onlyOnce: true);
    }

    /**
     * Reset the sandbox. Schedules, customers, payments, settlements, wallets, events and logs of every
     * merchant of this sandbox are gone, at the sandbox’s banks and e-money issuer too, and the clock is back
     * at real time. Merchants, teams, API keys and webhook endpoints stay.
     *
     * @return SandboxClock
     */
    public function reset(): array
    {
        return $this->transport->send('POST', '/sandbox/reset', onlyOnce: true);
    }

    /**
     * Let a customer of the sandbox decide on a consent. Goes through the pages of the portal and of the bank
     * as the customer’s browser would, also where the bank wants a granted consent to be confirmed again.
     * Refused where no consent of the schedule waits for the customer.
     *
     * @param SandboxDecision $body
     * @return SandboxDecided
     */
    public function consent(string $id, array $body): array
    {
        return $this->transport->send(
            'POST',
            '/sandbox/schedules/' . Transport::segment($id) . '/consent',
            body: $body,
            onlyOnce: true,
        );
    }

    /**
     * List the accounts of the sandbox banks. Each customer behaves in one documented way. All of them have
     * an account at every bank.
     *
     * @return ListSandboxAccountsResponse
     */
    public function accounts(): array
    {
        return $this->transport->send('GET', '/sandbox/accounts');
    }

    /**
     * Show how the sandbox e-money issuer behaves. The modes that are on, and all that there are with what
     * each does.
     *
     * @return SandboxIssuer
     */
    public function issuer(): array
    {
        return $this->transport->send('GET', '/sandbox/issuer');
    }

    /**
     * Change how the sandbox e-money issuer behaves. Exactly these modes are on afterwards, for everybody who
     * uses this sandbox, and hold for what happens from then on. Refused for a mode that does not exist.
     *
     * @param ChangeSandboxIssuerRequest $body
     * @return SandboxIssuer
     */
    public function changeIssuer(array $body): array
    {
        return $this->transport->send('PUT', '/sandbox/issuer', body: $body, onlyOnce: true);
    }

    /**
     * Change an account of a sandbox bank. It changes only the fields sent, until the next reset.
     *
     * @param ChangeSandboxAccountRequest $body
     * @return SandboxAccount
     */
    public function changeAccount(string $bank_id, string $account, array $body): array
    {
        return $this->transport->send(
            'PUT',
            '/sandbox/accounts/' . Transport::segment($bank_id) . '/' . Transport::segment($account),
            body: $body,
            onlyOnce: true,
        );
    }

    /**
     * Change what a sandbox bank does. For all of its accounts, until the next reset: exactly these
     * behaviours are on afterwards, or exactly these faults are ordered. Changes only the fields sent.
     *
     * @param ChangeSandboxBankRequest $body
     * @return SandboxBankBehaviour
     */
    public function changeBank(string $bank_id, array $body): array
    {
        return $this->transport->send(
            'PUT',
            '/sandbox/banks/' . Transport::segment($bank_id),
            body: $body,
            onlyOnce: true,
        );
    }
}

/**
 * Every resource of the API.
 */
class Resources
{
    public const VERSION = '0.3.0';

    public readonly Schedules $schedules;
    public readonly ManySchedules $scheduleChanges;
    public readonly Customers $customers;
    public readonly Payments $payments;
    public readonly Refunds $refunds;
    public readonly Disputes $disputes;
    public readonly Settlements $settlements;
    public readonly Wallets $wallets;
    public readonly Banks $banks;
    public readonly WebhookEndpoints $webhookEndpoints;
    public readonly Events $events;
    public readonly MerchantSettings $merchant;
    public readonly ApiKeys $apiKeys;
    public readonly PreparedActs $preparedActs;
    public readonly Sandbox $sandbox;

    public function __construct(Transport $transport)
    {
        $this->schedules = new Schedules($transport);
        $this->scheduleChanges = new ManySchedules($transport);
        $this->customers = new Customers($transport);
        $this->payments = new Payments($transport);
        $this->refunds = new Refunds($transport);
        $this->disputes = new Disputes($transport);
        $this->settlements = new Settlements($transport);
        $this->wallets = new Wallets($transport);
        $this->banks = new Banks($transport);
        $this->webhookEndpoints = new WebhookEndpoints($transport);
        $this->events = new Events($transport);
        $this->merchant = new MerchantSettings($transport);
        $this->apiKeys = new ApiKeys($transport);
        $this->preparedActs = new PreparedActs($transport);
        $this->sandbox = new Sandbox($transport);
    }
}
