import Type from 'typebox';
import { PayingAccount } from '../../customers/schemas.ts';
import {
  Amount,
  AmountOrZero,
  Described,
  Failure,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
  Text,
} from '../../platform/http/schemas/schemas.ts';
import { Metadata } from '../../schedules/request/metadata-schema.ts';
import { UNALLOCATED_REASONS } from './allocation.ts';
import { NOT_SENT_REASONS } from './not-sent.ts';
import { NO_RETRY_REASONS, PAYMENT_KINDS, PAYMENT_STATUSES } from './payment.ts';
import { ITEM_STATUSES } from './unallocated-item.ts';
import { WAITING_REASONS } from './waiting.ts';

const NO_RETRY_TEXT =
  'Why no retry follows. `final`: it would fail again. `max_retries`: all retries are used. `next_occurrence`: a retry ' +
  'would come after the next collection. `end_date`: it would come after the end of the consent. `limits`: the ' +
  'customer’s limits have no room for it. `by_hand`: the attempt was a retry by hand, which none follows. `stopped`: a ' +
  'pause, a cancellation or a withdrawal ended the payment.';

/** Why no retry follows a failure; null: `ofNull`. */
export const WhyNoRetry = (ofNull: string) =>
  OrNull(OneOf(NO_RETRY_REASONS), `${NO_RETRY_TEXT} Null: ${ofNull}.`);

/** What becomes of money that belongs to no payment yet. */
export const MoneyStatus = OneOf(
  ITEM_STATUSES,
  '`open`: the operator has not decided yet. `allocated`: it pays for a payment, whole. `accepted_in_part`: it pays for a ' +
    'payment of another amount. `returned`: it went back to whoever paid it. `paid_on`: it was paid to you by hand. ' +
    '`credited`: it was added to your balance, and goes out with a settlement.',
);

/** Why money belongs to no payment yet. */
export const MoneyReason = OneOf(
  UNALLOCATED_REASONS,
  '`nothing_awaited`: no payment waits for this amount. `another_amount`: the amount differs from that of the payment. ' +
    '`another_wallet`: it came to the wallet of another customer. `paid_already`: the payment is paid already. ' +
    '`later_attempt`: it pays for an earlier attempt, while a later one is with the bank. `left_over`: it is left over ' +
    'from an amount that was too high. `came_back`: it was paid out and came back. `not_transferred`: it could not be ' +
    'transferred to your wallet.',
);

const Attempt = NamedObject(
  'PaymentAttempt',
  {
    number: Type.Integer({ minimum: 1, description: 'Counts the attempts of the payment from 1.' }),
    status: OneOf(
      ['processing', 'success', 'failed'],
      '`processing`: under way. `success`: its money has come. `failed`: no money comes of it.',
    ),
    manual: Type.Boolean({ description: 'Somebody retried the payment by hand.' }),
    error: OrNull(Failure, 'Why it failed. Null: it has not.'),
    bank_payment_id: OrNull(Type.String(), 'The bank’s id of the payment. Null: not known.'),
    bank_status: OrNull(
      Type.String(),
      'The status that the bank reported last, such as `ACSC`. Null: none yet.',
    ),
    started_at: Described(Instant, 'When it began.'),
    sent_at: OrNull(Instant, 'When its order was sent to the bank. Null: nothing was sent.'),
    finished_at: OrNull(Instant, 'When its outcome was recorded. Null: it is under way.'),
  },
  'One attempt to collect a payment. It is one order to the bank.',
);

const NotSent = NamedObject(
  'NotSent',
  {
    reason: OneOf(
      NOT_SENT_REASONS,
      '`merchant_suspended`: the operator has you suspended. `bank_stopped`: the operator sends nothing to this bank for ' +
        'now. `consent_in_doubt`: the bank reports that the consent has ended, and we check again. ' +
        '`reauthentication_needed`: the customer has to confirm the consent again. `bank_down`: the bank does not answer. ' +
        '`bank_degraded`: it sometimes does not. `retrying`: something else failed, and is tried again. `being_sent`: it ' +
        'is on its way.',
    ),
    bank_id: Text('The bank, as `GET /api/v1/banks` lists it.'),
    next_try_at: OrNull(Instant, 'When we try again. Null: now, or when somebody has acted.'),
  },
  'Why nothing was sent yet.',
);

const WaitsForOperator = NamedObject(
  'WaitsForOperator',
  {
    reason: OneOf(
      WAITING_REASONS,
      '`no_outcome`: the bank has said nothing final for a day. `credited_without_money`: the bank says that it has paid, ' +
        'and no money has come for two hours. `wrong_amount`: money of another amount has come. `not_transferred`: its ' +
        'money has come, and is not in your wallet after two hours. `not_sent`: nothing was sent for a week.',
    ),
    since: Described(Instant, 'Since when.'),
  },
  'Why a payment cannot end on its own.',
);

