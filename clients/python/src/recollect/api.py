# Written by `npm run generate -- clients` from the OpenAPI document of the service.
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .paging import Page
from .transport import Transport, segment

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired

VERSION = "0.3.0"


class ErrorBody(TypedDict):
    """The body of every response that is not 200."""

    error: ErrorBodyError
    """What is wrong."""


class ErrorBodyError(TypedDict):
    """What is wrong."""

    code: Union[ErrorCode, str]
    """What your program acts on. Codes may be added."""
    message: str
    """What is wrong, in a sentence for developers."""
    details: NotRequired[Dict[str, str]]
    """More about it, by name. With `invalid_request`: what is wrong with each field, by its dotted
    path, such as `amount.value`."""


class AdvanceSandboxClockRequest(TypedDict):
    """How far the clock is moved: by a duration, or to a moment."""

    by: NotRequired[str]
    """How far: an ISO 8601 duration, counted in your time zone, so that months and days keep the
    time of day. Either this or `to`."""
    to: NotRequired[str]
    """To which moment. ISO 8601 with an offset or Z. Either this or `by`."""
    wait: NotRequired[bool]
    """False: the response comes at once, with `advancing: true`. Follow the clock, then read its
    last move. Default: true."""


class Amount(TypedDict):
    """An amount of money."""

    value: int
    """A whole number of pence."""
    currency: str
    """ISO 4217: `GBP`, the only currency so far."""


class AmountOrZero(TypedDict):
    """An amount of money, which may be zero."""

    value: int
    """A whole number of pence."""
    currency: str
    """ISO 4217: `GBP`, the only currency so far."""


class AmountPerPeriod(TypedDict):
    """An amount of money that several payments may add up to."""

    value: int
    """A whole number of pence."""
    currency: str
    """ISO 4217: `GBP`, the only currency so far."""


class ApiKey(TypedDict):
    """An API key, without its secret."""

    id: str
    """The key’s id, which is no secret."""
    name: str
    """The name that tells your keys apart."""
    hint: str
    """The last four characters of the key."""
    scopes: List[
        Literal[
            "schedules",
            "payments",
            "settlements",
            "customers",
            "webhooks",
            "merchant",
            "keys",
        ]
    ]
    """What the key may do. A key does no more than the member who made it may do at that moment."""
    made_by: Optional[str]
    """The id of the member who made it. The key ends with their membership. Null: the operator made
    it."""
    created_at: str
    """When it was made."""
    expires_at: Optional[str]
    """When it stops working, because another one replaces it. Null: it does not expire."""
    revoked_at: Optional[str]
    """When it was revoked. Null: it was not."""
    last_used_at: Optional[str]
    """When it was last used, to the minute. Null: never."""
    allowed_ips: Optional[List[str]]
    """The addresses and ranges that it may be used from. Null: anywhere."""
    limits: Optional[KeyLimits]
    """What it may do on its own: beyond it, a member of the team is asked. Null: all that its
    scopes allow."""
    last_refused: Optional[RefusedUse]
    """The last use from an address that is not allowed, which was refused. Null: there was none."""


class Bank(TypedDict):
    """A bank that customers can choose, and how it answers."""

    bank_id: str
    """The bank’s id."""
    name: str
    """The name that customers know."""
    condition: Literal["operational", "degraded", "down"]
    """How the bank answers our calls. `operational`: as it should. `degraded`: some calls get no
    answer. `down`: none gets one."""
    since: Optional[str]
    """Since when it is in that condition. Null: it was not called yet."""
    operations: List[BankOperation]
    """The same for each kind of call."""
    stopped: bool
    """The operator sends no payments to this bank for now. They wait."""


class BankAccountCustomer(TypedDict):
    """The customer is identified by a bank account, the one that pays."""

    id: str
    """The customer’s id."""
    name: NotRequired[str]
    """The customer’s name."""
    email: NotRequired[str]
    """The customer’s email address."""
    reference: NotRequired[str]
    """Your own id of the customer."""
    type: Literal["bank_account"]
    """The customer is identified by a bank account, the one that pays."""
    account_number: str
    """The account number: 8 digits; 6 and 7 are padded with zeros on the left."""
    sort_code: str
    """The sort code: 6 digits; hyphens and blanks are accepted."""


class BankAccountCustomerDetails(TypedDict):
    """The customer is identified by a bank account, the one that pays."""

    id: str
    """The customer’s id."""
    name: Optional[str]
    """The customer’s name. Null: not known."""
    email: Optional[str]
    """The customer’s email address. Null: not known."""
    reference: Optional[str]
    """Your own id of the customer. Null: there is none."""
    notes: Optional[str]
    """For your team; never shown to the customer. Null: there are none."""
    bank: Optional[CustomerBank]
    """The bank of the latest granted consent. Null: there was none."""
    paying_account: Optional[PayingAccount]
    """The account of the latest granted consent, masked. Null: it is not known yet."""
    created_at: str
    """When the customer was created."""
    type: Literal["bank_account"]
    """The customer is identified by a bank account, the one that pays."""
    account_number: str
    """The account number: 8 digits; 6 and 7 are padded with zeros on the left."""
    sort_code: str
    """The sort code: 6 digits; hyphens and blanks are accepted."""


class BankAccountCustomerInput(TypedDict):
    """The customer is identified by a bank account, the one that pays."""

    name: NotRequired[Optional[str]]
    """The customer’s name. Null clears it."""
    email: NotRequired[Optional[str]]
    """The customer’s email address. Null clears it."""
    reference: NotRequired[Optional[str]]
    """Your own id of the customer. Null clears it."""
    type: Literal["bank_account"]
    """The customer is identified by a bank account, the one that pays."""
    account_number: str
    """The account number: 8 digits; 6 and 7 are padded with zeros on the left."""
    sort_code: str
    """The sort code: 6 digits; hyphens and blanks are accepted."""


class BankList(TypedDict):
    """The banks that customers can choose."""

    data: List[Bank]
    """All banks; there are no pages."""


class BankOperation(TypedDict):
    """How a bank answers one kind of call."""

    operation: Literal["consent", "token", "funds", "payment", "read"]
    """`consent`: customers agree or withdraw. `token`: we get access. `funds`: we check that the
    money is there. `payment`: we send a payment. `read`: we ask for its outcome."""
    condition: Literal["operational", "degraded", "down"]
    """How the bank answers our calls. `operational`: as it should. `degraded`: some calls get no
    answer. `down`: none gets one."""
    since: Optional[str]
    """Since when it is in that condition. Null: it was not called yet."""


class CaseFile(TypedDict):
    """Everything that proves a disputed payment, signed."""

    name: str
    """What to save it as."""
    media_type: Literal["application/zip"]
    """What `content` is."""
    sha256: str
    """The SHA-256 of its bytes, in hex."""
    content: str
    """The zip file in base64: `case.json`, `case.pdf`, an index with their digests, and its
    signature. Who has only the file can verify it with the public keys at
    `/.well-known/case-file-keys.json`."""


class ChangeOfSchedules(TypedDict):
    """What changes in each schedule, as in an update of one. At least one field."""

    amount: NotRequired[Union[Amount, PercentChange]]
    """The same amount for all of them, or a change of each by per cent."""
    limits: NotRequired[Optional[LimitsInput]]
    """The most that the schedule may take. Null: what the amount and the frequency need."""
    status: NotRequired[Literal["active", "paused", "cancelled"]]
    """`active` resumes a paused schedule, `paused` pauses it, `cancelled` ends it for good. The
    status that it has changes nothing."""
    send_link: NotRequired[bool]
    """Whether we send each customer who then has to agree the consent link, by email or text
    message, once a day at most."""


class ChangeSandboxAccountRequest(TypedDict):
    """Changes of an account of the sandbox."""

    balance: NotRequired[int]
    """How much is in it from now on, in pence."""
    behaviour: NotRequired[str]
    """How it behaves from now on. An unknown behaviour is refused."""


class ChangeSandboxBankRequest(TypedDict):
    """Changes of how a bank of the sandbox behaves."""

    behaviours: NotRequired[List[str]]
    """What the whole bank does. `unavailable`: every call gets a 503. `refuses_clients`: its token
    endpoint lets nobody in. `stops_at_acsc`: payments end at `ACSC`. `omits_optional_fields`:
    responses leave out every optional field. `ignores_debtor_account`: customers may pay from any
    of their accounts, whichever the request names. `bare_errors`: every third call gets a bare 400,
    403, 404 or 502. `loses_requests`: every third call is lost before it arrives. `loses_answers`:
    every third call is carried out, and its response is lost."""
    next_calls: NotRequired[List[SandboxFault]]
    """Faults of the next calls, which are used up one by one."""


class ChangeSandboxIssuerRequest(TypedDict):
    """How the e-money issuer of the sandbox is to behave."""

    modes: List[str]
    """The modes that are to be on; none: it behaves as it should."""


class CollectionFailedData(TypedDict):
    """The data of `collection.failed`."""

    payment_id: str
    """The payment."""
    schedule_id: str
    """The schedule of the payment."""
    amount: Amount
    """What the payment collects."""
    error: Failure
    """Why it failed: one of the codes of a payment’s `error`."""
    failed_at: str
    """When it failed."""
    attempt: int
    """The number of the last attempt, counted from 1. 0: none was made."""
    next_retry_at: Optional[str]
    """When the payment is tried again. Null: it is not."""
    no_retry_reason: Optional[
        Literal[
            "final",
            "max_retries",
            "next_occurrence",
            "end_date",
            "limits",
            "by_hand",
            "stopped",
        ]
    ]
    """Why no retry follows. `final`: it would fail again. `max_retries`: all retries are used.
    `next_occurrence`: a retry would come after the next collection. `end_date`: it would come after
    the end of the consent. `limits`: the customer’s limits have no room for it. `by_hand`: the
    attempt was a retry by hand, which none follows. `stopped`: a pause, a cancellation or a
    withdrawal ended the payment. Null: one does."""
    reason: NotRequired[Literal["stopped"]]
    """Present where a pause, a cancellation or a withdrawal ended the payment."""


class CollectionFailedEvent(TypedDict):
    """Sent when an attempt has failed; `next_retry_at` says when the next one comes, and where it
    is null `no_retry_reason` says why. Also when a pause, a cancellation or a withdrawal ends a
    payment: then `reason` is `stopped`."""

    event: Literal["collection.failed"]
    """The kind of the event."""
    data: CollectionFailedData


class CollectionReturnedData(TypedDict):
    """The data of `collection.returned`."""

    payment_id: str
    """The payment."""
    schedule_id: str
    """The schedule of the payment."""
    amount: Amount
    """What you owe."""
    reason: str
    """Why, as the bank says."""
    returned_at: str
    """When it was recalled."""


class CollectionReturnedEvent(TypedDict):
    """Sent when the customer’s bank recalls the money after the success of a collection. You owe
    it, and your next settlements net it."""

    event: Literal["collection.returned"]
    """The kind of the event."""
    data: CollectionReturnedData


class CollectionSkippedData(TypedDict):
    """The data of `collection.skipped`."""

    schedule_id: str
    """The schedule of the occurrence."""
    customer_id: str
    """The customer of the schedule."""
    due_date: str
    """When the occurrence fell due."""
    reason: Literal["skipped", "amount_not_set"]
    """`skipped`: you skipped it. `amount_not_set`: with `amount_mode: "per_occurrence"` you set no
    amount for it."""
    created_at: str
    """When it was skipped."""


class CollectionSkippedEvent(TypedDict):
    """Sent when an occurrence falls due and nothing is collected, because you skip it or have set
    no amount for it."""

    event: Literal["collection.skipped"]
    """The kind of the event."""
    data: CollectionSkippedData


class CollectionSuccessData(TypedDict):
    """The data of `collection.success`."""

    payment_id: str
    """The payment."""
    schedule_id: str
    """The schedule of the payment."""
    amount: Amount
    """What the payment collects."""
    completed_at: str
    """When it succeeded."""


class CollectionSuccessEvent(TypedDict):
    """Sent when a collection has succeeded: its money is in your wallet."""

    event: Literal["collection.success"]
    """The kind of the event."""
    data: CollectionSuccessData


class ConsentNotice(TypedDict):
    """What prevents collections under the consent, or may prevent them."""

    kind: Literal["in_doubt", "reauthentication_needed", "limits_changed"]
    """`in_doubt`: the bank reports that the consent has ended, and we check again; nothing is
    collected meanwhile. `reauthentication_needed`: the bank wants the customer to confirm the
    consent again, on the page of `portal_url`; nothing is collected until then. `limits_changed`:
    the customer changed the limits at the bank, and a coming payment exceeds them."""
    since: str
    """Since when."""


class ConsentReauthenticationNeededData(TypedDict):
    """The data of `consent.reauthentication_needed`."""

    schedule_id: str
    """The schedule."""
    customer_id: str
    """The customer of the schedule."""
    created_at: str
    """When it happened."""


class ConsentReauthenticationNeededEvent(TypedDict):
    """Sent when the bank wants the customer to confirm the consent again, on the page of
    `portal_url`; nothing is collected until then."""

    event: Literal["consent.reauthentication_needed"]
    """The kind of the event."""
    data: ConsentReauthenticationNeededData


class ConsentRevokedData(TypedDict):
    """The data of `consent.revoked`."""

    schedule_id: str
    """The schedule."""
    customer_id: str
    """The customer of the schedule."""
    reason: str
    """`withdrawn_on_portal`: the customer ended it on the portal. `withdrawn_at_bank`: they ended
    it at the bank. `expired_at_bank`: the bank says that it has expired, before its agreed end."""
    created_at: str
    """When it happened."""


class ConsentRevokedEvent(TypedDict):
    """Sent when the customer or the bank has ended the consent, and with it the schedule."""

    event: Literal["consent.revoked"]
    """The kind of the event."""
    data: ConsentRevokedData


class ConsentedTerms(TypedDict):
    """The terms that the customer agreed to."""

    amount: Amount
    """What each occurrence collects."""
    frequency: Frequency
    end_date: Optional[str]
    """When it ends. Null: it goes on until it is cancelled."""


class CreateApiKeyRequest(TypedDict):
    """A new API key."""

    allowed_ips: NotRequired[Optional[List[str]]]
    """The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, at most 50. Null
    or empty: anywhere."""
    limits: NotRequired[Optional[CreateApiKeyRequestLimits]]
    """What the key may do on its own, for a key that an agent gets: beyond it, an act waits until a
    member of the team approves it in the dashboard. Null: all that its scopes allow."""
    name: str
    """A name that tells your keys apart."""
    scopes: NotRequired[
        List[
            Literal[
                "schedules",
                "payments",
                "settlements",
                "customers",
                "webhooks",
                "merchant",
                "keys",
            ]
        ]
    ]
    """What the key may do. Nobody gives a scope they do not have. Default: everything but `keys`,
    as far as you may do it yourself."""


class CreateApiKeyRequestLimits(TypedDict):
    """What the key may do on its own."""

    per_act_pence: int
    """The most that one act may take, in pence."""
    per_day_pence: int
    """The most that all acts of a London day may take together, in pence. At least
    `per_act_pence`."""


class NewDispute(TypedDict):
    """A new dispute."""

    reason: Literal[
        "unauthorised",
        "after_withdrawal",
        "wrong_amount",
        "duplicate",
        "not_received",
        "other",
    ]
    """`unauthorised`: the customer did not agree to it. `after_withdrawal`: it was taken after they
    withdrew their permission. `wrong_amount`: another amount was due. `duplicate`: it was paid
    already. `not_received`: they did not get what they paid for. `other`: as the note says."""
    amount: NotRequired[Amount]
    """How much is disputed. Default: what the payment has not given back."""
    note: NotRequired[str]
    """What the customer said about it."""


class NewPayment(TypedDict):
    """One payment besides the occurrences of a schedule."""

    amount: Amount
    """What it collects."""
    due_date: NotRequired[Optional[str]]
    """When it is due, at most a year ahead. ISO 8601 with an offset or Z. Null: now."""
    description: NotRequired[Optional[str]]
    """What it is for, as the customer reads it. Null: what the schedule says."""


class NewRefund(TypedDict):
    """A new refund."""

    amount: NotRequired[Amount]
    """How much to refund. Default: what is left of the payment."""
    reason: NotRequired[str]
    """Why, in your own words. The customer does not see it."""


class CreateScheduleChangeRequest(TypedDict):
    """A change of many schedules."""

    schedule_ids: NotRequired[List[str]]
    """The schedules, at most 5000. Left out where `filter` names them."""
    filter: NotRequired[ScheduleFilter]
    """All schedules that the list has with this filter, at most 5000. An empty object: every
    schedule."""
    change: ChangeOfSchedules
    preview: NotRequired[bool]
    """Only says what would become of each schedule. Run the change by its id to carry it out.
    Default: false."""


