import { BANK, lines, p95, type Row, rate, WINDOW } from './panel.ts';

export const BANKS: Row = {
  title: 'Banks',
  panels: [
    lines(
      'Due payments',
      'recollect_payments_due',
      `max by (bank, step) (recollect_payments_due${BANK})`,
      '{{bank}} {{step}}',
    ),
    lines(
      'Age of the oldest due payment',
      'recollect_payments_oldest_due_age_seconds',
      `max by (bank, step) (recollect_payments_oldest_due_age_seconds${BANK})`,
      '{{bank}} {{step}}',
      's',
    ),
    lines(
      'Unknown outcomes by bank',
      'recollect_payments_outcome_unknown',
      `max by (bank) (recollect_payments_outcome_unknown${BANK})`,
      '{{bank}}',
    ),
    lines(
      'Age of the oldest unknown outcome',
      'recollect_payments_outcome_unknown_oldest_age_seconds',
      `max by (bank) (recollect_payments_outcome_unknown_oldest_age_seconds${BANK})`,
      '{{bank}}',
      's',
    ),
    lines(
      'Age of the oldest payment under way',
      'recollect_payment_under_way_oldest_age_seconds',
      `max by (bank) (recollect_payment_under_way_oldest_age_seconds${BANK})`,
      '{{bank}}',
      's',
    ),
    lines(
      'Banks in trouble',
      'recollect_bank_condition',
      'max by (bank, condition) (recollect_bank_condition{bank=~"$bank",condition!="operational"})',
      '{{bank}} {{condition}}',
    ),
    lines(
      'Payments that wait for a person',
      'recollect_payments_waiting',
      'max by (reason) (recollect_payments_waiting)',
      '{{reason}}',
    ),
    lines(
      'Age of the oldest payment that waits',
      'recollect_payments_waiting_oldest_age_seconds',
      'max by (reason) (recollect_payments_waiting_oldest_age_seconds)',
      '{{reason}}',
      's',
    ),
    lines(
      'Overdue, by noun and state',
      'recollect_overdue',
      'max by (noun, state) (recollect_overdue) > 0',
      '{{noun}} {{state}}',
    ),
    lines(
      'Age of the oldest overdue',
      'recollect_overdue_oldest_age_seconds',
      'max by (noun, state) (recollect_overdue_oldest_age_seconds) > 0',
      '{{noun}} {{state}}',
      's',
    ),
    lines(
      'Calls by outcome',
      'recollect_bank_calls_total',
      rate(`recollect_bank_calls_total${BANK}`, 'bank, outcome'),
      '{{bank}} {{outcome}}',
      'reqps',
    ),
    lines(
      'Calls without an answer',
      { text: 'Share of the calls to a bank that got no answer, or never left us.' },
      `${rate('recollect_bank_calls_total{bank=~"$bank",outcome=~"no_answer|not_sent|not_let_in"}', 'bank')} / ${rate(
        `recollect_bank_calls_total${BANK}`,
        'bank',
      )}`,
      '{{bank}}',
      'percentunit',
    ),
    lines(
      'Duration of a call (p95)',
      'recollect_bank_call_duration_seconds',
      p95('recollect_bank_call_duration_seconds', 'bank, operation', BANK),
      '{{bank}} {{operation}}',
      's',
    ),
    lines(
      'Stopped banks',
      'recollect_bank_stopped',
      `max by (bank) (recollect_bank_stopped${BANK})`,
      '{{bank}}',
    ),
    lines(
      'Certificates expire in',
      'recollect_certificate_remaining_seconds',
      `min by (bank, certificate) (recollect_certificate_remaining_seconds${BANK})`,
      '{{bank}} {{certificate}}',
      's',
    ),
  ],
};

export const ISSUER: Row = {
  title: 'E-money issuer',
  panels: [
    lines(
      'Calls to the issuer by outcome',
      'recollect_issuer_calls_total',
      rate('recollect_issuer_calls_total', 'operation, outcome'),
      '{{operation}} {{outcome}}',
      'reqps',
    ),
    lines(
      'Duration of a call to the issuer (p95)',
      'recollect_issuer_call_duration_seconds',
      p95('recollect_issuer_call_duration_seconds', 'operation'),
      '{{operation}}',
      's',
    ),
    lines(
      'Pay-outs without an outcome',
      'recollect_pay_outs_outcome_unknown',
      'max by (kind) (recollect_pay_outs_outcome_unknown)',
      '{{kind}}',
    ),
    lines(
      'Age of the oldest of them',
      'recollect_pay_outs_outcome_unknown_oldest_age_seconds',
      'max by (kind) (recollect_pay_outs_outcome_unknown_oldest_age_seconds)',
      '{{kind}}',
      's',
    ),
  ],
};

export const WEBHOOKS: Row = {
  title: 'Webhooks',
  panels: [
    lines(
      'Webhooks by outcome',
      'recollect_webhook_requests_total',
      rate('recollect_webhook_requests_total', 'outcome'),
      '{{outcome}}',
      'reqps',
    ),
    lines(
      'Duration of a webhook (p95)',
      'recollect_webhook_request_duration_seconds',
      `histogram_quantile(0.95, sum by (le) (rate(recollect_webhook_request_duration_seconds_bucket${WINDOW})))`,
      'p95',
      's',
    ),
    lines(
      'Deliveries that wait',
      'recollect_webhook_deliveries_waiting',
      'max by (state) (recollect_webhook_deliveries_waiting)',
      '{{state}}',
    ),
  ],
};
