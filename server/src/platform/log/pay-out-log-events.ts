import { error, type LogEvent, warn } from './log-event.ts';

/** The log's events about the issuer, and money that is paid out: refunds, and settlements with their fees and debts. */
export const PAY_OUT_LOG_EVENTS = {
  'settlement.open_failed': error(
    'Could not open a settlement; the engine retries in an hour',
    'Read `err`; the others were opened',
  ),
  'settlement.payments_left': warn(
    'Payments came too late for the settlement of their day, or did not fit; they go on the next business day',
    'Nothing',
  ),
  'settlement.outcome_unknown': warn(
    'The issuer did not answer about a pay-out; the engine retries',
    'Nothing, unless it goes on: [the issuer is down](../guides/runbook.md#the-issuer-is-down)',
  ),
  'settlement.outcome_not_recorded': error(
    'Could not record the outcome of a settlement; the engine retries',
    'Read `err`; the others were recorded',
  ),
  'settlement.amount_differs': error(
    'The issuer has a pay-out of another amount under the key of a settlement',
    '[The issuer has paid out another amount](../guides/runbook.md#the-issuer-has-paid-out-another-amount)',
  ),
  'payment.waits_for_decision': error(
    'The bank has paid, and another amount than was asked for is on the unallocated list; logged once a day',
    '[Another amount came than was asked for](../guides/runbook.md#another-amount-came-than-was-asked-for)',
  ),
  'settlement.recall_unmatched': error(
    'A recalled pay-in matches no payment and no unallocated item',
    '[A pay-in is recalled](../guides/runbook.md#a-pay-in-is-recalled)',
  ),
  'settlement.return_unmatched': error(
    'A returned pay-out matches no settlement or refund as it was paid out; it is on the unallocated list',
    '[Money came back](../guides/runbook.md#money-came-back)',
  ),
  'settlement.cover_unknown': warn(
    'The issuer did not answer about a cover transfer; the engine retries',
    'Nothing, unless it goes on: [the issuer is down](../guides/runbook.md#the-issuer-is-down)',
  ),
  'settlement.cover_not_recorded': error(
    'Could not record a cover transfer; the engine orders it again',
    'Read `err`; it is paid once, under one key',
  ),
  'settlement.fees_unknown': warn(
    'The issuer did not answer about a transfer of fees; the engine retries',
    'Nothing, unless it goes on: [the issuer is down](../guides/runbook.md#the-issuer-is-down)',
  ),
  'settlement.fees_not_recorded': error(
    'Could not record a transfer of fees; the engine looks it up again',
    'Read `err`; it is made once',
  ),
  'settlement.fees_differ': warn(
    'A lost database had ordered another amount of fees for a settlement; the next transfer takes more or less',
    'Nothing',
  ),
  'refund.outcome_unknown': warn(
    'The issuer did not answer about a refund; the engine retries',
    'Nothing, unless it goes on: [the issuer is down](../guides/runbook.md#the-issuer-is-down)',
  ),
  'refund.amount_differs': error(
    'The issuer has a pay-out of another amount under the key of a refund; it is neither paid nor failed',
    'Ask the issuer what `movement_id` was; the reconciliation shows it too',
  ),
  'issuer.silent': warn(
    'The e-money issuer has left three calls in a row of this process without an answer',
    '[RecollectIssuerUnavailable](../guides/runbook.md#recollectissuerunavailable). `issuer.answers_again` follows when it is over',
  ),
  'issuer.answers_again': warn(
    'The e-money issuer answers this process again; what waited is ordered under its keys',
    'Nothing',
  ),
} as const satisfies Record<string, LogEvent>;