class CreateScheduleRequest(TypedDict):
    """A new schedule."""

    amount: Amount
    """What each occurrence collects."""
    frequency: FrequencyFields
    customer: CustomerFields
    description: str
    """What the payments are for, as the customer reads it."""
    metadata: NotRequired[Optional[Metadata]]
    """Your own data, always sent as a whole. Null: none."""
    start_date: NotRequired[Optional[str]]
    """When it starts: the first collection comes at the first moment from then on that fits the
    frequency, and every one at this time of day. It must not be in the past. ISO 8601 with an
    offset or Z. Null: it starts now, and collects at 09:00 in your time zone."""
    end_date: NotRequired[Optional[str]]
    """When it ends; an occurrence at this very moment is still collected. ISO 8601 with an offset
    or Z. Null: it goes on until it is cancelled."""
    max_retries: NotRequired[int]
    """How many times a failed payment is retried automatically, at most. 3 unless set."""
    reference: NotRequired[Optional[str]]
    """What the customer’s bank statement shows: letters, digits, blanks and the characters `/ - ? :
    ( ) . , + &` and the apostrophe. Null: your statement name and the customer’s `reference`, such
    as `FERNHILL C10400`, or a code in its place or behind it."""
    limits: NotRequired[Optional[LimitsInput]]
    """The most that the schedule may take. Null: what the amount and the frequency need."""
    amount_mode: NotRequired[Literal["fixed", "per_occurrence"]]
    """`fixed`, the default: every occurrence collects the amount. `per_occurrence`: each collects
    what you set for it, and is skipped where you set nothing; the amount is the most that one
    takes, unless the limits allow more."""
    non_working_day: NotRequired[Literal["same", "next", "previous"]]
    """When a collection is due that falls on a weekend or a bank holiday of England and Wales.
    `same`, the default: on that day. `next`: on the working day after it. `previous`: on the one
    before it. A daily schedule takes only `same`."""
    first_payment: NotRequired[Optional[FirstPaymentInput]]
    """What is collected once, as soon as the customer has agreed, before the first occurrence: a
    joining fee, a deposit, the rest of this month. Null: nothing."""


class NewWebhookEndpoint(TypedDict):
    """A new webhook endpoint."""

    url: str
    """Where events are sent to: a URL with https, in the sandbox also http to localhost. Redirects
    are not followed."""
    description: NotRequired[str]
    """What it is for, in your own words."""
    event_kinds: NotRequired[
        List[
            Literal[
                "schedule.setup_success",
                "schedule.setup_failed",
                "collection.success",
                "collection.failed",
                "settlement.success",
                "settlement.failed",
                "collection.skipped",
                "collection.returned",
                "refund.success",
                "refund.failed",
                "dispute.opened",
                "dispute.closed",
                "dispute.reopened",
                "schedule.cancelled",
                "schedule.paused",
                "schedule.resumed",
                "consent.revoked",
                "consent.reauthentication_needed",
                "merchant.settlement_account_changed",
                "payment.unexpected_money",
            ]
        ]
    ]
    """The kinds of events that the endpoint gets. Unless you name them, it gets six: `success` and
    `failed` of `schedule.setup_…`, `collection.…` and `settlement.…`. Add `schedule.cancelled` and
    `consent.revoked`, or you are not told when a customer withdraws."""


class CustomerBank(TypedDict):
    """A customer’s bank."""

    id: str
    """The bank’s id, as `GET /api/v1/banks` lists it."""
    name: str
    """The name that the customer knows."""


class CustomerExport(TypedDict):
    """Everything that is held of one customer."""

    customer_id: str
    """The customer."""
    merchant_id: str
    """The merchant, which is you."""
    exported_at: str
    """When it was read."""
    tables: Dict[str, List[Dict[str, Optional[str]]]]
    """The rows by table, in plain text and without secrets, hashes and links: each column as text,
    and what is no text as JSON."""
    cut_short: List[str]
    """Tables with more than 50,000 rows, of which only the first ones are here."""
    archived_before: Optional[str]
    """What happened before this moment may be in the archive, which has ids and amounts and no
    personal data. Null: nothing is archived."""


class DailyFrequency(TypedDict):
    """Every day, or every so many."""

    type: Literal["daily"]
    """The unit that `interval` counts."""
    interval: int
    """How many units from one collection to the next: 2 with `weekly` is every second week."""


class DailyFrequencyInput(TypedDict):
    """Every day, or every so many."""

    type: Literal["daily"]
    """The unit that `interval` counts."""
    interval: NotRequired[int]
    """How many units from one collection to the next: 2 with `weekly` is every second week.
    Default: 1."""


class SandboxDecision(TypedDict):
    """How the customer decides."""

    decision: Literal["grant", "deny"]
    """`grant`: the customer agrees. `deny`: they say no."""
    account: NotRequired[str]
    """Who decides: the login of a customer of the sandbox, such as `alex`, or an account number.
    Default: "alex"."""
    bank_id: NotRequired[str]
    """At which bank. Default: the first one of the sandbox."""


class SandboxDecided(TypedDict):
    """The outcome of a consent, and of its schedule."""

    consent_status: str
    """The outcome of the consent: `granted`, `denied`, `rejected` …"""
    schedule_status: str
    """The status that the schedule has now."""
    returned_to: Optional[str]
    """Where the customer was sent at the end, which is your `return_url`. Null: they are on a page
    of the portal."""


class DeleteWebhookEndpointResponse(TypedDict):
    """A webhook endpoint that is deleted."""

    id: str
    """The endpoint."""
    deleted: bool
    """True: it is deleted."""


class Delivery(TypedDict):
    """The delivery of an event to one endpoint."""

    id: str
    """The delivery’s id."""
    endpoint_id: str
    """The endpoint."""
    endpoint_url: str
    """The endpoint’s present address."""
    status: Literal["pending", "delivered", "failed", "held"]
    """`pending`: it is to be sent, or waits for a retry. `delivered`: the endpoint acknowledged it
    with 200. `failed`: all retries are used, or the endpoint was deleted. `held`: the endpoint was
    disabled; a replay sends it."""
    attempt_count: int
    """How many times it was sent."""
    next_attempt_at: Optional[str]
    """When it is sent next. Null: it is not `pending`."""
    finished_at: Optional[str]
    """When it was acknowledged, or failed for good. Null: neither."""


class DeliveryAttempt(TypedDict):
    """One attempt to deliver an event to an endpoint."""

    number: int
    """Counts the attempts of the delivery from 1."""
    manual: bool
    """It was sent again because somebody asked for it."""
    response_status: Optional[int]
    """The HTTP status. Null: there was no response."""
    response_body: Optional[str]
    """The first 4 KB of the response. Null: none is kept."""
    error: Optional[str]
    """Why it does not count as delivered. Null: it does."""
    duration_ms: int
    """How long it took, in milliseconds."""
    at: str
    """When it was sent."""


class DeliveryDetail(TypedDict):
    """The delivery of an event to one endpoint, with its attempts."""

    id: str
    """The delivery’s id."""
    endpoint_id: str
    """The endpoint."""
    endpoint_url: str
    """The endpoint’s present address."""
    status: Literal["pending", "delivered", "failed", "held"]
    """`pending`: it is to be sent, or waits for a retry. `delivered`: the endpoint acknowledged it
    with 200. `failed`: all retries are used, or the endpoint was deleted. `held`: the endpoint was
    disabled; a replay sends it."""
    attempt_count: int
    """How many times it was sent."""
    next_attempt_at: Optional[str]
    """When it is sent next. Null: it is not `pending`."""
    finished_at: Optional[str]
    """When it was acknowledged, or failed for good. Null: neither."""
    attempts: List[DeliveryAttempt]
    """Every attempt, the first one first."""


class DeliveryHappening(TypedDict):
    """An event was sent to a webhook endpoint."""

    at: str
    """When it happened, in the sandbox’s time."""
    kind: Literal["delivery_attempt"]
    """What happened."""
    event_id: str
    """The event that was sent."""
    endpoint_id: str
    """The endpoint that it was sent to."""
    number: int
    """Counts the attempts of the delivery from 1."""
    response_status: Optional[int]
    """The HTTP status. Null: there was no response."""
    error: Optional[str]
    """Why it does not count as delivered. Null: it does."""


class DestinationAccount(TypedDict):
    """The account that a settlement is paid to."""

    account_number: str
    """The account number, 8 digits."""
    sort_code: str
    """The sort code, 6 digits."""
    name: str
    """The account holder’s name."""


class Dispute(TypedDict):
    """A payment that a customer does not recognise, or does not agree with."""

    id: str
    """The dispute’s id."""
    payment_id: str
    """The payment that is disputed."""
    schedule_id: str
    """The schedule of the payment."""
    raised_by: Literal["customer", "merchant"]
    """`customer`: on their page. `merchant`: your team or program, who were told."""
    reason: Literal[
        "unauthorised",
        "after_withdrawal",
        "wrong_amount",
        "duplicate",
        "not_received",
        "other",
    ]
    """`unauthorised`: the customer did not agree to it. `after_withdrawal`: it was taken after they
    withdrew their permission. `wrong_amount`: another amount was due. `duplicate`: it was paid
    already. `not_received`: they did not get what they paid for. `other`: as the note says."""
    amount: Amount
    """How much of the payment is disputed."""
    note: Optional[str]
    """What was said about it. Null: nothing."""
    status: Literal["open", "refunded", "returned", "rejected", "withdrawn"]
    """`open`: it waits for your answer. `refunded`: you gave the money back; it is open again if
    the refund fails. `returned`: the customer’s bank took the payment back. `rejected`: you
    answered why nothing is due. `withdrawn`: it was taken back."""
    deadline: str
    """Until when it has to be answered."""
    left: AmountOrZero
    """What it still asks for: less what was refunded or taken back by the customer’s bank since.
    Zero once it has ended."""
    returned: AmountOrZero
    """How much of it goes back, or came back. Zero while it is open."""
    refund_id: Optional[str]
    """The refund that pays it. Null: none does. While it is open, that refund waits for money in
    your wallet."""
    answer: Optional[str]
    """What you answered, as the customer reads it. Null: nothing."""
    created_at: str
    """When it was raised."""
    ended_at: Optional[str]
    """When it ended. Null: it is open."""


class DisputeClosedData(TypedDict):
    """The data of `dispute.closed`."""

    dispute_id: str
    """The dispute."""
    payment_id: str
    """The payment that is disputed."""
    schedule_id: str
    """The schedule of the payment."""
    raised_by: Literal["customer", "merchant"]
    """Who raised it."""
    reason: Literal[
        "unauthorised",
        "after_withdrawal",
        "wrong_amount",
        "duplicate",
        "not_received",
        "other",
    ]
    """Why."""
    amount: Amount
    """How much of the payment is disputed."""
    deadline: str
    """Until when it has to be answered."""
    outcome: Literal["refunded", "returned", "rejected", "withdrawn"]
    """How it ended."""
    returned: AmountOrZero
    """How much of it goes back, or came back."""
    refund_id: Optional[str]
    """The refund that pays it. Null: none does."""
    ended_at: str
    """When it ended."""


class DisputeClosedEvent(TypedDict):
    """Sent when a dispute ended: its money went back, or it was rejected or withdrawn."""

    event: Literal["dispute.closed"]
    """The kind of the event."""
    data: DisputeClosedData


class DisputeOpenedData(TypedDict):
    """The data of `dispute.opened`."""

    dispute_id: str
    """The dispute."""
    payment_id: str
    """The payment that is disputed."""
    schedule_id: str
    """The schedule of the payment."""
    raised_by: Literal["customer", "merchant"]
    """Who raised it."""
    reason: Literal[
        "unauthorised",
        "after_withdrawal",
        "wrong_amount",
        "duplicate",
        "not_received",
        "other",
    ]
    """Why."""
    amount: Amount
    """How much of the payment is disputed."""
    deadline: str
    """Until when it has to be answered."""
    created_at: str
    """When it was raised."""


class DisputeOpenedEvent(TypedDict):
    """Sent when a customer, or your team for them, disputes a payment."""

    event: Literal["dispute.opened"]
    """The kind of the event."""
    data: DisputeOpenedData


class DisputeReopenedData(TypedDict):
    """The data of `dispute.reopened`."""

    dispute_id: str
    """The dispute."""
    payment_id: str
    """The payment that is disputed."""
    schedule_id: str
    """The schedule of the payment."""
    raised_by: Literal["customer", "merchant"]
    """Who raised it."""
    reason: Literal[
        "unauthorised",
        "after_withdrawal",
        "wrong_amount",
        "duplicate",
        "not_received",
        "other",
    ]
    """Why."""
    amount: Amount
    """How much of the payment is disputed."""
    deadline: str
    """Until when it has to be answered."""
    reopened_at: str
    """When it was opened again."""


class DisputeReopenedEvent(TypedDict):
    """Sent when the refund of a dispute failed or came back, and it is open again."""

    event: Literal["dispute.reopened"]
    """The kind of the event."""
    data: DisputeReopenedData


class EndpointTestData(TypedDict):
    """The data of `endpoint.test`."""

    endpoint_id: str
    """The endpoint that is tested."""
    url: str
    """Its address."""
    message: str
    """A sentence for whoever reads it."""


class EndpointTestEvent(TypedDict):
    """Sent when you test an endpoint; no other endpoint gets it."""

    event: Literal["endpoint.test"]
    """The kind of the event."""
    data: EndpointTestData


class CustomerErasure(TypedDict):
    """Why personal data are erased."""

    reason: str
    """Who asked for it and when, such as `asked by letter of 5 January`. It is kept in the
    activity."""
    metadata: NotRequired[bool]
    """Erases the metadata of their schedules too. Default: false."""


class ErasedCustomer(TypedDict):
    """A customer whose personal data are erased."""

    id: str
    """The customer’s id, which payments and schedules keep."""
    erased_at: str
    """When they were erased; a second erasure changes nothing."""


class RecollectEvent(TypedDict):
    """Something that happened, and its deliveries."""

    id: str
    """The event’s id, which every delivery carries as `webhook-id`."""
    kind: Union[EventKind, str]
    """What happened. Kinds may be added."""
    schedule_id: Optional[str]
    """The schedule that it is about. Null: it is about none."""
    sequence: Optional[int]
    """Counts the events of the schedule from 1. Null: it is about none."""
    subject_id: str
    """The id of the object that it is about: a payment, a refund, a settlement …"""
    created_at: str
    """When it happened."""
    deliveries: List[Delivery]
    """One for each endpoint that it is for."""


class RecollectEventDetail(TypedDict):
    """An event, with every attempt to deliver it."""

    id: str
    """The event’s id, which every delivery carries as `webhook-id`."""
    kind: Union[EventKind, str]
    """What happened. Kinds may be added."""
    schedule_id: Optional[str]
    """The schedule that it is about. Null: it is about none."""
    sequence: Optional[int]
    """Counts the events of the schedule from 1. Null: it is about none."""
    subject_id: str
    """The id of the object that it is about: a payment, a refund, a settlement …"""
    created_at: str
    """When it happened."""
    body: str
    """The exact text that is signed and sent."""
    deliveries: List[DeliveryDetail]
    """One for each endpoint that it is for."""


class EventFeed(TypedDict):
    """A part of the feed of events, and where it goes on."""

    data: List[FeedEvent]
    """The next events, in the order of the feed."""
    next_cursor: str
    """What `after` takes next, also where nothing has come."""
    has_more: bool
    """Whether more events are there already. If not, ask again in a few seconds."""


class EventHappening(TypedDict):
    """An event occurred."""

    at: str
    """When it happened, in the sandbox’s time."""
    kind: Literal["event"]
    """What happened."""
    event_id: str
    """The event’s id."""
    event: str
    """The kind of the event, such as `collection.success`."""
    subject_id: str
    """The id of the object that it is about."""


class Failure(TypedDict):
    """Why something failed."""

    code: Union[FailureCode, str]
    """What your program acts on. Codes may be added."""
    message: str
    """The same in a sentence, for your team."""


class FeedEvent(TypedDict):
    """An event with its place in the feed."""

    id: str
    """The event’s id, which every delivery carries as `webhook-id`."""
    kind: Union[EventKind, str]
    """What happened. Kinds may be added."""
    schedule_id: Optional[str]
    """The schedule that it is about. Null: it is about none."""
    sequence: Optional[int]
    """Counts the events of the schedule from 1. Null: it is about none."""
    subject_id: str
    """The id of the object that it is about: a payment, a refund, a settlement …"""
    created_at: str
    """When it happened."""
    body: str
    """The exact text that webhooks sign and send."""
    cursor: str
    """Where this event stands: `after` takes it, and goes on behind the event."""


Fees = TypedDict(
    "Fees",
    {
        # The fixed part of the fee of a payment, in pence.
        "fixed_pence": "int",
        # The share of the amount, in hundredths of a percent. Half a penny is rounded up.
        "basis_points": "int",
        # From when on they apply: to what is collected from then on.
        "from": "str",
    },
)
"""What the operator takes of each payment, never more than its amount."""


