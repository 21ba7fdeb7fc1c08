import { ENGINE_LOG_EVENTS } from './engine-log-events.ts';
import { error, type LogEvent, warn } from './log-event.ts';
import { OPERATOR_LOG_EVENTS } from './operator-log-events.ts';
import { PAY_OUT_LOG_EVENTS } from './pay-out-log-events.ts';
import { RECONCILIATION_LOG_EVENTS } from './reconciliation-log-events.ts';
import { TEAM_LOG_EVENTS } from './team-log-events.ts';

/**
 * Every event of the log, by its code. Operators alert on the codes, so a code never changes; its level and its sentence are
 * defined only here and in the tables beside this one. `npm run generate` writes docs/reference/log-events.md from them.
 */
export const LOG_EVENTS = {
  'service.setting_doubtful': warn(
    'A setting needs a look',
    '`warning` says which one and why; change it and restart',
  ),
  'service.stop_failed': error(
    'A part of the service did not stop cleanly',
    'Nothing: the other parts stopped. Report `err` if it happens again',
  ),
  'service.stop_overdue': warn(
    'A part of the service takes too long to stop; the process ends without it',
    'Nothing: what it had claimed falls due again',
  ),
  'database.lost': warn(
    'The embedded PostgreSQL has ended; starting it again',
    'Nothing for once: what was committed is there. `log_file` says why; if it happens again, look for memory or a disk that runs out',
  ),
  'database.not_restarted': error(
    'The embedded PostgreSQL cannot be started again',
    'Read `err`, and restart the service: nothing works until then',
  ),
  'sign_in.password_link_failed': error('Could not make a password link', 'Read `err`'),
  'notice.failed': warn('Gave up sending an email', 'Read `error`; run `check-config`'),
  ...ENGINE_LOG_EVENTS,
  'claim.row_isolated': error(
    'Could not start a due row; skipping it for an hour',
    'Read `err`; the engine retries the row every hour',
  ),
  'schedule.not_resumed': error(
    'Could not resume a paused schedule; trying again in an hour',
    'Read `err`; the engine retries it every hour. The merchant can resume it by hand',
  ),
  'schedule_change.line_failed': error(
    'Could not change one schedule of a change of many; the others go on',
    'Read `err`. The merchant can run the failed lines of the change again',
  ),
  'inbox.notification_failed': error(
    'Could not act on a notification; the engine retries it',
    'Read `err`; the others were acted on, this one is retried every minute',
  ),
  'http.request_failed': error(
    'A request failed',
    'Read `err`; the caller has the same `reqId` in `X-Request-Id`',
  ),
  'http.overloaded': warn(
    'More requests than the service can work on; refusing some',
    'Nothing for a short peak: collections go on. If it lasts, start more API processes or raise `DATABASE_CONNECTIONS`; `work` is the class of the last refused request, `refused` how many since the last such line',
  ),
  'http.library_reported': error(
    'The HTTP library reported a problem',
    'Read `said` and `err`; it is a defect',
  ),
  'http.rate_limit_unavailable': warn(
    'The rate limiter cannot reach Redis',
    'Bring Redis back: nobody is limited until then',
  ),
  'http.request_log_failed': error(
    'Could not store the request log',
    'Read `err`; mostly the database. The requests themselves were served',
  ),
  'http.request_log_overflow': warn(
    'The request log is full; dropping the oldest requests',
    'Nothing, unless it happens often: the database does not keep up',
  ),
  'vault.seals_not_stored': warn(
    'Could not store how often the encryption keys have sealed; retrying every minute',
    'Nothing: the count is kept in memory meanwhile. Read `err` if it happens often',
  ),
  'api_key.address_refused': warn(
    'An API key was used from an address that it is not allowed from; the request was refused',
    'Nothing at first: the dashboard shows it with the key. If its merchant does not know `address`, the key has leaked and they revoke it',
  ),
  'api_key.use_not_stored': warn(
    'Could not store when an API key was used',
    'Nothing: the key works. Read `err` if it happens often',
  ),
  'sign_in.library_reported': error(
    'The sign-in library reported an error',
    'Read `said` and `err`; mostly the database',
  ),
  'sign_in.provider_failed': warn(
    'A team’s identity provider did not sign somebody in',
    'Read `err`; mostly the team’s settings or its provider. Its owners come in with password and second factor',
  ),
  'sign_in.visit_not_stored': warn(
    'Could not store a visit to the dashboard',
    'Nothing: the visitor is signed in. Read `err` if it happens often',
  ),
  'settlement_account.change_failed': error(
    'Could not apply a change of the settlement account; the engine retries in an hour',
    'Read `err`; pay-outs use the old account until then',
  ),
  'issuer.notification_refused': warn(
    'Refused a notification of the issuer',
    'A wrong `ISSUER_NOTIFICATION_SECRET`, a clock that is wrong, or a stranger',
  ),
  'issuer.unknown_wallet': error(
    'The issuer notified us of a wallet that is not ours',
    'Ask the issuer about the wallet `external_reference`',
  ),
  'wallet.change_refused': error(
    'The issuer refused to open or close a wallet; the engine retries',
    'Read `err` and ask the issuer',
  ),
  'wallet.change_unknown': warn(
    'The issuer did not answer about a wallet; the engine retries',
    'Nothing, unless it goes on: [the issuer is down](../guides/runbook.md#the-issuer-is-down)',
  ),
  'bank.notification_refused': warn(
    'Refused a notification of a bank',
    'A wrong `bank_jwks_uri` or `bank_org_id`, a clock that is wrong, or a stranger',
  ),
  'bank.distrusted': error(
    'Too many consents vanished at a bank; ignoring what it says about consents',
    '[Consents vanish at a bank](../guides/runbook.md#consents-vanish-at-a-bank)',
  ),
  'bank.down': warn(
    'A bank does not answer since `since`; its payments wait',
    '[A bank is down](../guides/runbook.md#a-bank-is-down). `bank.answers_again` follows when it is over',
  ),
  'bank.answers_again': warn(
    'A bank that was down since `since` answers again; what waited is sent',
    'Nothing',
  ),
  'bank.condition_not_stored': warn(
    'Could not store how the banks answer; retrying',
    'Nothing: it is kept in memory meanwhile. Read `err` if it happens often',
  ),
  'bank.trusted': warn(
    'Acting again on what a bank says about consents',
    'Nothing: the bank corrected itself, or you released it',
  ),
  'bank.change_not_used': warn(
    "A change of the banks' file, or of a file that it names, is not used yet; the former settings stay",
    'Read `problems` of `bank`, and run `bank check`. The service looks again every minute',
  ),
  'bank.list_unavailable': warn(
    'Could not read the list of banks behind a connection; trying again in a minute',
    'Read `err`: the aggregator is down, or the key of `connection` is not accepted. Customers see the last list; consents go on',
  ),
  'bank.payments_not_checked': error(
    'Could not look into payments that a bank notified us of; the engine retries',
    'Read `err`',
  ),
  'bank.payment_unreadable': warn(
    'The bank did not answer about a payment that it notified us of; the engine retries',
    'Nothing, unless `is_last` is true: then ask the bank about `bank_payment_id`',
  ),
  'bank.unknown_payment': error(
    'A bank notified us of a payment that is not ours',
    'Ask the bank what `bank_payment_id` is',
  ),
  'bank.duplicate_payment': error(
    'A bank has two payments for one order',
    'Ask the bank about both ids: it may have paid twice',
  ),
  'consent.wallet_not_opened': warn(
    'Could not open the wallet of a consent yet; the engine retries',
    'Nothing, unless it goes on: [the issuer is down](../guides/runbook.md#the-issuer-is-down)',
  ),
  'consent.not_followed': error(
    'Could not process a consent; the engine retries',
    'Read `err`; the other consents were processed',
  ),
  'consent.status_unknown': warn(
    'The bank did not return the status of a consent; the engine retries',
    'Nothing, unless it goes on: [a bank is down](../guides/runbook.md#a-bank-is-down)',
  ),
  'consent.status_not_recorded': error(
    'Could not record the status of a consent; the engine retries',
    'Read `err`; the others were recorded',
  ),
  'consent.end_doubted': warn(
    'The bank says that a consent is over; checking again in an hour',
    'Nothing: it ends when the second check says the same',
  ),
  'consent.end_withdrawn': warn(
    'The bank says that a consent stands after all',
    'Nothing, unless it happens often: ask the bank why',
  ),
  'consent.deletion_unconfirmed': warn(
    'The bank did not confirm that it deleted a consent; the engine retries',
    'Nothing, unless it goes on',
  ),
  'consent.deletion_overdue': error(
    'The bank has not confirmed for about a day that it deleted a consent',
    'Ask the bank whether it still holds `bank_consent_id`; the engine retries every hour',
  ),
  'portal.bank_unavailable': warn(
    'Could not send a customer to the bank',
    'Nothing, unless it goes on: [a bank is down](../guides/runbook.md#a-bank-is-down). The customer can try again',
  ),
  'portal.return_failed': warn(
    "Could not complete a customer's return from the bank",
    'Read `err`; the bank is down, or somebody changed the address. The customer can try again',
  ),
  'payment.open_failed': error(
    'Could not open a payment; the engine retries in an hour',
    'Read `err`; the others were opened',
  ),
  'payment.rows_missing': error(
    'Cannot send payments: their consent or attempt is missing',
    'Rows were changed by hand: ask for help',
  ),
  'payment.batch_failed': error(
    'Could not process a batch of payments of one bank; the engine retries',
    'Read `err`; mostly the database',
  ),
  'payment.send_failed': error(
    'Could not send a payment; the engine retries',
    'Read `err`: it is a defect',
  ),
  'payment.request_rejected': error(
    'The bank rejected our request as malformed',
    'The payment failed for good: our registration, our certificate or a defect',
  ),
  'payment.signature_refused': error(
    'The bank did not take the signature of a payment; the engine sends it again',
    'Check the clock of this machine, and with `recollect bank check` the key',
  ),
  'payment.outcome_unknown': warn(
    'Payment outcome unknown; the engine asks the bank again',
    'Nothing, unless it goes on: [a bank is down](../guides/runbook.md#a-bank-is-down)',
  ),
  'payment.outcome_overdue': error(
    'A payment has had no outcome for a day',
    '[The outcome of a payment is not known for a day](../guides/runbook.md#the-outcome-of-a-payment-is-not-known-for-a-day)',
  ),
  'payment.outcome_not_recorded': error(
    'Could not record the outcome of a payment; the engine asks the bank again',
    'Read `err`; the others were recorded',
  ),
  'payment.repeat_refused': warn(
    'The bank refused a repeated order; looking for the money at the issuer',
    'Nothing, unless it goes on: ask the bank about the payment',
  ),
  'payment.status_unavailable': warn(
    'The bank did not return the status of a payment; the engine retries',
    'Nothing, unless it goes on: [a bank is down](../guides/runbook.md#a-bank-is-down)',
  ),
  'payment.status_refused': error(
    'The bank refused to return the status of a payment; the engine retries',
    'Read `err` and ask the bank',
  ),
  'payment.arrival_unknown': warn(
    'The issuer did not say whether the money of a payment arrived; the engine retries',
    'Nothing, unless it goes on: [the issuer is down](../guides/runbook.md#the-issuer-is-down)',
  ),
  'payment.bank_missing': error(
    'The bank of a payment is not configured',
    'Put the bank back into `BANKS_FILE`',
  ),
  'payment.unexpected_money': error(
    'Money arrived that no payment was waiting for',
    '[Money came that no payment waits for](../guides/runbook.md#money-came-that-no-payment-waits-for)',
  ),
  'payment.late_money': error(
    'Money arrived for an attempt recorded as failed',
    'Nothing: it is booked and the merchant is notified. Ask the bank why',
  ),
  'payment.unknown_wallet': error(
    'Money arrived in a wallet that is not ours',
    'Ask the issuer about `wallet_id`; the daily report lists the money until somebody resolves it',
  ),
  'payment.evidence_not_recorded': error(
    "Could not record the bank's evidence for a payment; the engine retries",
    'Read `err`; the others were recorded',
  ),
  'payment.evidence_contradicts': error(
    'The bank says that a payment failed, but its money arrived; nothing changes',
    'Ask the bank about the payment',
  ),
  'payment.transfer_refused': error(
    "The issuer refused an order to transfer money to the merchant's wallet; the engine retries",
    'Ask the issuer; the engine retries every half hour',
  ),
  'payment.transfer_failed': error(
    "Transfers to a merchant's wallet failed at the issuer; the engine retries",
    'Ask the issuer: a wallet is closed, or its balance is not ours',
  ),
  'payment.transfer_unreadable': error(
    "Transfers are missing from the issuer's response, or cannot be read; the engine retries",
    'Ask the issuer what it has under `keys`',
  ),
  'payment.transfer_not_recorded': error(
    "Could not record a transfer to the merchant's wallet; the engine retries",
    'Read `err`; the others were recorded',
  ),
  'payment.merchant_wallet_closed': warn(
    "Payments wait because their merchant's wallet is not open",
    'Nothing, unless it goes on: ask the issuer about the wallet',
  ),
  ...OPERATOR_LOG_EVENTS,
  ...PAY_OUT_LOG_EVENTS,
  ...TEAM_LOG_EVENTS,
  'webhook.delivery_not_recorded': error(
    'Could not record a webhook delivery; it falls due again',
    'Read `err`; the endpoint may receive the event twice',
  ),
  'law.broken': error(
    'A law of money is broken',
    '[Run the audit](../guides/operators.md#audit): it is a defect or a hand in the database. Every engine checks hourly',
  ),
  'law.incomplete': warn(
    'Could not compare everything for a law of money',
    '`unknown` says what and why: mostly the issuer. The next check is within the hour',
  ),
  'law.check_failed': error(
    'Could not check a law of money',
    'Read `err`: the database, or the statement took longer than five minutes. The overview shows the law as unknown',
  ),
  'law.findings_not_stored': error(
    'Could not store what the check of the laws of money found',
    'Read `err`; mostly the database',
  ),
  ...RECONCILIATION_LOG_EVENTS,
  'sandbox.step_failed': warn('A step of the sandbox clock failed; retrying', 'Read `err`'),
  'sandbox.move_failed': warn('A move of the sandbox clock ended early', 'Read `err`; move it on'),
  'sandbox.resume_failed': error('The sandbox did not resume after its clock moved', 'Restart it'),
  'sandbox.clock_not_set': error(
    "Could not set the clocks of the sandbox's bank and issuer after a reset",
    'Restart it',
  ),
  'sandbox.reset_failed': warn(
    "Could not reset the sandbox's bank and issuer; retrying",
    'Read `err`',
  ),
  'sandbox.program_restarted': warn(
    'A program of the sandbox ended; restarting it',
    'Nothing, unless it goes on',
  ),
  'sandbox.program_not_started': warn('A program of the sandbox did not start', 'Read `err`'),
  'sandbox.program_abandoned': error(
    'A program of the sandbox keeps crashing; no longer restarting it',
    'Read what it wrote (`sandbox.program_wrote`) and restart the sandbox',
  ),
  'sandbox.program_wrote': warn('A program of the sandbox wrote an error', 'Read `said`'),
} as const satisfies Record<string, LogEvent>;

export type LogEventCode = keyof typeof LOG_EVENTS;