/** The payment in responses: docs/rules/payments.md#the-payment-object. */
export const PaymentAnswer = NamedObject(
  'Payment',
  {
    id: Id('pay', 'The payment’s id.'),
    schedule_id: Id('sch', 'The schedule it belongs to.'),
    customer_id: Id('cus', 'Who pays.'),
    customer_reference: OrNull(
      Type.String(),
      'Your own name of the customer, as it is now. Null: you gave none.',
    ),
    bank_id: Text('The customer’s bank, as `GET /api/v1/banks` lists it.'),
    metadata: OrNull(Metadata, 'Your own data of the schedule, as it is now. Null: none.'),
    kind: OneOf(
      PAYMENT_KINDS,
      '`scheduled`: an occurrence of the schedule. `ad_hoc`: a payment that you asked for besides the occurrences. `first`: ' +
        'the first payment of the schedule, collected as soon as the customer had agreed.',
    ),
    amount: Described(Amount, 'What it collects.'),
    description: OrNull(
      Type.String(),
      'What it is for, of an ad-hoc or first payment that was given a description. Null: that of the schedule.',
    ),
    status: OneOf(
      PAYMENT_STATUSES,
      '`pending`: due, or waiting for a retry. `processing`: with the bank, or on its way to your wallet. `success`: the ' +
        'money is in your wallet. `failed`: no automatic attempt follows; only a retry by hand, or money that arrives ' +
        'late, changes it.',
    ),
    due_date: Described(Instant, 'When it is due.'),
    attempts: Type.Array(Attempt, { description: 'Every attempt, the first one first.' }),
    next_retry_at: OrNull(Instant, 'When it is tried again. Null: no retry is planned.'),
    no_retry_reason: WhyNoRetry('the payment has not failed'),
    error: OrNull(
      Failure,
      'Why the last attempt failed, also while a retry waits: `insufficient_funds`, `technical`, `bank_limit`, ' +
        '`limit_exceeded`, `rejected`, `account_closed`, `invalid_account`, `blocked`, `creditor_account_unavailable`, ' +
        '`duplicate`, `consent_revoked`, `consent_expired`, `reauthentication_required`, `schedule_paused`, ' +
        '`schedule_cancelled` or `paid_by_hand`. Null: none has failed, or the payment has succeeded.',
    ),
    settlement_id: OrNull(
      Id('set'),
      'The settlement that pays it out to you. Null: none has it yet.',
    ),
    fee: OrNull(
      AmountOrZero,
      'What the operator takes of it, netted from its settlement. Null: it has not succeeded.',
    ),
    refunded: Described(
      AmountOrZero,
      'What was refunded of it, or is being refunded. Refunds that failed do not count.',
    ),
    returned: OrNull(
      NamedObject(
        'ReturnedMoney',
        {
          amount: Described(Amount, 'What was recalled, and what you owe.'),
          at: Described(Instant, 'When it was recalled.'),
          reason: Text('Why, as the bank says.'),
        },
        'Money of a payment that the customer’s bank has recalled.',
      ),
      'What the customer’s bank recalled after the success. You owe it, and your next settlements net it. Null: nothing.',
    ),
    paying_account: OrNull(
      PayingAccount,
      'The account that pays, masked. Null: it is not known yet.',
    ),
    created_at: Described(Instant, 'When it was created.'),
    completed_at: OrNull(Instant, 'When it succeeded. Null: it has not.'),
    failed_at: OrNull(Instant, 'When it failed for good. Null: it has not.'),
    not_sent: OrNull(
      NotSent,
      'Why the order of the attempt under way has not been sent yet. Null: it was sent, or no attempt is under way.',
    ),
    waits_for_operator: OrNull(
      WaitsForOperator,
      'Why it cannot end on its own: the operator has to find out its outcome. Null: it goes on automatically, or has ended.',
    ),
    unexpected_money: Type.Array(
      NamedObject(
        'UnexpectedMoney',
        {
          id: Id('una', 'The id of this money.'),
          amount: Described(AmountOrZero, 'How much came.'),
          status: MoneyStatus,
          reason: MoneyReason,
          arrived_at: Described(Instant, 'When it arrived.'),
          ended_at: OrNull(Instant, 'When the operator decided about it. Null: it is still open.'),
        },
        'Money that arrived and that no payment waited for.',
      ),
      {
        description:
          'Money that arrived and may belong to this payment, though it did not wait for it.',
      },
    ),
  },
  'The collection of one occurrence of a schedule, of which there is never a second one, or an ad-hoc payment.',
);