class FirstPayment(TypedDict):
    """A payment that is collected once, as soon as the customer has agreed."""

    amount: Amount
    """What it collects, once."""
    description: Optional[str]
    """What it is for, as the customer reads it. Null: what the schedule is for."""


class FirstPaymentInput(TypedDict):
    """A payment that is collected once, as soon as the customer has agreed."""

    amount: Amount
    """What it collects, once."""
    description: NotRequired[Optional[str]]
    """What it is for, as the customer reads it. Null: what the schedule is for."""


class Import(TypedDict):
    """The results of the lines of a request."""

    data: List[ImportedLine]
    """The lines, in the order of the file."""


class ImportError(TypedDict):
    """Something wrong with a line."""

    column: Optional[str]
    """The column. Null: the line as a whole."""
    reason: str
    """What is wrong."""


class ImportSchedulesRequest(TypedDict):
    """Some lines of a file."""

    csv: str
    """The heading and at most 200 lines of a CSV file."""
    first_line: NotRequired[int]
    """The number in the whole file of the first line after the heading. Default: 2."""
    check_only: NotRequired[bool]
    """Only check: the response says what would become of each line, and nothing is created."""


class ImportedCustomer(TypedDict):
    """Who pays, as the line says."""

    name: Optional[str]
    """The name of the customer. Null: the line has none."""
    email: Optional[str]
    """Their email address. Null: the line has none."""
    phone: Optional[str]
    """Their phone number, as it is stored. Null: the line has none."""


class ImportedLine(TypedDict):
    """The result of one line of a file."""

    line: int
    """Where in the file it begins. The heading is line 1."""
    status: Literal["valid", "created", "existing", "invalid"]
    """`created`: it is a schedule now. `valid`: a check found nothing wrong. `existing`: an earlier
    import created it. `invalid`: `errors` say why not."""
    key: Optional[str]
    """Lines with the same key stand for the same schedule. Null: the line cannot be read that
    far."""
    import_reference: Optional[str]
    """The line’s own name, by which it is recognised. Null: the line has none."""
    customer: ImportedCustomer
    description: Optional[str]
    """What the payments are for. Null: the line has none."""
    amount: Optional[AmountOrZero]
    """What each occurrence collects. Null: it cannot be read."""
    schedule_id: Optional[str]
    """The schedule of the line. Null: there is none."""
    consent_url: Optional[str]
    """The link on which the customer agrees. Null: in a check, and once they have decided."""
    errors: List[ImportError]
    """What is wrong with the line. Empty unless it is `invalid`."""


class KeyLimits(TypedDict):
    """What an API key may do on its own. A key and those that replace it share their limits."""

    per_act_pence: int
    """The most that one act may take, in pence."""
    per_day_pence: int
    """The most that all acts of a London day may take together, in pence."""
    used_today_pence: int
    """What the acts of today have taken together, in pence."""


class Limits(TypedDict):
    """The most that the schedule may take. The customer sees the limits before agreeing, and the
    bank enforces them."""

    per_payment: Amount
    """The most that one payment takes."""
    per_period: AmountPerPeriod
    """The most that all payments of one period take together."""
    period: Literal["day", "week", "fortnight", "month", "half_year", "year"]
    """The period of `per_period`. It follows from the frequency."""


class LimitsInput(TypedDict):
    """The most that the schedule may take. On create, a limit that is left out is what the amount
    and the frequency need."""

    per_payment: NotRequired[Optional[Amount]]
    """The most that one payment takes, at least `amount`. Null: `amount`."""
    per_period: NotRequired[Optional[AmountPerPeriod]]
    """The most that all payments of one period take together, at least what its occurrences need.
    Null: what they need."""
    period: NotRequired[Literal["day", "week", "fortnight", "month", "half_year", "year"]]
    """It cannot be chosen, because it follows from the frequency: leave it out, or send it as it
    was read."""


class ListSandboxAccountsResponse(TypedDict):
    """The banks of the sandbox, with their accounts."""

    banks: List[SandboxBank]
    """The banks of the sandbox."""


class ListUpcomingResponse(TypedDict):
    """The coming occurrences of a schedule."""

    data: List[Occurrence]
    """The coming occurrences, the next one first."""


class MaskedAccount(TypedDict):
    """An account of which only the last digits are shown."""

    name: str
    """The account holder’s name."""
    sort_code: str
    """The sort code, masked but for its last digits."""
    account_number: str
    """The account number, masked but for its last digits."""


class Merchant(TypedDict):
    """Your business details and settings."""

    id: str
    """Your id."""
    name: str
    """The name that customers know."""
    legal_name: str
    """The name in the register of companies."""
    email: str
    """The address that customers can write to, and that notices for you go to."""
    website: str
    """Your website, shown to customers: a URL with https or http."""
    address: str
    """The business address, shown to customers."""
    terms: str
    """Your terms and conditions in plain text, shown before the customer agrees."""
    time_zone: str
    """The time zone in which the dates of your schedules are computed: a name of the tz database
    such as `Europe/London`, or `UTC`."""
    return_url: Optional[str]
    """Where the customer goes after the decision, with `schedule_id` and `status` in the query: a
    URL with https. Null: a closing page of the portal."""
    reuse_consent: bool
    """Whether a new schedule is active at once where the same customer has granted a consent that
    covers it too."""
    refunds_wait: bool
    """Whether a refund waits for the next collections where your wallet has less. Otherwise it is
    refused."""
    colour: Optional[str]
    """The colour of the buttons that customers see. White text must be legible on it. Null: the
    default colour."""
    settlement_account: SettlementAccount
    statement_name: str
    """What the references of new schedules on bank statements begin with, where you give none: what
    you set, or the first word of your name."""
    logo_url: Optional[str]
    """Where the logo that customers see is served. Null: they see your name instead."""
    pending_settlement_account: Optional[PendingSettlementAccount]
    """The settlement account that waits to take effect. Null: no change waits."""
    fees: Optional[Fees]
    """What the operator takes of each payment. Null: nothing."""
    next_fees: Optional[Fees]
    """The fees that follow, and from when on. Null: no change is announced."""
    suspended_since: Optional[str]
    """Since when the operator has you suspended: no new schedules, and no new payments. Null: you
    are not."""
    pay_outs_held_since: Optional[str]
    """Since when your pay-outs are on hold: settlements wait. Null: they are not."""
    pay_outs_held_until: Optional[str]
    """When the hold ends on its own, after one owner alone has changed the settlement account.
    Null: when somebody ends it, or there is none."""
    created_at: str
    """When you were registered."""


class MerchantSettlementAccountChangedData(TypedDict):
    """The data of `merchant.settlement_account_changed`."""

    merchant_id: str
    """The merchant, which is you."""
    old_account: MaskedAccount
    """The account until now, masked."""
    new_account: MaskedAccount
    """The account from now on, masked."""
    requested_at: str
    """When the change was asked for."""
    changed_at: str
    """When it took effect."""


class MerchantSettlementAccountChangedEvent(TypedDict):
    """Sent when settlements go to another account from now on."""

    event: Literal["merchant.settlement_account_changed"]
    """The kind of the event."""
    data: MerchantSettlementAccountChangedData


class MonthlyFrequency(TypedDict):
    """Every month, or every so many."""

    type: Literal["monthly"]
    """The unit that `interval` counts."""
    day: int
    """The day of the month; in a month without that day, the last one."""
    interval: int
    """How many units from one collection to the next: 2 with `weekly` is every second week."""


class MonthlyFrequencyInput(TypedDict):
    """Every month, or every so many."""

    type: Literal["monthly"]
    """The unit that `interval` counts."""
    day: NotRequired[int]
    """The day of the month; in a month without that day, the last one. Default: that of
    `start_date`, else today’s."""
    interval: NotRequired[int]
    """How many units from one collection to the next: 2 with `weekly` is every second week.
    Default: 1."""


class NewApiKey(TypedDict):
    """A new API key, with its secret."""

    id: str
    """The key’s id, which is no secret."""
    name: str
    """The name that tells your keys apart."""
    hint: str
    """The last four characters of the key."""
    scopes: List[
        Literal[
            "schedules",
            "payments",
            "settlements",
            "customers",
            "webhooks",
            "merchant",
            "keys",
        ]
    ]
    """What the key may do. A key does no more than the member who made it may do at that moment."""
    made_by: Optional[str]
    """The id of the member who made it. The key ends with their membership. Null: the operator made
    it."""
    created_at: str
    """When it was made."""
    expires_at: Optional[str]
    """When it stops working, because another one replaces it. Null: it does not expire."""
    revoked_at: Optional[str]
    """When it was revoked. Null: it was not."""
    last_used_at: Optional[str]
    """When it was last used, to the minute. Null: never."""
    allowed_ips: Optional[List[str]]
    """The addresses and ranges that it may be used from. Null: anywhere."""
    limits: Optional[KeyLimits]
    """What it may do on its own: beyond it, a member of the team is asked. Null: all that its
    scopes allow."""
    last_refused: Optional[RefusedUse]
    """The last use from an address that is not allowed, which was refused. Null: there was none."""
    key: str
    """The key itself. Only this response has it."""


class NotSent(TypedDict):
    """Why nothing was sent yet."""

    reason: Literal[
        "merchant_suspended",
        "bank_stopped",
        "consent_in_doubt",
        "reauthentication_needed",
        "bank_down",
        "bank_degraded",
        "retrying",
        "being_sent",
    ]
    """`merchant_suspended`: the operator has you suspended. `bank_stopped`: the operator sends
    nothing to this bank for now. `consent_in_doubt`: the bank reports that the consent has ended,
    and we check again. `reauthentication_needed`: the customer has to confirm the consent again.
    `bank_down`: the bank does not answer. `bank_degraded`: it sometimes does not. `retrying`:
    something else failed, and is tried again. `being_sent`: it is on its way."""
    bank_id: str
    """The bank, as `GET /api/v1/banks` lists it."""
    next_try_at: Optional[str]
    """When we try again. Null: now, or when somebody has acted."""


class Occurrence(TypedDict):
    """A coming occurrence of a schedule."""

    due_date: str
    """When it is due."""
    amount: Optional[Amount]
    """What it collects. Null: no amount is set yet; without one nothing is collected."""
    skipped: bool
    """You skip it: nothing is collected."""
    changed: bool
    """An amount or a skip was set for this occurrence."""
    reason: Optional[str]
    """Why it is not on the day or at the time that was asked for, or does not collect the usual
    amount. Null: it does both."""


class OccurrenceChangeAmount(TypedDict):
    amount: Amount
    """What the occurrence collects."""


class OccurrenceChangeSkip(TypedDict):
    skip: Literal[True]
    """Nothing is collected."""


class PayeeCheck(TypedDict):
    """What an account’s bank said of the account holder’s name (Confirmation of Payee)."""

    result: Literal["match", "close_match", "no_match", "unavailable"]
    """`unavailable`: nobody could say. Whatever it is, the change takes its course."""
    bank_name: Optional[str]
    """The holder’s name as the bank has it. Null: the bank tells it of a close match alone."""
    reason: Optional[
        Literal[
            "no_such_account",
            "personal_account",
            "account_switched",
            "roll_number_needed",
            "bank_takes_no_part",
            "no_answer",
            "not_offered",
            "no_wallet_yet",
            "too_many_checks",
        ]
    ]
    """What is known besides, or why there is no verdict. Null: nothing."""
    checked_at: str
    """When the bank was asked."""


class PayingAccount(TypedDict):
    """The account that a customer pays from, masked."""

    sort_code: str
    """The sort code, all of it masked."""
    account_number: str
    """The account number, masked but for its last digits."""


class Payment(TypedDict):
    """The collection of one occurrence of a schedule, of which there is never a second one, or an
    ad-hoc payment."""

    id: str
    """The payment’s id."""
    schedule_id: str
    """The schedule it belongs to."""
    customer_id: str
    """Who pays."""
    customer_reference: Optional[str]
    """Your own name of the customer, as it is now. Null: you gave none."""
    bank_id: str
    """The customer’s bank, as `GET /api/v1/banks` lists it."""
    metadata: Optional[Metadata]
    """Your own data of the schedule, as it is now. Null: none."""
    kind: Literal["scheduled", "ad_hoc", "first"]
    """`scheduled`: an occurrence of the schedule. `ad_hoc`: a payment that you asked for besides
    the occurrences. `first`: the first payment of the schedule, collected as soon as the customer
    had agreed."""
    amount: Amount
    """What it collects."""
    description: Optional[str]
    """What it is for, of an ad-hoc or first payment that was given a description. Null: that of the
    schedule."""
    status: Literal["pending", "processing", "success", "failed"]
    """`pending`: due, or waiting for a retry. `processing`: with the bank, or on its way to your
    wallet. `success`: the money is in your wallet. `failed`: no automatic attempt follows; only a
    retry by hand, or money that arrives late, changes it."""
    due_date: str
    """When it is due."""
    attempts: List[Attempt]
    """Every attempt, the first one first."""
    next_retry_at: Optional[str]
    """When it is tried again. Null: no retry is planned."""
    no_retry_reason: Optional[
        Literal[
            "final",
            "max_retries",
            "next_occurrence",
            "end_date",
            "limits",
            "by_hand",
            "stopped",
        ]
    ]
    """Why no retry follows. `final`: it would fail again. `max_retries`: all retries are used.
    `next_occurrence`: a retry would come after the next collection. `end_date`: it would come after
    the end of the consent. `limits`: the customer’s limits have no room for it. `by_hand`: the
    attempt was a retry by hand, which none follows. `stopped`: a pause, a cancellation or a
    withdrawal ended the payment. Null: the payment has not failed."""
    error: Optional[Failure]
    """Why the last attempt failed, also while a retry waits: `insufficient_funds`, `technical`,
    `bank_limit`, `limit_exceeded`, `rejected`, `account_closed`, `invalid_account`, `blocked`,
    `creditor_account_unavailable`, `duplicate`, `consent_revoked`, `consent_expired`,
    `reauthentication_required`, `schedule_paused`, `schedule_cancelled` or `paid_by_hand`. Null:
    none has failed, or the payment has succeeded."""
    settlement_id: Optional[str]
    """The settlement that pays it out to you. Null: none has it yet."""
    fee: Optional[AmountOrZero]
    """What the operator takes of it, netted from its settlement. Null: it has not succeeded."""
    refunded: AmountOrZero
    """What was refunded of it, or is being refunded. Refunds that failed do not count."""
    returned: Optional[ReturnedMoney]
    """What the customer’s bank recalled after the success. You owe it, and your next settlements
    net it. Null: nothing."""
    paying_account: Optional[PayingAccount]
    """The account that pays, masked. Null: it is not known yet."""
    created_at: str
    """When it was created."""
    completed_at: Optional[str]
    """When it succeeded. Null: it has not."""
    failed_at: Optional[str]
    """When it failed for good. Null: it has not."""
    not_sent: Optional[NotSent]
    """Why the order of the attempt under way has not been sent yet. Null: it was sent, or no
    attempt is under way."""
    waits_for_operator: Optional[WaitsForOperator]
    """Why it cannot end on its own: the operator has to find out its outcome. Null: it goes on
    automatically, or has ended."""
    unexpected_money: List[UnexpectedMoney]
    """Money that arrived and may belong to this payment, though it did not wait for it."""


class Attempt(TypedDict):
    """One attempt to collect a payment. It is one order to the bank."""

    number: int
    """Counts the attempts of the payment from 1."""
    status: Literal["processing", "success", "failed"]
    """`processing`: under way. `success`: its money has come. `failed`: no money comes of it."""
    manual: bool
    """Somebody retried the payment by hand."""
    error: Optional[Failure]
    """Why it failed. Null: it has not."""
    bank_payment_id: Optional[str]
    """The bank’s id of the payment. Null: not known."""
    bank_status: Optional[str]
    """The status that the bank reported last, such as `ACSC`. Null: none yet."""
    started_at: str
    """When it began."""
    sent_at: Optional[str]
    """When its order was sent to the bank. Null: nothing was sent."""
    finished_at: Optional[str]
    """When its outcome was recorded. Null: it is under way."""


class PaymentUnderWay(TypedDict):
    """A payment that may still arrive, although its schedule is paused or cancelled."""

    id: str
    """The payment’s id."""
    amount: Amount
    """What it collects."""
    due_date: str
    """When it was due."""


class PaymentUnexpectedMoneyData(TypedDict):
    """The data of `payment.unexpected_money`."""

    id: str
    """The id of the money, which is the same once a decision is made."""
    payment_id: str
    """The payment."""
    schedule_id: str
    """The schedule of the payment."""
    amount: Amount
    """How much arrived."""
    status: Literal["open", "allocated", "accepted_in_part", "returned", "paid_on", "credited"]
    """`open`: the operator has not decided yet. `allocated`: it pays for a payment, whole.
    `accepted_in_part`: it pays for a payment of another amount. `returned`: it went back to whoever
    paid it. `paid_on`: it was paid to you by hand. `credited`: it was added to your balance, and
    goes out with a settlement."""
    reason: Literal[
        "nothing_awaited",
        "another_amount",
        "another_wallet",
        "paid_already",
        "later_attempt",
        "left_over",
        "came_back",
        "not_transferred",
    ]
    """`nothing_awaited`: no payment waits for this amount. `another_amount`: the amount differs
    from that of the payment. `another_wallet`: it came to the wallet of another customer.
    `paid_already`: the payment is paid already. `later_attempt`: it pays for an earlier attempt,
    while a later one is with the bank. `left_over`: it is left over from an amount that was too
    high. `came_back`: it was paid out and came back. `not_transferred`: it could not be transferred
    to your wallet."""
    arrived_at: str
    """When it arrived."""


class PaymentUnexpectedMoneyEvent(TypedDict):
    """Sent when money arrives that may belong to a payment and that it does not wait for, and again
    when the operator has decided what becomes of it."""

    event: Literal["payment.unexpected_money"]
    """The kind of the event."""
    data: PaymentUnexpectedMoneyData


class PendingSettlementAccount(TypedDict):
    """The settlement account that a change will put in place, masked."""

    name: str
    """The account holder’s name."""
    sort_code: str
    """The sort code, masked but for its last digits."""
    account_number: str
    """The account number, masked but for its last digits."""
    requested_at: str
    """When the change was asked for."""
    takes_effect_at: str
    """From when on settlements are paid to it, unless a second owner confirms it before."""
    payee_check: Optional[PayeeCheck]
    """What the bank said of the name when the change was asked for. Null: it was not asked."""


class PercentChange(TypedDict):
    """A change of amounts by per cent."""

    percent: float
    """By how many per cent the amount as you last asked for it changes, with at most two decimals.
    Not 0; below 0 it goes down."""
    round_to: NotRequired[int]
    """The new amount is rounded to a multiple of this many pence; what lies in the middle is
    rounded up. Default: 1."""


class PhoneCustomer(TypedDict):
    """The customer is identified by a phone number."""

    id: str
    """The customer’s id."""
    name: NotRequired[str]
    """The customer’s name."""
    email: NotRequired[str]
    """The customer’s email address."""
    reference: NotRequired[str]
    """Your own id of the customer."""
    type: Literal["phone"]
    """The customer is identified by a phone number."""
    value: str
    """The phone number, in international format with a `+`."""


class PhoneCustomerDetails(TypedDict):
    """The customer is identified by a phone number."""

    id: str
    """The customer’s id."""
    name: Optional[str]
    """The customer’s name. Null: not known."""
    email: Optional[str]
    """The customer’s email address. Null: not known."""
    reference: Optional[str]
    """Your own id of the customer. Null: there is none."""
    notes: Optional[str]
    """For your team; never shown to the customer. Null: there are none."""
    bank: Optional[CustomerBank]
    """The bank of the latest granted consent. Null: there was none."""
    paying_account: Optional[PayingAccount]
    """The account of the latest granted consent, masked. Null: it is not known yet."""
    created_at: str
    """When the customer was created."""
    type: Literal["phone"]
    """The customer is identified by a phone number."""
    value: str
    """The phone number, in international format with a `+`."""


class PhoneCustomerInput(TypedDict):
    """The customer is identified by a phone number."""

    name: NotRequired[Optional[str]]
    """The customer’s name. Null clears it."""
    email: NotRequired[Optional[str]]
    """The customer’s email address. Null clears it."""
    reference: NotRequired[Optional[str]]
    """Your own id of the customer. Null clears it."""
    type: Literal["phone"]
    """The customer is identified by a phone number."""
    value: str
    """The phone number, in international format with a `+`."""


class ActToPrepare(TypedDict):
    """An act to be prepared."""

    operation: Literal[
        "createPayment",
        "createSchedule",
        "updateSchedule",
        "changeUpcoming",
        "restoreUpcoming",
        "retryPayment",
        "createRefund",
    ]
    """The endpoint that does it, by its `operationId` in this document."""
    params: Dict[str, str]
    """What stands in the path of that endpoint, such as `id`; else an empty object."""
    body: Dict[str, Any]
    """The body of that endpoint; an empty object, where it takes none."""
    purpose: NotRequired[Optional[str]]
    """What it is for, in a few words of your own that stay the same when you ask again, such as the
    number of an invoice. One purpose for one schedule or payment is one act. Null: the same request
    is one act for 24 hours."""


class PreparedAct(TypedDict):
    """Something that an API key has prepared, and its outcome."""

    id: str
    """The act’s id, by which it is committed."""
    operation: Literal[
        "createPayment",
        "createSchedule",
        "updateSchedule",
        "changeUpcoming",
        "restoreUpcoming",
        "retryPayment",
        "createRefund",
    ]
    """The endpoint that does it, by its `operationId`."""
    status: Literal["prepared", "waiting_for_approval", "done", "declined", "replaced", "expired"]
    """`prepared`: nothing has happened yet. `waiting_for_approval`: it was committed beyond the
    limits of the key, and a member of the team is asked. `done`: it has happened, once. `declined`:
    a member has declined it, for good. `replaced`: the key prepared something else for the same
    purpose. `expired`: it was not committed or approved in time."""
    summary: str
    """What happens when it is committed, in a sentence."""
    amount: AmountOrZero
    """What it takes, as the limits of the key count it."""
    asks: List[Literal["customer", "member"]]
    """Who else is asked."""
    about_id: Optional[str]
    """The schedule or payment that it is about. Null: it creates a schedule."""
    object_id: Optional[str]
    """What it has made or changed. Null: it is not done."""
    limits: Optional[KeyLimits]
    """The limits of the key now. Null: it has none."""
    key_id: str
    """The API key that prepared it."""
    key_name: str
    """The name of that key."""
    agent: Optional[str]
    """The name that the agent gave itself. Null: none."""
    decided_by: Optional[str]
    """The id of the member who approved or declined it. Null: nobody did."""
    created_at: str
    """When it was prepared."""
    expires_at: str
    """Until when it can be committed or approved."""
    ended_at: Optional[str]
    """When it was done, declined or replaced. Null: it was not."""


class QuarterlyFrequency(TypedDict):
    """Every quarter, or every so many."""

    type: Literal["quarterly"]
    """The unit that `interval` counts."""
    day: int
    """The day of the month; in a month without that day, the last one."""
    interval: int
    """How many units from one collection to the next: 2 with `weekly` is every second week."""


class QuarterlyFrequencyInput(TypedDict):
    """Every quarter, or every so many."""

    type: Literal["quarterly"]
    """The unit that `interval` counts."""
    day: NotRequired[int]
    """The day of the month; in a month without that day, the last one. Default: that of
    `start_date`, else today’s."""
    interval: NotRequired[int]
    """How many units from one collection to the next: 2 with `weekly` is every second week.
    Default: 1."""


class Refund(TypedDict):
    """Money of a payment that goes back to the account that paid."""

    id: str
    """The refund’s id."""
    payment_id: str
    """The payment that it refunds."""
    amount: Amount
    """How much goes back."""
    status: Literal["pending", "processing", "success", "failed"]
    """`pending`: not ordered yet, or waiting for money in your wallet. `processing`: with the
    e-money issuer. `success`: paid to the account that paid. `failed`: not paid, or it came back;
    its money is in your wallet, and it can be made again."""
    reason: Optional[str]
    """Why, in your own words. Null: you gave no reason."""
    error: Optional[Failure]
    """Why it failed, such as `insufficient_balance`, `payer_unknown`, `payment_returned`,
    `dispute_closed` or `refund_returned`. Null: it has not."""
    created_at: str
    """When it was created."""
    completed_at: Optional[str]
    """When it was paid. Null: it was not."""
    failed_at: Optional[str]
    """When it failed, or came back. Null: it has not."""


class DisputeRefund(TypedDict):
    """What a dispute gives back."""

    amount: NotRequired[Amount]
    """How much to give back. Default: what it still asks for (`left`)."""


class RefundFailedData(TypedDict):
    """The data of `refund.failed`."""

    refund_id: str
    """The refund."""
    payment_id: str
    """The payment that it refunds."""
    schedule_id: str
    """The schedule of the payment."""
    amount: Amount
    """How much it refunds."""
    reason: Optional[str]
    """Why, in your own words. Null: you gave no reason."""
    error: Failure
    """Why: one of the codes of a refund’s `error`."""
    failed_at: str
    """When it failed, or came back."""


class RefundFailedEvent(TypedDict):
    """Sent when a refund was not paid, or came back. Its money is in your wallet."""

    event: Literal["refund.failed"]
    """The kind of the event."""
    data: RefundFailedData


class RefundSuccessData(TypedDict):
    """The data of `refund.success`."""

    refund_id: str
    """The refund."""
    payment_id: str
    """The payment that it refunds."""
    schedule_id: str
    """The schedule of the payment."""
    amount: Amount
    """How much it refunds."""
    reason: Optional[str]
    """Why, in your own words. Null: you gave no reason."""
    completed_at: str
    """When it was paid."""


class RefundSuccessEvent(TypedDict):
    """Sent when a refund was paid to the account that had paid."""

    event: Literal["refund.success"]
    """The kind of the event."""
    data: RefundSuccessData


class RefusedUse(TypedDict):
    """A use of an API key that was refused because of its address."""

    at: str
    """When it was used."""
    address: str
    """The address that it was used from."""


class DisputeRejection(TypedDict):
    """The answer to a dispute."""

    answer: str
    """Why nothing is due, as the customer reads it."""


Replay = TypedDict(
    "Replay",
    {
        # The endpoint that the events are sent to.
        "endpoint_id": "str",
        # Only events that occurred at this moment or later. ISO 8601 with an offset or Z.
        "from": "str",
        # Only events that occurred before this moment. ISO 8601 with an offset or Z.
        "to": "str",
        # Whether only what has not arrived is sent. False: what has arrived too. Default: true.
        "only_undelivered": "NotRequired[bool]",
    },
)
"""Which events are sent again, and to which endpoint."""


class Replayed(TypedDict):
    """How many events are sent again, and where to continue."""

    endpoint_id: str
    """The endpoint that the events are sent to."""
    replayed: int
    """How many events are on their way."""
    next_from: Optional[str]
    """The `from` to continue with, where there are more events than one call sends. Null: there are
    no more."""
    archived_before: Optional[str]
    """Events from before this moment may be in the archive, and are not sent then. Null: none of
    the range is."""


class ResendEventRequest(TypedDict):
    """Where an event is sent again."""

    endpoint_id: NotRequired[str]
    """Only to this endpoint. Default: every enabled one that should have it."""


class ReturnedMoney(TypedDict):
    """Money of a payment that the customer’s bank has recalled."""

    amount: Amount
    """What was recalled, and what you owe."""
    at: str
    """When it was recalled."""
    reason: str
    """Why, as the bank says."""


class RotateApiKeyRequest(TypedDict):
    """How an API key is replaced."""

    overlap_hours: NotRequired[int]
    """How many hours the old key goes on working. Default: 24."""


class SandboxAccount(TypedDict):
    """An account at a bank of the sandbox."""

    account: str
    """The login of its customer at the bank. The PIN is 1234."""
    holder: str
    """The account holder’s name."""
    nickname: str
    """What the bank app calls the account."""
    sort_code: str
    """The sort code, 6 digits."""
    account_number: str
    """The account number, 8 digits."""
    behaviour: str
    """How it behaves, such as `normal` or `fails_first`."""
    summary: str
    """What happens when a payment is collected from it."""
    balance: int
    """How much is in it, in pence."""
    payday: Optional[SandboxPayday]
    """The money that comes into it once a month. Null: none does."""


class SandboxBank(TypedDict):
    """A bank of the sandbox, with its accounts."""

    bank_id: str
    """The bank’s id."""
    name: str
    """The name that customers know."""
    summary: str
    """What is special about it."""
    app_url: str
    """Where its app is: log in there as a customer."""
    behaviours: List[str]
    """What the whole bank does, besides what its accounts do."""
    accounts: List[SandboxAccount]
    """Its accounts."""


class SandboxBankBehaviour(TypedDict):
    """How a whole bank of the sandbox behaves."""

    bank_id: str
    """The bank’s id."""
    name: str
    """The name that customers know."""
    behaviours: List[str]
    """What the whole bank does. `unavailable`: every call gets a 503. `refuses_clients`: its token
    endpoint lets nobody in. `stops_at_acsc`: payments end at `ACSC`. `omits_optional_fields`:
    responses leave out every optional field. `ignores_debtor_account`: customers may pay from any
    of their accounts, whichever the request names. `bare_errors`: every third call gets a bare 400,
    403, 404 or 502. `loses_requests`: every third call is lost before it arrives. `loses_answers`:
    every third call is carried out, and its response is lost."""
    next_calls: List[SandboxFault]
    """Faults of the next calls, which are used up one by one."""


class SandboxClock(TypedDict):
    """The business time of the sandbox."""

    now: str
    """What time it is in the sandbox."""
    advancing: bool
    """True: it is being moved forward. False: it runs with real time."""
    advancing_to: Optional[str]
    """To which moment it is being moved. Null: it is not."""
    waiting_for: List[str]
    """The webhook endpoints that have not answered yet, while it is being moved: a slow one holds
    up everybody’s clock."""
    last_error: Optional[str]
    """Why the last move ended before its target. Null: it did not, or was asked to."""


class SandboxFault(TypedDict):
    """A fault of the next calls of one kind."""

    call: str
    """Which calls: method and path as in the standard, such as `GET /domestic-vrp-consents/:id`."""
    fault: Union[int, Literal["lost_request"], Literal["lost_answer"]]
    """What happens to the call: a bare HTTP status from 400 to 599, or the request or its response
    is lost."""
    times: NotRequired[int]
    """How many calls. Default: 1."""


class SandboxIssuer(TypedDict):
    """How the e-money issuer of the sandbox behaves."""

    modes: List[str]
    """The modes that are on."""
    known: List[SandboxIssuerMode]
    """All modes that there are."""


class SandboxIssuerMode(TypedDict):
    """A mode that the issuer can be in."""

    mode: str
    """Its name."""
    summary: str
    """How the issuer behaves while it is on."""


SandboxMoved = TypedDict(
    "SandboxMoved",
    {
        # Where the clock stood before.
        "from": "str",
        # Where it stands now, or stood when the move ended.
        "to": "str",
        # True: the move is under way.
        "advancing": "bool",
        # What happened to you on the way, in order: the last 10,000 entries.
        "happened": "List[Union[StateChangeHappening, EventHappening, DeliveryHappening]]",
        # More happened than `happened` has.
        "truncated": "bool",
        # It ended before it reached its target: it was asked to stop, or `error` says why.
        "stopped": "bool",
        # What ended it before its target. Null: nothing did.
        "error": "Optional[str]",
    },
)
"""What happened while the clock was moved."""


class SandboxPayday(TypedDict):
    """Money that comes into an account once a month."""

    day: int
    """The day of the month."""
    amount: int
    """How much comes, in pence."""
    next: Optional[str]
    """When it comes next. Null: it does not."""


class Schedule(TypedDict):
    """A series of collections from one customer."""

    id: str
    """The schedule’s id."""
    status: Literal["pending_consent", "active", "paused", "cancelled"]
    """`pending_consent`: the customer has not agreed yet. `active`: it collects. `paused`: nothing
    is collected until it is resumed. `cancelled`: it is over for good."""
    amount: Amount
    """What each occurrence collects, as you last asked. While a change waits for the customer,
    collections go by `consented`."""
    frequency: Frequency
    """How often it collects, as you last asked."""
    customer: Customer
    description: str
    """What the payments are for, as the customer reads it."""
    metadata: Optional[Metadata]
    """Your own data. Null: none."""
    start_date: Optional[str]
    """From when on it collects, as you sent it. Null: you sent none."""
    end_date: Optional[str]
    """When it ends; an occurrence at this very moment is still collected. Null: it goes on until it
    is cancelled."""
    max_retries: int
    """How many times a failed payment is retried automatically, at most."""
    reference: str
    """What the customer’s bank statement shows: your reference, or the one made for you, in the
    characters that every bank takes, letters, digits, blanks, `.` and `-`."""
    limits: Limits
    first_payment: Optional[FirstPayment]
    """What is collected once, as soon as the customer has agreed, before the first occurrence.
    Null: nothing."""
    amount_mode: Literal["fixed", "per_occurrence"]
    """`fixed`, the default: every occurrence collects the amount. `per_occurrence`: each collects
    what you set for it, and is skipped where you set nothing; the amount is the most that one
    takes, unless the limits allow more."""
    non_working_day: Literal["same", "next", "previous"]
    """When a collection is due that falls on a weekend or a bank holiday of England and Wales.
    `same`, the default: on that day. `next`: on the working day after it. `previous`: on the one
    before it. A daily schedule takes only `same`."""
    next_payment_date: Optional[str]
    """When it collects next: the first coming occurrence that is not skipped, or an ad-hoc payment
    that is due before it. Before the customer has agreed, the first occurrence if they agree now.
    Retries do not count. Null: nothing is to come."""
    resume_at: Optional[str]
    """When the paused schedule resumes automatically. Null: only when you resume it."""
    created_at: str
    """When it was created."""
    consented: Optional[ConsentedTerms]
    """The terms that the customer agreed to. Collections go by them until the customer agrees to
    others. Null: before the first consent."""
    paying_account: Optional[PayingAccount]
    """The account that the customer pays from, masked. Null: it is not known yet."""
    consent_notice: Optional[ConsentNotice]
    """What prevents collections under the consent, or may prevent them; the most serious, if there
    are several. Null: nothing."""
    warnings: List[ScheduleWarnings]
    """What you should know of terms that are allowed; mostly nothing."""
    consent_url: NotRequired[str]
    """The link on which the customer agrees, to a new schedule, to changed terms or to another
    account. Present while a consent waits for the customer."""
    consent_for: NotRequired[Literal["terms", "another_account"]]
    """What the customer is asked for on `consent_url`. `terms`: what is shown holds once they have
    agreed. `another_account`: it holds already, and they are asked to pay it from another
    account."""
    portal_url: NotRequired[str]
    """The customer’s own page: what was agreed, all payments, and the way to stop them. Present
    once a consent was granted. Whoever has the link can stop the payments."""
    payments_under_way: NotRequired[List[PaymentUnderWay]]
    """Payments that were with the bank when the schedule was paused or cancelled, and may still
    arrive. Present on a single schedule that is paused or cancelled."""


class ScheduleWarnings(TypedDict):
    code: Literal["max_gap"]
    """`max_gap`: more than twelve months lie between two collections, or until the first. Some
    banks end a consent that lies unused for 13 months."""
    message: str
    """The same, for people."""


class ScheduleCancelledData(TypedDict):
    """The data of `schedule.cancelled`."""

    schedule_id: str
    """The schedule."""
    customer_id: str
    """The customer of the schedule."""
    status: Literal["pending_consent", "active", "paused", "cancelled"]
    """The status that the schedule has now."""
    reason: str
    """Why, in words such as `paused by the merchant`, or as a code such as `withdrawn_at_bank`."""
    created_at: str
    """When it happened."""


class ScheduleCancelledEvent(TypedDict):
    """Sent when a schedule is over for good."""

    event: Literal["schedule.cancelled"]
    """The kind of the event."""
    data: ScheduleCancelledData


class ScheduleChange(TypedDict):
    """A change of many schedules at once."""

    id: str
    """The change’s id."""
    status: Literal["preview", "running", "done"]
    """`preview`: nothing was changed yet. `running`: schedules are being changed, one after the
    other. `done`: every line is done, refused or failed."""
    change: ChangeOfSchedules
    total: int
    """How many schedules it is about: the set is fixed when the change is asked for."""
    within_consent: int
    """How many change without a new consent."""
    needs_consent: int
    """How many need a new consent; until then they collect as agreed."""
    awaiting_consent: int
    """How many still wait for the customer’s consent; their link shows the change."""
    unchanged: int
    """How many are already as asked."""
    refused: int
    """How many cannot be changed; their lines say why."""
    done: int
    """How many lines are done: changed, unchanged or refused."""
    failed: int
    """How many lines failed for now. Run the change again for these."""
    amount_before: AmountOrZero
    """What their amounts add up to before, as the list of schedules does; without those that are
    refused."""
    amount_after: AmountOrZero
    """The same once the change has taken effect."""
    created_at: str
    """When it was asked for."""
    started_at: Optional[str]
    """When it was started. Null: it is a preview."""
    finished_at: Optional[str]
    """When its last line ended. Null: it is not done."""


class ScheduleChangeLine(TypedDict):
    """One schedule of a change."""

    schedule_id: str
    """The schedule."""
    description: str
    """What its payments are for."""
    amount_before: AmountOrZero
    """Its amount when the change was asked for."""
    amount_after: AmountOrZero
    """Its amount after the change."""
    effect: Literal["within_consent", "needs_consent", "awaiting_consent", "unchanged", "refused"]
    """`within_consent`: it changes without a new consent. `needs_consent`: the customer has to
    agree again. `awaiting_consent`: the customer has not agreed to the schedule yet. `unchanged`:
    it is already so. `refused`: it cannot be changed."""
    state: Literal["planned", "done", "failed"]
    """`planned`: not carried out yet. `done`: carried out, or nothing to do. `failed`: it can be
    run again."""
    error_code: Optional[str]
    """Why it is refused or failed. `schedule_changed`: the schedule was changed after the change
    was asked for. `effect_changed`: it would now have another effect than was said. The others are
    [error codes](docs/errors). Null: neither."""
    reason: Optional[str]
    """Why it is refused or failed, or why the customer has to agree, in words. Null: neither."""
    link: Optional[Literal["by_email", "by_text", "already", "unreachable", "nothing_waits"]]
    """What came of sending the customer the consent link. Null: nothing was to be sent, or not
    yet."""


ScheduleFilter = TypedDict(
    "ScheduleFilter",
    {
        # Only items that this finds: words of the description, an id or its beginning, an amount in
        # pounds, the bank’s id of a payment, or what finds a customer.
        "q": "NotRequired[str]",
        # Only schedules in this status. `failing`: active, and the latest collection that has ended
        # failed for good.
        "status": "NotRequired[Literal['pending_consent', 'active', 'paused', 'cancelled', 'failing']]",
        # Only failing schedules whose latest collection failed with this code.
        "error_code": "NotRequired[str]",
        # Only schedules of this customer. An unknown id is 404.
        "customer_id": "NotRequired[str]",
        # Only schedules that first became active in this month, such as `2026-03`.
        "started": "NotRequired[str]",
        # Only items with `created_at` at or after this moment. ISO 8601 with an offset or Z.
        "from": "NotRequired[str]",
        # Only items with `created_at` before this moment. ISO 8601 with an offset or Z.
        "to": "NotRequired[str]",
        # Only items with an `amount` of at least this many pence.
        "amount_from": "NotRequired[int]",
        # Only items with an `amount` of at most this many pence.
        "amount_to": "NotRequired[int]",
    },
)


class SchedulePausedData(TypedDict):
    """The data of `schedule.paused`."""

    schedule_id: str
    """The schedule."""
    customer_id: str
    """The customer of the schedule."""
    status: Literal["pending_consent", "active", "paused", "cancelled"]
    """The status that the schedule has now."""
    reason: str
    """Why, in words such as `paused by the merchant`, or as a code such as `withdrawn_at_bank`."""
    created_at: str
    """When it happened."""


class SchedulePausedEvent(TypedDict):
    """Sent when a schedule is paused, and when one cannot resume at `resume_at` because no consent
    is in force."""

    event: Literal["schedule.paused"]
    """The kind of the event."""
    data: SchedulePausedData


class ScheduleResumedData(TypedDict):
    """The data of `schedule.resumed`."""

    schedule_id: str
    """The schedule."""
    customer_id: str
    """The customer of the schedule."""
    status: Literal["pending_consent", "active", "paused", "cancelled"]
    """The status that the schedule has now."""
    reason: str
    """Why, in words such as `paused by the merchant`, or as a code such as `withdrawn_at_bank`."""
    created_at: str
    """When it happened."""


class ScheduleResumedEvent(TypedDict):
    """Sent when a paused schedule collects again."""

    event: Literal["schedule.resumed"]
    """The kind of the event."""
    data: ScheduleResumedData


class ScheduleSetupFailedData(TypedDict):
    """The data of `schedule.setup_failed`."""

    schedule_id: str
    """The schedule."""
    customer_id: str
    """The customer of the schedule."""
    error: Failure
    """Why. `consent_denied`: the customer said no. `consent_expired`: they did not decide in time.
    `consent_rejected`: the bank refused for good. `consent_account_mismatch`: they chose another
    account than the one you named."""
    created_at: str
    """When it happened."""


class ScheduleSetupFailedEvent(TypedDict):
    """Sent when the customer has not agreed. A new schedule is cancelled; of an older one the
    change, or the request for another account, is dropped, and it goes on as it was."""

    event: Literal["schedule.setup_failed"]
    """The kind of the event."""
    data: ScheduleSetupFailedData


class ScheduleSetupSuccessData(TypedDict):
    """The data of `schedule.setup_success`."""

    schedule_id: str
    """The schedule."""
    customer_id: str
    """The customer of the schedule."""
    amount: Amount
    """What each occurrence collects from now on."""
    frequency: Frequency
    first_payment: Optional[FirstPayment]
    """What is collected now, once. Null: nothing, as after every later consent of the schedule."""
    created_at: str
    """When it happened."""


class ScheduleSetupSuccessEvent(TypedDict):
    """Sent when the customer has agreed to a new schedule, to changed terms or to another
    account."""

    event: Literal["schedule.setup_success"]
    """The kind of the event."""
    data: ScheduleSetupSuccessData


class Settlement(TypedDict):
    """The payments of one business day, paid out to you together on the next. A day with more than
    £1,000,000.00 has several."""

    id: str
    """The settlement’s id."""
    status: Literal["pending", "processing", "success", "failed"]
    """`pending`: not ordered yet, or your pay-outs are on hold. `processing`: with the e-money
    issuer. `success`: paid out. `failed`: not paid out, or it came back; its money is in your
    wallet, and goes out with the next settlement or by a retry."""
    amount: Amount
    """What is paid out: `gross` less `refunds`, `fees` and `carried`."""
    gross: AmountOrZero
    """The sum of its payments."""
    refunds: SignedAmount
    """What refunds took since the settlement before; below zero where failed refunds gave back
    more."""
    fees: AmountOrZero
    """The sum of the fees of its payments."""
    carried: AmountOrZero
    """What you owed for recalled payments, netted here."""
    settlement_date: str
    """The business day on which it is paid out, in London."""
    statement_reference: str
    """What stands on your bank statement: the same for every attempt, and of this settlement alone.
    Where the issuer has the pay-out under another one, it is that one. Capitals and digits; that of
    a pay-out of long ago may have small letters."""
    destination_account: DestinationAccount
    attempts: int
    """How many times a pay-out was begun."""
    error: Optional[Failure]
    """Why it failed, such as `invalid_account`, or `payout_returned` where it came back;
    `amount_differs` while the operator clears up what the issuer paid. Null: nothing is wrong."""
    created_at: str
    """When it was opened. Its payments are fixed from then on."""
    completed_at: Optional[str]
    """When it was paid out. Null: it was not."""
    failed_at: Optional[str]
    """When it failed, or came back. Null: it has not."""


class SettlementAccount(TypedDict):
    """The account that settlements are paid to. An owner changes it in the dashboard; an API key
    gets 403 `forbidden`."""

    name: str
    """The account holder’s name."""
    sort_code: str
    """The sort code, 6 digits."""
    account_number: str
    """The account number, 8 digits."""


class SettlementFailedData(TypedDict):
    """The data of `settlement.failed`."""

    settlement_id: str
    """The settlement."""
    amount: Amount
    """What it pays out."""
    statement_reference: str
    """What stands on your bank statement."""
    destination_account: SettlementFailedDataDestinationAccount
    """The account that it is paid to."""
    error: Failure
    """Why it failed, or came back."""
    failed_at: str
    """When it failed, or came back."""


class SettlementFailedDataDestinationAccount(TypedDict):
    """The account that it is paid to."""

    account_number: str
    """The account number, 8 digits."""
    sort_code: str
    """The sort code, 6 digits."""


class SettlementFailedEvent(TypedDict):
    """Sent when a settlement was not paid out, or came back (`payout_returned`). Its money is in
    your wallet."""

    event: Literal["settlement.failed"]
    """The kind of the event."""
    data: SettlementFailedData


class SettlementSuccessData(TypedDict):
    """The data of `settlement.success`."""

    settlement_id: str
    """The settlement."""
    amount: Amount
    """What it pays out."""
    statement_reference: str
    """What stands on your bank statement."""
    destination_account: SettlementSuccessDataDestinationAccount
    """The account that it is paid to."""
    completed_at: str
    """When it was paid out."""


class SettlementSuccessDataDestinationAccount(TypedDict):
    """The account that it is paid to."""

    account_number: str
    """The account number, 8 digits."""
    sort_code: str
    """The sort code, 6 digits."""


class SettlementSuccessEvent(TypedDict):
    """Sent when a settlement was paid out to your bank account."""

    event: Literal["settlement.success"]
    """The kind of the event."""
    data: SettlementSuccessData


class SignedAmount(TypedDict):
    """An amount of money, which may be below zero."""

    value: int
    """A whole number of pence."""
    currency: str
    """ISO 4217: `GBP`, the only currency so far."""


StateChangeHappening = TypedDict(
    "StateChangeHappening",
    {
        # When it happened, in the sandbox’s time.
        "at": "str",
        # What happened.
        "kind": "Literal['state_change']",
        # The id of what changed: a schedule, a payment, a settlement …
        "object_id": "str",
        # The schedule that it belongs to. Null: to none.
        "schedule_id": "Optional[str]",
        # The state before. Null: it is new.
        "from": "Optional[str]",
        # The state after.
        "to": "str",
        # Why it changed.
        "reason": "str",
    },
)
"""Something of yours changed its state."""


class TestWebhookEndpointResponse(TypedDict):
    """A test event."""

    event_id: str
    """The event that was sent."""


class UnexpectedMoney(TypedDict):
    """Money that arrived and that no payment waited for."""

    id: str
    """The id of this money."""
    amount: AmountOrZero
    """How much came."""
    status: Literal["open", "allocated", "accepted_in_part", "returned", "paid_on", "credited"]
    """`open`: the operator has not decided yet. `allocated`: it pays for a payment, whole.
    `accepted_in_part`: it pays for a payment of another amount. `returned`: it went back to whoever
    paid it. `paid_on`: it was paid to you by hand. `credited`: it was added to your balance, and
    goes out with a settlement."""
    reason: Literal[
        "nothing_awaited",
        "another_amount",
        "another_wallet",
        "paid_already",
        "later_attempt",
        "left_over",
        "came_back",
        "not_transferred",
    ]
    """`nothing_awaited`: no payment waits for this amount. `another_amount`: the amount differs
    from that of the payment. `another_wallet`: it came to the wallet of another customer.
    `paid_already`: the payment is paid already. `later_attempt`: it pays for an earlier attempt,
    while a later one is with the bank. `left_over`: it is left over from an amount that was too
    high. `came_back`: it was paid out and came back. `not_transferred`: it could not be transferred
    to your wallet."""
    arrived_at: str
    """When it arrived."""
    ended_at: Optional[str]
    """When the operator decided about it. Null: it is still open."""


class UpdateApiKeyRequest(TypedDict):
    """Changes of an API key. A field that is left out stays as it is."""

    allowed_ips: NotRequired[Optional[List[str]]]
    """The IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, at most 50. Null
    or empty: anywhere."""
    limits: NotRequired[Optional[UpdateApiKeyRequestLimits]]
    """What the key may do on its own, for a key that an agent gets: beyond it, an act waits until a
    member of the team approves it in the dashboard. Null: all that its scopes allow."""


class UpdateApiKeyRequestLimits(TypedDict):
    """What the key may do on its own."""

    per_act_pence: int
    """The most that one act may take, in pence."""
    per_day_pence: int
    """The most that all acts of a London day may take together, in pence. At least
    `per_act_pence`."""


class CustomerChanges(TypedDict):
    """Changes of a customer. A field that is left out stays as it is."""

    name: NotRequired[Optional[str]]
    """The customer’s name. Null clears it."""
    email: NotRequired[Optional[str]]
    """The customer’s email address. Null clears it."""
    reference: NotRequired[Optional[str]]
    """Your own id of the customer. Null clears it."""
    notes: NotRequired[Optional[str]]
    """For your team; never shown to the customer. Null clears them."""


class MerchantChanges(TypedDict):
    """Changes of your details and settings. A field that is left out stays as it is."""

    name: NotRequired[str]
    """The name that customers know."""
    legal_name: NotRequired[str]
    """The name in the register of companies."""
    email: NotRequired[str]
    """The address that customers can write to, and that notices for you go to."""
    website: NotRequired[str]
    """Your website, shown to customers: a URL with https or http."""
    address: NotRequired[str]
    """The business address, shown to customers."""
    terms: NotRequired[str]
    """Your terms and conditions in plain text, shown before the customer agrees."""
    time_zone: NotRequired[str]
    """The time zone in which the dates of your schedules are computed: a name of the tz database
    such as `Europe/London`, or `UTC`."""
    return_url: NotRequired[Optional[str]]
    """Where the customer goes after the decision, with `schedule_id` and `status` in the query: a
    URL with https. Null: a closing page of the portal."""
    reuse_consent: NotRequired[bool]
    """Whether a new schedule is active at once where the same customer has granted a consent that
    covers it too."""
    refunds_wait: NotRequired[bool]
    """Whether a refund waits for the next collections where your wallet has less. Otherwise it is
    refused."""
    colour: NotRequired[Optional[str]]
    """The colour of the buttons that customers see. White text must be legible on it. Null: the
    default colour."""
    settlement_account: NotRequired[SettlementAccount]
    statement_name: NotRequired[Optional[str]]
    """What the references of new schedules on bank statements begin with, where you give none: 1 to
    10 letters and digits, stored in capitals. Null: the first word of your name."""
    logo: NotRequired[Optional[str]]
    """The logo that customers see: a PNG or JPEG of at most 100 KB and 2,000 pixels a side, in
    base64. Null takes it away."""


class UpdateScheduleRequest(TypedDict):
    """Changes of a schedule. A field that is left out stays as it is."""

    amount: NotRequired[Amount]
    """What each occurrence collects."""
    frequency: NotRequired[FrequencyFields]
    description: NotRequired[str]
    """What the payments are for, as the customer reads it."""
    metadata: NotRequired[Optional[Metadata]]
    """Your own data, always sent as a whole. Null: none."""
    start_date: NotRequired[str]
    """When it starts. It can be changed only before the first payment. ISO 8601 with an offset or
    Z."""
    end_date: NotRequired[Optional[str]]
    """When it ends; an occurrence at this very moment is still collected. ISO 8601 with an offset
    or Z. Null: it goes on until it is cancelled."""
    max_retries: NotRequired[int]
    """How many times a failed payment is retried automatically, at most. 3 unless set."""
    reference: NotRequired[Optional[str]]
    """What the customer’s bank statement shows: letters, digits, blanks and the characters `/ - ? :
    ( ) . , + &` and the apostrophe. Null: your statement name and the customer’s `reference`, such
    as `FERNHILL C10400`, or a code in its place or behind it. It can be changed only before the
    customer has agreed: null then leaves it."""
    limits: NotRequired[Optional[LimitsInput]]
    """The most that the schedule may take. Null: what the amount and the frequency need."""
    amount_mode: NotRequired[Literal["fixed", "per_occurrence"]]
    """`fixed`, the default: every occurrence collects the amount. `per_occurrence`: each collects
    what you set for it, and is skipped where you set nothing; the amount is the most that one
    takes, unless the limits allow more."""
    non_working_day: NotRequired[Literal["same", "next", "previous"]]
    """When a collection is due that falls on a weekend or a bank holiday of England and Wales.
    `same`, the default: on that day. `next`: on the working day after it. `previous`: on the one
    before it. A daily schedule takes only `same`."""
    status: NotRequired[Literal["active", "paused", "cancelled"]]
    """`active` resumes a paused schedule, `paused` pauses it, `cancelled` ends it for good. The
    status that it has changes nothing."""
    resume_at: NotRequired[Optional[str]]
    """With `status: "paused"`: when the schedule resumes automatically. ISO 8601 with an offset or
    Z. Null: only when you resume it."""


class WebhookEndpointChanges(TypedDict):
    """Changes of a webhook endpoint. A field that is left out stays as it is."""

    url: NotRequired[str]
    """Where events are sent to: a URL with https, in the sandbox also http to localhost. Redirects
    are not followed."""
    description: NotRequired[str]
    """What it is for, in your own words."""
    event_kinds: NotRequired[
        List[
            Literal[
                "schedule.setup_success",
                "schedule.setup_failed",
                "collection.success",
                "collection.failed",
                "settlement.success",
                "settlement.failed",
                "collection.skipped",
                "collection.returned",
                "refund.success",
                "refund.failed",
                "dispute.opened",
                "dispute.closed",
                "dispute.reopened",
                "schedule.cancelled",
                "schedule.paused",
                "schedule.resumed",
                "consent.revoked",
                "consent.reauthentication_needed",
                "merchant.settlement_account_changed",
                "payment.unexpected_money",
            ]
        ]
    ]
    """The kinds of events that the endpoint gets. Unless you name them, it gets six: `success` and
    `failed` of `schedule.setup_…`, `collection.…` and `settlement.…`. Add `schedule.cancelled` and
    `consent.revoked`, or you are not told when a customer withdraws."""
    status: NotRequired[Literal["enabled", "disabled"]]
    """`enabled`: events are sent. `disabled`: they are held back until they are replayed."""


class UserIdCustomer(TypedDict):
    """The customer is identified by the id of a customer that you have."""

    id: str
    """The customer’s id."""
    name: NotRequired[str]
    """The customer’s name."""
    email: NotRequired[str]
    """The customer’s email address."""
    reference: NotRequired[str]
    """Your own id of the customer."""
    type: Literal["user_id"]
    """The customer is identified by the id of a customer that you have."""
    value: str
    """The id of a customer of yours."""


class UserIdCustomerDetails(TypedDict):
    """The customer is identified by the id of a customer that you have."""

    id: str
    """The customer’s id."""
    name: Optional[str]
    """The customer’s name. Null: not known."""
    email: Optional[str]
    """The customer’s email address. Null: not known."""
    reference: Optional[str]
    """Your own id of the customer. Null: there is none."""
    notes: Optional[str]
    """For your team; never shown to the customer. Null: there are none."""
    bank: Optional[CustomerBank]
    """The bank of the latest granted consent. Null: there was none."""
    paying_account: Optional[PayingAccount]
    """The account of the latest granted consent, masked. Null: it is not known yet."""
    created_at: str
    """When the customer was created."""
    type: Literal["user_id"]
    """The customer is identified by the id of a customer that you have."""
    value: str
    """The id of a customer of yours."""


class UserIdCustomerInput(TypedDict):
    """The customer is identified by the id of a customer that you have."""

    name: NotRequired[Optional[str]]
    """The customer’s name. Null clears it."""
    email: NotRequired[Optional[str]]
    """The customer’s email address. Null clears it."""
    reference: NotRequired[Optional[str]]
    """Your own id of the customer. Null clears it."""
    type: Literal["user_id"]
    """The customer is identified by the id of a customer that you have."""
    value: str
    """The id of a customer of yours."""


class WaitsForOperator(TypedDict):
    """Why a payment cannot end on its own."""

    reason: Literal[
        "no_outcome",
        "credited_without_money",
        "wrong_amount",
        "not_transferred",
        "not_sent",
    ]
    """`no_outcome`: the bank has said nothing final for a day. `credited_without_money`: the bank
    says that it has paid, and no money has come for two hours. `wrong_amount`: money of another
    amount has come. `not_transferred`: its money has come, and is not in your wallet after two
    hours. `not_sent`: nothing was sent for a week."""
    since: str
    """Since when."""


class Wallet(TypedDict):
    """An e-money wallet: your own, to which every payment is transferred, or the one in which the
    payments of a customer arrive."""

    id: str
    """The wallet’s id."""
    customer_id: Optional[str]
    """The customer whose payments arrive in it. Null: it is your own wallet."""
    status: Literal["planned", "reserved", "open", "closing", "closed"]
    """`planned`: not yet at the e-money issuer. `reserved`: its account is known, and it takes no
    money yet. `open`: it takes money. `closing`: nobody needs it, and the issuer is to close it.
    `closed`: it is closed."""
    balance: AmountOrZero
    """What is in it now."""


class WebhookEndpoint(TypedDict):
    """An address of yours that gets events."""

    id: str
    """The endpoint’s id."""
    url: str
    """Where events are sent to."""
    description: str
    """What it is for, in your own words; empty if you said nothing."""
    event_kinds: List[str]
    """The kinds of events that it gets."""
    status: Literal["enabled", "disabled"]
    """`enabled`: events are sent. `disabled`: they are held back until they are replayed."""
    held: int
    """How many deliveries were held back while it was disabled. A replay sends them."""
    undelivered: int
    """How many deliveries have failed at least once, and were not acknowledged since."""
    next_secret_activates_at: Optional[str]
    """When the new secret is activated automatically. Null: there is no new secret."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class WebhookEndpointWithSecret(TypedDict):
    """An endpoint, with its new secret."""

    id: str
    """The endpoint’s id."""
    url: str
    """Where events are sent to."""
    description: str
    """What it is for, in your own words; empty if you said nothing."""
    event_kinds: List[str]
    """The kinds of events that it gets."""
    status: Literal["enabled", "disabled"]
    """`enabled`: events are sent. `disabled`: they are held back until they are replayed."""
    held: int
    """How many deliveries were held back while it was disabled. A replay sends them."""
    undelivered: int
    """How many deliveries have failed at least once, and were not acknowledged since."""
    next_secret_activates_at: Optional[str]
    """When the new secret is activated automatically. Null: there is no new secret."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str
    """The new secret that signs its webhooks. Only this response has it."""


class WeeklyFrequency(TypedDict):
    """Every week, or every so many."""

    type: Literal["weekly"]
    """The unit that `interval` counts."""
    day: int
    """The day of the week, 1 (Monday) to 7."""
    interval: int
    """How many units from one collection to the next: 2 with `weekly` is every second week."""


class WeeklyFrequencyInput(TypedDict):
    """Every week, or every so many."""

    type: Literal["weekly"]
    """The unit that `interval` counts."""
    day: NotRequired[int]
    """The day of the week, 1 (Monday) to 7. Default: that of `start_date`, else today’s."""
    interval: NotRequired[int]
    """How many units from one collection to the next: 2 with `weekly` is every second week.
    Default: 1."""


class YearlyFrequency(TypedDict):
    """Every year, or every so many."""

    type: Literal["yearly"]
    """The unit that `interval` counts."""
    day: int
    """The day of the month; in a month without that day, the last one."""
    interval: int
    """How many units from one collection to the next: 2 with `weekly` is every second week."""


class YearlyFrequencyInput(TypedDict):
    """Every year, or every so many."""

    type: Literal["yearly"]
    """The unit that `interval` counts."""
    day: NotRequired[int]
    """The day of the month; in a month without that day, the last one. Default: that of
    `start_date`, else today’s."""
    interval: NotRequired[int]
    """How many units from one collection to the next: 2 with `weekly` is every second week.
    Default: 1."""


Customer = Union[PhoneCustomer, BankAccountCustomer, UserIdCustomer]
"""Who pays: as you identified them, and what is known of their name, email address and
reference."""


CustomerDetails = Union[PhoneCustomerDetails, BankAccountCustomerDetails, UserIdCustomerDetails]
"""A customer: how you identified them, what you know of them, and where they pay from."""


CustomerFields = Union[PhoneCustomerInput, BankAccountCustomerInput, UserIdCustomerInput]
"""Who pays, identified in one of three ways. A customer that you have already is found, and a new
one is created; a `user_id` must be that of a customer you have, the `customer.id` of a schedule.
`{"phone": "+44…"}` is accepted as a shorthand of the first. A name, email address or reference that
is sent replaces the one that the customer has; what is left out stays."""


ErrorCode = Literal[
    "invalid_request",
    "unauthorized",
    "forbidden",
    "second_factor_required",
    "proof_required",
    "sso_required",
    "address_not_allowed",
    "key_limit_exceeded",
    "not_found",
    "customer_not_found",
    "method_not_allowed",
    "consent_required",
    "consent_decided",
    "schedule_cancelled",
    "schedule_paused",
    "schedule_ended",
    "merchant_suspended",
    "idempotency_conflict",
    "request_in_progress",
    "payment_not_retryable",
    "limit_exceeded",
    "occurrence_passed",
    "payment_not_refundable",
    "refund_exceeds_payment",
    "payment_not_disputable",
    "payment_disputed",
    "dispute_ended",
    "dispute_not_yours",
    "dispute_refund_waits",
    "insufficient_balance",
    "settlement_not_retryable",
    "endpoint_not_enabled",
    "too_many_endpoints",
    "no_pending_secret",
    "clock_busy",
    "last_owner",
    "operation_refused",
    "customer_without_email",
    "reminded_already",
    "customer_in_use",
    "customer_erased",
    "act_outdated",
    "act_over",
    "act_done_already",
    "cursor_gone",
    "payload_too_large",
    "unsupported_media_type",
    "headers_too_large",
    "rate_limit_exceeded",
    "internal_error",
    "service_unavailable",
]
"""Those of today."""


EventKind = Literal[
    "schedule.setup_success",
    "schedule.setup_failed",
    "collection.success",
    "collection.failed",
    "settlement.success",
    "settlement.failed",
    "collection.skipped",
    "collection.returned",
    "refund.success",
    "refund.failed",
    "dispute.opened",
    "dispute.closed",
    "dispute.reopened",
    "schedule.cancelled",
    "schedule.paused",
    "schedule.resumed",
    "consent.revoked",
    "consent.reauthentication_needed",
    "merchant.settlement_account_changed",
    "payment.unexpected_money",
    "endpoint.test",
]
"""Those of today."""


FailureCode = Literal[
    "insufficient_funds",
    "account_closed",
    "invalid_account",
    "blocked",
    "bank_limit",
    "limit_exceeded",
    "reauthentication_required",
    "creditor_account_unavailable",
    "duplicate",
    "technical",
    "rejected",
    "schedule_paused",
    "schedule_cancelled",
    "paid_by_hand",
    "consent_denied",
    "consent_rejected",
    "consent_account_mismatch",
    "consent_expired",
    "consent_revoked",
    "insufficient_balance",
    "payer_unknown",
    "payment_returned",
    "dispute_closed",
    "refund_returned",
    "payout_returned",
    "amount_differs",
    "given_up",
]
"""Those of today."""


Frequency = Union[
    DailyFrequency,
    WeeklyFrequency,
    MonthlyFrequency,
    QuarterlyFrequency,
    YearlyFrequency,
]
"""How often payments are collected."""


FrequencyFields = Union[
    DailyFrequencyInput,
    WeeklyFrequencyInput,
    MonthlyFrequencyInput,
    QuarterlyFrequencyInput,
    YearlyFrequencyInput,
]
"""How often payments are collected. The type alone, such as `"monthly"`, is accepted too. Without
`start_date` the first collection comes on the next such day, so within a month for quarterly and
yearly schedules too; to begin in another month, give one. A day that a month lacks falls on its
last day, and the next month uses your day again. The time of day stays through changes of the
clocks."""


Metadata = Dict[str, Any]
"""Names and values of your own, at most 16,384 characters of JSON. Deeper nesting than the schema
shows is stored too."""


MetadataScalar = Optional[Union[str, float, bool]]


OccurrenceChange = Union[OccurrenceChangeAmount, OccurrenceChangeSkip]
"""What the occurrence collects, or that it is skipped."""


WebhookEvent = Union[
    CollectionFailedEvent,
    CollectionReturnedEvent,
    CollectionSkippedEvent,
    CollectionSuccessEvent,
    ConsentReauthenticationNeededEvent,
    ConsentRevokedEvent,
    DisputeClosedEvent,
    DisputeOpenedEvent,
    DisputeReopenedEvent,
    EndpointTestEvent,
    MerchantSettlementAccountChangedEvent,
    PaymentUnexpectedMoneyEvent,
    RefundFailedEvent,
    RefundSuccessEvent,
    ScheduleCancelledEvent,
    SchedulePausedEvent,
    ScheduleResumedEvent,
    ScheduleSetupFailedEvent,
    ScheduleSetupSuccessEvent,
    SettlementFailedEvent,
    SettlementSuccessEvent,
]
"""The body of a webhook."""


class Schedules:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: CreateScheduleRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Schedule:
        """Create a schedule. The response has the `consent_url` to give to the customer; nothing is
        collected until they have agreed there. With your setting `reuse_consent` it is `active` at
        once where an earlier consent of the customer covers it. Refused while the operator has you
        suspended, and for a `user_id` that is no customer of yours. A key needs the scope
        `schedules`."""
        return self._transport.send(
            "POST",
            "/api/v1/schedules",
            body=body,
            idempotency_key=idempotency_key,
        )

    def import_(
        self,
        body: ImportSchedulesRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Import:
        """Import schedules from a CSV file. Creates a schedule for each line that is valid and was
        not imported before; the others are listed with what is wrong. Send a long file in pieces,
        each with the heading. A file may be sent again: it creates only what is missing. Refused
        while the operator has you suspended, unless it is a check. A key needs the scope
        `schedules`."""
        return self._transport.send(
            "POST",
            "/api/v1/schedules/import",
            body=body,
            idempotency_key=idempotency_key,
        )

    def get(self, id: str) -> Schedule:
        """Get a schedule. As it is now. Of one that is paused or cancelled it lists the payments
        that may still arrive. A key needs the scope `schedules`."""
        return self._transport.send("GET", f"/api/v1/schedules/{segment(id)}")

    def update(
        self,
        id: str,
        body: UpdateScheduleRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Schedule:
        """Update a schedule. Changes only the fields sent. A change beyond what the customer agreed
        to waits for a new consent: the response has its `consent_url`, and collections go by
        `consented` until then. `status` pauses, resumes or cancels: a pause or a cancellation ends
        payments that wait, and sends nothing more; `payments_under_way` lists what may still
        arrive. A resume is refused without a consent in force, any change of a cancelled schedule,
        and a change of terms while a consent is being set up at the bank. A key needs the scope
        `schedules`."""
        return self._transport.send(
            "PUT",
            f"/api/v1/schedules/{segment(id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def request_another_account(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Schedule:
        """Ask the customer for another account. Makes a new link for the terms that you asked for
        last: for a customer who has changed banks, or has lost the link. The response has its
        `consent_url`, and a link before it stops working. A consent in force stays in force until
        the customer has agreed at the new link, and is deleted at its bank then; if they do not
        agree, the schedule goes on as it was. What waits then is collected from the new account, if
        its limits have room for it. Refused for a schedule that is cancelled (`schedule_cancelled`)
        or has nothing more to collect (`schedule_ended`), and while a consent is being set up at
        the bank (`request_in_progress`). A key needs the scope `schedules`."""
        return self._transport.send(
            "POST",
            f"/api/v1/schedules/{segment(id)}/consent",
            idempotency_key=idempotency_key,
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        q: Optional[str] = None,
        status: Optional[
            Literal["pending_consent", "active", "paused", "cancelled", "failing"]
        ] = None,
        error_code: Optional[str] = None,
        customer_id: Optional[str] = None,
        started: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        amount_from: Optional[int] = None,
        amount_to: Optional[int] = None,
        sum: Optional[bool] = None,
        sort: Optional[Literal["-created_at", "created_at", "description", "-description"]] = None,
    ) -> Page[Schedule]:
        """List schedules. The newest first, unless sorted otherwise. All filters together decide.
        Of a schedule whose change waits for the customer, `amount_from`, `amount_to` and
        `total_amount` take the `amount` that was asked for, as each item shows it. A key needs the
        scope `schedules`."""
        return self._transport.list(
            "/api/v1/schedules",
            {
                "limit": limit,
                "offset": offset,
                "after": after,
                "q": q,
                "status": status,
                "error_code": error_code,
                "customer_id": customer_id,
                "started": started,
                "from": from_,
                "to": to,
                "amount_from": amount_from,
                "amount_to": amount_to,
                "sum": sum,
                "sort": sort,
            },
        )

    def list_by_customer(
        self,
        customer_id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[Schedule]:
        """List the schedules of a customer. The newest first, in every status. A key needs the
        scope `schedules`."""
        return self._transport.list(
            f"/api/v1/customers/{segment(customer_id)}/schedules",
            {"limit": limit, "offset": offset, "after": after},
        )

    def payments(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[Payment]:
        """List the payments of a schedule. The newest first: those of its occurrences, and ad-hoc
        payments. A key needs the scope `payments`."""
        return self._transport.list(
            f"/api/v1/schedules/{segment(id)}/payments",
            {"limit": limit, "offset": offset, "after": after},
        )

    def collect(
        self,
        id: str,
        body: NewPayment,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Payment:
        """Collect once. Makes one payment besides the occurrences of the schedule, now or at
        `due_date`, within the limits that the customer agreed to. Where the limits have no room for
        it beside the coming occurrences of the period, it is refused: `details` has `available`, in
        pence, and `available_from`, when there is room. Refused too before the customer has agreed,
        for a schedule that is paused or cancelled, and while the operator has you suspended. A key
        needs the scope `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/schedules/{segment(id)}/payments",
            body=body,
            idempotency_key=idempotency_key,
        )

    def upcoming(self, id: str, *, limit: Optional[int] = None) -> ListUpcomingResponse:
        """List the coming occurrences of a schedule. When each is due under the present terms, and
        what it collects. A cancelled schedule has none. A key needs the scope `schedules`."""
        return self._transport.send(
            "GET",
            f"/api/v1/schedules/{segment(id)}/upcoming",
            query={"limit": limit},
        )

    def change_upcoming(
        self,
        id: str,
        due_date: str,
        body: OccurrenceChange,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Occurrence:
        """Set the amount of a coming occurrence, or skip it. It replaces what was set before.
        Refused once the occurrence has fallen due, and for an amount for which the customer’s
        limits have no room beside the other occurrences of the period: then `details.available`
        says how many pence they have. A key needs the scope `schedules`."""
        return self._transport.send(
            "PUT",
            f"/api/v1/schedules/{segment(id)}/upcoming/{segment(due_date)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def restore_upcoming(self, id: str, due_date: str) -> Occurrence:
        """Undo what was set for a coming occurrence. It collects the usual amount again; with
        `amount_mode: "per_occurrence"` none is set then. Refused once the occurrence has fallen
        due. A key needs the scope `schedules`."""
        return self._transport.send(
            "DELETE",
            f"/api/v1/schedules/{segment(id)}/upcoming/{segment(due_date)}",
        )


class ManySchedules:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        body: CreateScheduleChangeRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> ScheduleChange:
        """Change many schedules. Changes up to 5000 schedules, named by id or by the filter of the
        list: their amount (the same for all, or by per cent), limits or status. Each changes as
        with an update of it alone, once; the response says how many do so without a new consent.
        With `preview` nothing changes yet: run the change by its id. A schedule that anybody
        changes in between is refused and keeps its terms. One change of yours runs at a time. A
        change is kept for 90 days. A key needs the scope `schedules`."""
        return self._transport.send(
            "POST",
            "/api/v1/schedule_changes",
            body=body,
            idempotency_key=idempotency_key,
        )

    def run(self, id: str, *, idempotency_key: Optional[str] = None) -> ScheduleChange:
        """Run a change of many schedules. Starts a change that was asked for as a preview, or runs
        its failed lines again. Of a change that runs, or has nothing left to do, it changes
        nothing. A key needs the scope `schedules`."""
        return self._transport.send(
            "POST",
            f"/api/v1/schedule_changes/{segment(id)}/run",
            idempotency_key=idempotency_key,
        )

    def get(self, id: str) -> ScheduleChange:
        """Get a change of many schedules. How far it is, and how many schedules have which effect.
        A key needs the scope `schedules`."""
        return self._transport.send("GET", f"/api/v1/schedule_changes/{segment(id)}")

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[ScheduleChange]:
        """List changes of many schedules. The newest first, of the last 90 days. A key needs the
        scope `schedules`."""
        return self._transport.list(
            "/api/v1/schedule_changes",
            {"limit": limit, "offset": offset, "after": after},
        )

    def lines(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        effect: Optional[
            Literal["within_consent", "needs_consent", "awaiting_consent", "unchanged", "refused"]
        ] = None,
        state: Optional[Literal["planned", "done", "failed"]] = None,
    ) -> Page[ScheduleChangeLine]:
        """List the schedules of a change. In the order in which they are changed, each with what
        becomes of it. A key needs the scope `schedules`."""
        return self._transport.list(
            f"/api/v1/schedule_changes/{segment(id)}/lines",
            {"limit": limit, "offset": offset, "after": after, "effect": effect, "state": state},
        )


class Customers:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        q: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        sort: Optional[Literal["-created_at", "created_at"]] = None,
    ) -> Page[CustomerDetails]:
        """List customers. The newest first, unless sorted otherwise. A search finds the newest
        10,000 at most, and `total` counts these. A key needs the scope `customers`."""
        return self._transport.list(
            "/api/v1/customers",
            {
                "limit": limit,
                "offset": offset,
                "after": after,
                "q": q,
                "from": from_,
                "to": to,
                "sort": sort,
            },
        )

    def get(self, id: str) -> CustomerDetails:
        """Get a customer. What you know of them, and the bank and account that they pay from,
        masked. A key needs the scope `customers`."""
        return self._transport.send("GET", f"/api/v1/customers/{segment(id)}")

    def update(
        self,
        id: str,
        body: CustomerChanges,
        *,
        idempotency_key: Optional[str] = None,
    ) -> CustomerDetails:
        """Update a customer. Changes only the fields sent. The phone number and the account that
        identify a customer cannot be changed. Refused for a customer who was erased. A key needs
        the scope `customers`."""
        return self._transport.send(
            "PUT",
            f"/api/v1/customers/{segment(id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def erase(
        self,
        id: str,
        body: CustomerErasure,
        *,
        idempotency_key: Optional[str] = None,
    ) -> ErasedCustomer:
        """Erase a customer’s personal data. Cannot be undone. Payments, refunds and settlements
        stay, under an id that names nobody; the same phone number or account creates a new customer
        from then on. Refused while something is under way, such as a schedule that is not cancelled
        or money that is not settled: `details` counts what it is. The API key must have been made
        by an owner or by the operator. A key needs the scope `customers`."""
        return self._transport.send(
            "POST",
            f"/api/v1/customers/{segment(id)}/erase",
            body=body,
            idempotency_key=idempotency_key,
        )

    def export(self, id: str, *, reason: str) -> CustomerExport:
        """Export what is held of a customer. For a person who asks what is held of them. It is
        recorded in the activity. The API key must have been made by an owner or by the operator. A
        key needs the scope `customers`."""
        return self._transport.send(
            "GET",
            f"/api/v1/customers/{segment(id)}/export",
            query={"reason": reason},
        )


class Payments:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, id: str) -> Payment:
        """Get a payment. With every attempt, and what the bank said of each. A key needs the scope
        `payments`."""
        return self._transport.send("GET", f"/api/v1/payments/{segment(id)}")

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        sum: Optional[bool] = None,
        q: Optional[str] = None,
        status: Optional[Literal["pending", "processing", "success", "failed"]] = None,
        error_code: Optional[str] = None,
        bank_id: Optional[str] = None,
        schedule_id: Optional[str] = None,
        customer_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        amount_from: Optional[int] = None,
        amount_to: Optional[int] = None,
        sort: Optional[Literal["-created_at", "created_at", "-due_date", "due_date"]] = None,
    ) -> Page[Payment]:
        """List payments. The newest first, unless sorted otherwise. Payments of a status or with an
        error code are found soonest when sorted by `due_date`. A key needs the scope `payments`."""
        return self._transport.list(
            "/api/v1/payments",
            {
                "limit": limit,
                "offset": offset,
                "after": after,
                "sum": sum,
                "q": q,
                "status": status,
                "error_code": error_code,
                "bank_id": bank_id,
                "schedule_id": schedule_id,
                "customer_id": customer_id,
                "from": from_,
                "to": to,
                "amount_from": amount_from,
                "amount_to": amount_to,
                "sort": sort,
            },
        )

    def retry(self, id: str, *, idempotency_key: Optional[str] = None) -> Payment:
        """Retry a failed payment by hand. It is tried at once, or on its due date where that is
        still to come. It does not count against `max_retries`, and no automatic retry follows it.
        Refused (`payment_not_retryable`) unless the payment has failed, its consent is in force and
        its schedule is not cancelled; while an earlier order may still be open at the bank; and
        while money that may belong to it has come. Refused (`limit_exceeded`) where the limits have
        no room for it: `details` has `available`, in pence, and `available_from`. A key needs the
        scope `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/payments/{segment(id)}/retry",
            idempotency_key=idempotency_key,
        )

    def refund(
        self,
        id: str,
        body: Optional[NewRefund] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Refund:
        """Refund a payment. Whole or in part, to the account that paid. It is taken from your
        wallet, and from your next settlement. Refused unless the payment has succeeded, and for
        more than is left of it after other refunds and recalls. Where your wallet has less, it is
        refused with `insufficient_balance`; with your setting `refunds_wait` it waits for the next
        collections instead, up to 30 days. Repeat it with the same `Idempotency-Key`: another
        request is another refund. A key needs the scope `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/payments/{segment(id)}/refunds",
            body=body,
            idempotency_key=idempotency_key,
        )

    def refunds(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[Refund]:
        """List the refunds of a payment. The newest first, failed ones included. A key needs the
        scope `payments`."""
        return self._transport.list(
            f"/api/v1/payments/{segment(id)}/refunds",
            {"limit": limit, "offset": offset, "after": after},
        )

    def dispute(
        self,
        id: str,
        body: NewDispute,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Dispute:
        """Dispute a payment. For a customer who does not recognise a payment, or does not agree
        with it. It has to be answered by its `deadline`: the end of the next business day where
        they did not authorise it, else of the fifteenth. Refused unless the payment has succeeded
        and has something left to give back, and while another dispute of it is open or has given
        money back. The customer can raise one on their own page too. A key needs the scope
        `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/payments/{segment(id)}/disputes",
            body=body,
            idempotency_key=idempotency_key,
        )


class Refunds:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, id: str) -> Refund:
        """Get a refund. As it stands: a refund that has succeeded can still come back. A key needs
        the scope `payments`."""
        return self._transport.send("GET", f"/api/v1/refunds/{segment(id)}")

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        sum: Optional[bool] = None,
        status: Optional[Literal["pending", "processing", "success", "failed"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        amount_from: Optional[int] = None,
        amount_to: Optional[int] = None,
        sort: Optional[Literal["-created_at", "created_at"]] = None,
    ) -> Page[Refund]:
        """List refunds. Those of all payments, the newest first, unless sorted otherwise. A key
        needs the scope `payments`."""
        return self._transport.list(
            "/api/v1/refunds",
            {
                "limit": limit,
                "offset": offset,
                "after": after,
                "sum": sum,
                "status": status,
                "from": from_,
                "to": to,
                "amount_from": amount_from,
                "amount_to": amount_to,
                "sort": sort,
            },
        )


class Disputes:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, id: str) -> Dispute:
        """Get a dispute. As it stands: a refunded one is open again if its refund fails or comes
        back. A key needs the scope `payments`."""
        return self._transport.send("GET", f"/api/v1/disputes/{segment(id)}")

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        sum: Optional[bool] = None,
        status: Optional[Literal["open", "refunded", "returned", "rejected", "withdrawn"]] = None,
        reason: Optional[
            Literal[
                "unauthorised",
                "after_withdrawal",
                "wrong_amount",
                "duplicate",
                "not_received",
                "other",
            ]
        ] = None,
        payment_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        amount_from: Optional[int] = None,
        amount_to: Optional[int] = None,
        sort: Optional[Literal["-created_at", "created_at"]] = None,
    ) -> Page[Dispute]:
        """List disputes. Those of all payments, the newest first, unless sorted otherwise. A key
        needs the scope `payments`."""
        return self._transport.list(
            "/api/v1/disputes",
            {
                "limit": limit,
                "offset": offset,
                "after": after,
                "sum": sum,
                "status": status,
                "reason": reason,
                "payment_id": payment_id,
                "from": from_,
                "to": to,
                "amount_from": amount_from,
                "amount_to": amount_to,
                "sort": sort,
            },
        )

    def file(self, id: str) -> CaseFile:
        """Get the case file of a dispute. The terms as shown, the consent at the bank, each order
        and answer, what the banks say now with their signatures, what was notified, money and
        ledger, withdrawals, as JSON and PDF, signed. Each call makes it from what is on record, out
        of the archive too; who took it is in the audit trail. It names the customer and the account
        that paid: a key needs the scope `customers` too, and a maker who may refund payments. A key
        needs the scope `payments`."""
        return self._transport.send("GET", f"/api/v1/disputes/{segment(id)}/file")

    def refund(
        self,
        id: str,
        body: Optional[DisputeRefund] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Dispute:
        """Refund a dispute. Gives back what it asks for, or less, and ends it, in one act. It is a
        refund as any other: to the account that paid, out of your wallet. Where that has less, the
        refund waits for the next collections, up to 30 days, whatever your setting `refunds_wait`:
        meanwhile the dispute is open, and `refund_id` names the refund. What was refunded or taken
        back by the customer’s bank since it was opened is not paid again: where nothing is left, it
        ends without a refund. Repeat it with the same `Idempotency-Key`. A key needs the scope
        `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/disputes/{segment(id)}/refund",
            body=body,
            idempotency_key=idempotency_key,
        )

    def reject(
        self,
        id: str,
        body: DisputeRejection,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Dispute:
        """Reject a dispute. Ends it without money, and stops a refund of it that waits. The
        customer is sent your answer. A key needs the scope `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/disputes/{segment(id)}/reject",
            body=body,
            idempotency_key=idempotency_key,
        )

    def withdraw(self, id: str, *, idempotency_key: Optional[str] = None) -> Dispute:
        """Withdraw a dispute. For one that you raised by mistake. Ends it without money, and stops
        a refund of it that waits. One that the customer raised is 409 `dispute_not_yours`: they
        take it back on their page, or you reject it with an answer. A key needs the scope
        `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/disputes/{segment(id)}/withdraw",
            idempotency_key=idempotency_key,
        )


class Settlements:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        sum: Optional[bool] = None,
        status: Optional[Literal["pending", "processing", "success", "failed"]] = None,
        q: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        amount_from: Optional[int] = None,
        amount_to: Optional[int] = None,
        sort: Optional[Literal["-created_at", "created_at"]] = None,
    ) -> Page[Settlement]:
        """List settlements. One for each business day on which something is paid out, the newest
        first, unless sorted otherwise. A key needs the scope `settlements`."""
        return self._transport.list(
            "/api/v1/settlements",
            {
                "limit": limit,
                "offset": offset,
                "after": after,
                "sum": sum,
                "status": status,
                "q": q,
                "from": from_,
                "to": to,
                "amount_from": amount_from,
                "amount_to": amount_to,
                "sort": sort,
            },
        )

    def get(self, id: str) -> Settlement:
        """Get a settlement. As it stands: a settlement that has succeeded can still come back. A
        key needs the scope `settlements`."""
        return self._transport.send("GET", f"/api/v1/settlements/{segment(id)}")

    def payments(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[Payment]:
        """List the payments of a settlement. Their amounts add up to the `gross` of the settlement,
        and their fees to its `fees`. A key needs the scope `settlements`."""
        return self._transport.list(
            f"/api/v1/settlements/{segment(id)}/payments",
            {"limit": limit, "offset": offset, "after": after},
        )

    def retry(self, id: str, *, idempotency_key: Optional[str] = None) -> Settlement:
        """Pay a failed settlement out again at once. To the settlement account that is in force
        now. Without it the money goes out with the next business day’s settlement. Refused unless
        the settlement has failed; once its money has gone out with a later one; and where refunds
        or recalled payments have taken a part of it. A key needs the scope `payments`."""
        return self._transport.send(
            "POST",
            f"/api/v1/settlements/{segment(id)}/retry",
            idempotency_key=idempotency_key,
        )


class Wallets:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[Wallet]:
        """List wallets and what is in them. Your own wallet first, then those of your customers,
        the newest first. A key needs the scope `settlements`."""
        return self._transport.list(
            "/api/v1/wallets",
            {"limit": limit, "offset": offset, "after": after},
        )


class Banks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> BankList:
        """List the banks and how they answer. The banks that customers can choose. While a bank is
        down or stopped, payments there wait, and nothing is lost. A key needs the scope
        `schedules`."""
        return self._transport.send("GET", "/api/v1/banks")


class WebhookEndpoints:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[WebhookEndpoint]:
        """List the webhook endpoints. The newest first, with how much each has not received.
        Deleted ones are not listed. A key needs the scope `webhooks`."""
        return self._transport.list(
            "/api/v1/webhook_endpoints",
            {"limit": limit, "offset": offset, "after": after},
        )

    def get(self, id: str) -> WebhookEndpoint:
        """Get a webhook endpoint. With how much it has not received. Its secret is not shown. A key
        needs the scope `webhooks`."""
        return self._transport.send("GET", f"/api/v1/webhook_endpoints/{segment(id)}")

    def create(
        self,
        body: NewWebhookEndpoint,
        *,
        idempotency_key: Optional[str] = None,
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint. It is enabled at once. Only this response has the secret that
        signs its webhooks. You can have 20. A key needs the scope `webhooks`."""
        return self._transport.send(
            "POST",
            "/api/v1/webhook_endpoints",
            body=body,
            idempotency_key=idempotency_key,
        )

    def update(
        self,
        id: str,
        body: WebhookEndpointChanges,
        *,
        idempotency_key: Optional[str] = None,
    ) -> WebhookEndpoint:
        """Update a webhook endpoint. Changes only the fields sent. Events that occur while it is
        disabled are held. Enabling takes up the retries that were waiting, and sends nothing else
        on its own: `held` says how many are held, and a replay sends them. A key needs the scope
        `webhooks`."""
        return self._transport.send(
            "PUT",
            f"/api/v1/webhook_endpoints/{segment(id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def delete(self, id: str) -> DeleteWebhookEndpointResponse:
        """Delete a webhook endpoint. Deliveries that wait for it have failed. The events remain. A
        key needs the scope `webhooks`."""
        return self._transport.send("DELETE", f"/api/v1/webhook_endpoints/{segment(id)}")

    def rotate(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> WebhookEndpointWithSecret:
        """Make a new secret for a webhook endpoint. Only this response has the new secret. The old
        one goes on signing until you activate the new one, for at most 24 hours; meanwhile
        `webhook-signature` carries both signatures. A key needs the scope `webhooks`."""
        return self._transport.send(
            "POST",
            f"/api/v1/webhook_endpoints/{segment(id)}/rotate",
            idempotency_key=idempotency_key,
        )

    def activate(self, id: str, *, idempotency_key: Optional[str] = None) -> WebhookEndpoint:
        """Activate the new secret of a webhook endpoint. It signs from now on, and the old one no
        more. Refused where no new secret waits. A key needs the scope `webhooks`."""
        return self._transport.send(
            "POST",
            f"/api/v1/webhook_endpoints/{segment(id)}/activate",
            idempotency_key=idempotency_key,
        )

    def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> TestWebhookEndpointResponse:
        """Send a test event to this webhook endpoint. It gets an `endpoint.test` event, which no
        other endpoint gets. The event shows what came of it. Refused while the endpoint is
        disabled. A key needs the scope `webhooks`."""
        return self._transport.send(
            "POST",
            f"/api/v1/webhook_endpoints/{segment(id)}/test",
            idempotency_key=idempotency_key,
        )


class Events:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        delivery: Optional[Literal["undelivered"]] = None,
        kind: Optional[
            Literal[
                "schedule.setup_success",
                "schedule.setup_failed",
                "collection.success",
                "collection.failed",
                "settlement.success",
                "settlement.failed",
                "collection.skipped",
                "collection.returned",
                "refund.success",
                "refund.failed",
                "dispute.opened",
                "dispute.closed",
                "dispute.reopened",
                "schedule.cancelled",
                "schedule.paused",
                "schedule.resumed",
                "consent.revoked",
                "consent.reauthentication_needed",
                "merchant.settlement_account_changed",
                "payment.unexpected_money",
                "endpoint.test",
            ]
        ] = None,
        schedule_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        sort: Optional[Literal["-created_at", "created_at"]] = None,
    ) -> Page[RecollectEvent]:
        """List the events. The newest first, unless sorted otherwise. Old events may be in the
        archive, and are not listed then. A key needs the scope `webhooks`."""
        return self._transport.list(
            "/api/v1/events",
            {
                "limit": limit,
                "offset": offset,
                "after": after,
                "delivery": delivery,
                "kind": kind,
                "schedule_id": schedule_id,
                "from": from_,
                "to": to,
                "sort": sort,
            },
        )

    def follow(self, *, limit: Optional[int] = None, after: Optional[str] = None) -> EventFeed:
        """Follow the events. Every event once, in one order that never changes: the order for a
        program that follows along, with or without webhooks. An event shows as soon as no earlier
        one can come any more. Keep `next_cursor` with what you did about the events, and go on from
        it. 410 `cursor_gone` where its event is in the archive, or lost with a restore: begin again
        with `start`, and skip the ids that you have. A key needs the scope `webhooks`."""
        return self._transport.send(
            "GET",
            "/api/v1/events/feed",
            query={"limit": limit, "after": after},
        )

    def get(self, id: str) -> RecollectEventDetail:
        """Get an event with its deliveries. With every attempt to deliver it: the response, how
        long it took, and why it did not count. A key needs the scope `webhooks`."""
        return self._transport.send("GET", f"/api/v1/events/{segment(id)}")

    def resend(
        self,
        id: str,
        body: Optional[ResendEventRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> RecollectEventDetail:
        """Send an event again. To one endpoint, or to every enabled one that had it or subscribes
        to its kind now. It is a new attempt of the same event, under the same `webhook-id`, with
        all its retries. Refused where no enabled endpoint gets it. A key needs the scope
        `webhooks`."""
        return self._transport.send(
            "POST",
            f"/api/v1/events/{segment(id)}/resend",
            body=body,
            idempotency_key=idempotency_key,
        )

    def replay(self, body: Replay, *, idempotency_key: Optional[str] = None) -> Replayed:
        """Send a range of events again. Sends one endpoint what was held, what failed and what it
        never got: events between `from` and `to`, of the kinds that it subscribes to, the oldest
        first, at most 10,000 in one call. Refused while the endpoint is disabled. A key needs the
        scope `webhooks`."""
        return self._transport.send(
            "POST",
            "/api/v1/events/replay",
            body=body,
            idempotency_key=idempotency_key,
        )


class MerchantSettings:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> Merchant:
        """Get your business details and settings. Also whether the operator has you suspended, or
        holds your pay-outs. A key needs the scope `merchant`."""
        return self._transport.send("GET", "/api/v1/merchant")

    def update(self, body: MerchantChanges, *, idempotency_key: Optional[str] = None) -> Merchant:
        """Change your business details and settings. Changes only the fields sent.
        `settlement_account` is refused with 403 `forbidden`: an owner changes it in the dashboard.
        A key needs the scope `merchant`."""
        return self._transport.send(
            "PUT",
            "/api/v1/merchant",
            body=body,
            idempotency_key=idempotency_key,
        )


class ApiKeys:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
    ) -> Page[ApiKey]:
        """List your API keys. The newest first, revoked and expired ones included. None shows its
        secret. A key needs the scope `keys`."""
        return self._transport.list(
            "/api/v1/api_keys",
            {"limit": limit, "offset": offset, "after": after},
        )

    def own(self) -> ApiKey:
        """Get the API key that you use. What it may do, its limits, and how much of them is used
        today. Any key may call it, whatever its scopes."""
        return self._transport.send("GET", "/api/v1/api_key")

    def create(
        self,
        body: CreateApiKeyRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> NewApiKey:
        """Create an API key. Only this response has the key itself. Refused for scopes that you do
        not have yourself. A key needs the scope `keys`."""
        return self._transport.send(
            "POST",
            "/api/v1/api_keys",
            body=body,
            idempotency_key=idempotency_key,
        )

    def rotate(
        self,
        id: str,
        body: Optional[RotateApiKeyRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> NewApiKey:
        """Replace an API key. The new key has the same name, scopes, addresses and limits; only
        this response has the key itself. The old one goes on working for `overlap_hours`. Refused
        for scopes that you do not have yourself. A key needs the scope `keys`."""
        return self._transport.send(
            "POST",
            f"/api/v1/api_keys/{segment(id)}/rotate",
            body=body,
            idempotency_key=idempotency_key,
        )

    def update(
        self,
        id: str,
        body: UpdateApiKeyRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> ApiKey:
        """Change the addresses or the limits of an API key. It takes effect within five seconds;
        other limits for a key that has some, at once. The key itself and its scopes stay as they
        are. A key needs the scope `keys`."""
        return self._transport.send(
            "PUT",
            f"/api/v1/api_keys/{segment(id)}",
            body=body,
            idempotency_key=idempotency_key,
        )

    def revoke(self, id: str) -> ApiKey:
        """Revoke an API key at once. It stops working at once, and cannot be restored. Revoking it
        again changes nothing. A key needs the scope `keys`."""
        return self._transport.send("DELETE", f"/api/v1/api_keys/{segment(id)}")


class PreparedActs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def prepare(self, body: ActToPrepare, *, idempotency_key: Optional[str] = None) -> PreparedAct:
        """Prepare an act. Tries what another endpoint would do, and changes nothing: what would be
        refused is refused now, with the errors of that endpoint. The response says what will
        happen, what it takes, and who else is asked; commit it within an hour. Preparing the same
        again returns the same act, also when it is done. Only for API keys, with the scope of that
        endpoint. Any key may call it, whatever its scopes."""
        return self._transport.send(
            "POST",
            "/api/v1/prepared_acts",
            body=body,
            idempotency_key=idempotency_key,
        )

    def commit(self, id: str, *, idempotency_key: Optional[str] = None) -> PreparedAct:
        """Commit a prepared act. Does it, once: the id of the act is its idempotency key, so repeat
        it as often as no response came, with or without an `Idempotency-Key`. Beyond the limits of
        the key it waits until a member of the team approves it in the dashboard; commit it again,
        or read it, to see its outcome. Refused (`act_outdated`) where what it is about has changed,
        and with the errors of the endpoint that does it. Any key may call it, whatever its
        scopes."""
        return self._transport.send(
            "POST",
            f"/api/v1/prepared_acts/{segment(id)}/commit",
            idempotency_key=idempotency_key,
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        after: Optional[str] = None,
        status: Optional[
            Literal["prepared", "waiting_for_approval", "done", "declined", "replaced"]
        ] = None,
    ) -> Page[PreparedAct]:
        """List prepared acts. Those of the API key that asks, the newest first. They are kept for
        90 days. Any key may call it, whatever its scopes."""
        return self._transport.list(
            "/api/v1/prepared_acts",
            {"limit": limit, "offset": offset, "after": after, "status": status},
        )

    def get(self, id: str) -> PreparedAct:
        """Get a prepared act. As it is now, and what it has made. Any key may call it, whatever its
        scopes."""
        return self._transport.send("GET", f"/api/v1/prepared_acts/{segment(id)}")


class Sandbox:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def clock(self) -> SandboxClock:
        """Read the sandbox clock. Due dates, retries, settlement days and `created_at` follow it.
        Everybody in the sandbox shares it."""
        return self._transport.send("GET", "/sandbox/clock")

    def advance(self, body: Optional[AdvanceSandboxClockRequest] = None) -> SandboxMoved:
        """Move the sandbox clock forward. Whatever falls due on the way happens in its order and at
        its own time, retries and webhooks included, and the response lists it. At most five years
        at a time, and never back. The sandbox has one clock: it moves for its other merchants too.
        A year takes a while: with `wait: false` the response comes at once. Refused while the clock
        is being moved."""
        return self._transport.send(
            "POST",
            "/sandbox/clock/advance",
            body=body,
            only_once=True,
            timeout=600,
        )

    def last_move(self) -> SandboxMoved:
        """Read the last move of the sandbox clock. With what has happened to you in it: until now,
        where it is under way."""
        return self._transport.send("GET", "/sandbox/clock/advance")

    def stop(self) -> SandboxClock:
        """Stop moving the sandbox clock. An advance in progress ends at the moment that it has
        reached, and its response lists what has happened until then. From there the clock runs with
        real time. Without an advance nothing changes."""
        return self._transport.send("POST", "/sandbox/clock/stop", only_once=True)

    def reset(self) -> SandboxClock:
        """Reset the sandbox. Schedules, customers, payments, settlements, wallets, events and logs
        of every merchant of this sandbox are gone, at the sandbox’s banks and e-money issuer too,
        and the clock is back at real time. Merchants, teams, API keys and webhook endpoints
        stay."""
        return self._transport.send("POST", "/sandbox/reset", only_once=True)

    def consent(self, id: str, body: SandboxDecision) -> SandboxDecided:
        """Let a customer of the sandbox decide on a consent. Goes through the pages of the portal
        and of the bank as the customer’s browser would, also where the bank wants a granted consent
        to be confirmed again. Refused where no consent of the schedule waits for the customer."""
        return self._transport.send(
            "POST",
            f"/sandbox/schedules/{segment(id)}/consent",
            body=body,
            only_once=True,
        )

    def accounts(self) -> ListSandboxAccountsResponse:
        """List the accounts of the sandbox banks. Each customer behaves in one documented way. All
        of them have an account at every bank."""
        return self._transport.send("GET", "/sandbox/accounts")

    def issuer(self) -> SandboxIssuer:
        """Show how the sandbox e-money issuer behaves. The modes that are on, and all that there
        are with what each does."""
        return self._transport.send("GET", "/sandbox/issuer")

    def change_issuer(self, body: ChangeSandboxIssuerRequest) -> SandboxIssuer:
        """Change how the sandbox e-money issuer behaves. Exactly these modes are on afterwards, for
        everybody who uses this sandbox, and hold for what happens from then on. Refused for a mode
        that does not exist."""
        return self._transport.send("PUT", "/sandbox/issuer", body=body, only_once=True)

    def change_account(
        self,
        bank_id: str,
        account: str,
        body: ChangeSandboxAccountRequest,
    ) -> SandboxAccount:
        """Change an account of a sandbox bank. It changes only the fields sent, until the next
        reset."""
        return self._transport.send(
            "PUT",
            f"/sandbox/accounts/{segment(bank_id)}/{segment(account)}",
            body=body,
            only_once=True,
        )

    def change_bank(self, bank_id: str, body: ChangeSandboxBankRequest) -> SandboxBankBehaviour:
        """Change what a sandbox bank does. For all of its accounts, until the next reset: exactly
        these behaviours are on afterwards, or exactly these faults are ordered. Changes only the
        fields sent."""
        return self._transport.send(
            "PUT",
            f"/sandbox/banks/{segment(bank_id)}",
            body=body,
            only_once=True,
        )


class Resources:
    """Every resource of the API."""

    def __init__(self, transport: Transport) -> None:
        self.schedules = Schedules(transport)
        self.schedule_changes = ManySchedules(transport)
        self.customers = Customers(transport)
        self.payments = Payments(transport)
        self.refunds = Refunds(transport)
        self.disputes = Disputes(transport)
        self.settlements = Settlements(transport)
        self.wallets = Wallets(transport)
        self.banks = Banks(transport)
        self.webhook_endpoints = WebhookEndpoints(transport)
        self.events = Events(transport)
        self.merchant = MerchantSettings(transport)
        self.api_keys = ApiKeys(transport)
        self.prepared_acts = PreparedActs(transport)
        self.sandbox = Sandbox(transport)
