/** What a metric is: how Prometheus treats it, what it says, and the names of its labels. */
export interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** The sentence of its HELP line, and of docs/reference/metrics.md. */
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in seconds. */
  readonly buckets?: readonly number[];
}

const counter = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ kind: 'counter', help, labels }) as const;
const gauge = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ kind: 'gauge', help, labels }) as const;
const histogram = <const L extends readonly string[]>(
  help: string,
  labels: L,
  buckets: readonly number[],
) => ({ kind: 'histogram', help, labels, buckets }) as const;

/** Work of ours: a batch takes milliseconds, a look at the books minutes. */
const OWN_WORK = [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120];
/** Calls to others: they give up after 10 seconds, or some more where the setting of a bank says so. */
const CALLS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Every metric of ours, in the order of docs/reference/metrics.md. A label has few values, fixed by the code or the
 * configuration: never an id of a merchant, a customer or a payment.
 */
export const METRICS = {
  recollect_build_info: gauge('Always 1; the labels say what runs.', ['version', 'mode', 'roles']),
  recollect_scrape_error: gauge(
    'Whether this part of the books could not be read for this scrape (1) or could (0); its other metrics are then absent.',
    ['part'],
  ),

  recollect_database_up: gauge(
    'Whether the database answers this process and can be written (1) or not (0).',
    [],
  ),

  recollect_clock_skew_seconds: gauge(
    "By how much this machine's clock is ahead of the database's; below zero: behind. Beyond 30 seconds it claims nothing.",
    [],
  ),

  recollect_stage_oldest_due_age_seconds: gauge(
    'How long the oldest work of a stage has been due; 0: nothing is overdue.',
    ['stage'],
  ),
  recollect_stage_items_total: counter('Pieces of work that a stage claimed, repeats included.', [
    'stage',
  ]),
  recollect_stage_failures_total: counter('Runs of a stage that failed as a whole.', ['stage']),
  recollect_stage_run_duration_seconds: histogram(
    'How long a run of a stage took that found work. A stage that does not wait for its calls ends earlier than they do.',
    ['stage'],
    OWN_WORK,
  ),

  recollect_payments_due: gauge(
    'Payments of a bank whose next step is due: to submit the order, or to track its outcome. 10000 means 10000 or more.',
    ['bank', 'step'],
  ),
  recollect_payments_oldest_due_age_seconds: gauge(
    'How long the oldest of these payments has been due; 0: none is.',
    ['bank', 'step'],
  ),
  recollect_payments_outcome_unknown: gauge(
    'Payments whose order was sent more than a minute ago, and which the bank has neither accepted nor refused.',
    ['bank'],
  ),
  recollect_payments_outcome_unknown_oldest_age_seconds: gauge(
    'How long ago the oldest of these orders was first sent; 0: there is none.',
    ['bank'],
  ),
  recollect_payment_under_way_oldest_age_seconds: gauge(
    'How long ago the oldest payment of a bank was due whose order has not been sent, while nothing but the bank or we keep it; 0: there is none.',
    ['bank'],
  ),
  recollect_payments_waiting: gauge(
    'Payments that wait for a person, because they cannot end on their own, by reason. 1000 means 1000 or more.',
    ['reason'],
  ),
  recollect_payments_waiting_oldest_age_seconds: gauge(
    'How long the oldest of them has waited for its outcome, its money or a decision; 0: there is none.',
    ['reason'],
  ),
  recollect_overdue: gauge(
    'What is older than its state permits, by noun and state; it is on a list of the operators. 1000 means 1000 or more.',
    ['noun', 'state'],
  ),
  recollect_overdue_oldest_age_seconds: gauge(
    'How long the oldest of it has been in that state; 0: nothing is overdue.',
    ['noun', 'state'],
  ),
  recollect_pay_outs_outcome_unknown: gauge(
    'Pay-outs that the issuer was asked for, and has not ended: whether it has accepted them or not. 5000 means 5000 or more.',
    ['kind'],
  ),
  recollect_pay_outs_outcome_unknown_oldest_age_seconds: gauge(
    'How long ago the issuer was asked for the oldest of these pay-outs; 0: there is none.',
    ['kind'],
  ),

  recollect_bank_condition: gauge(
    'The condition of a bank, from the calls of all processes: 1 for the condition that it is in, 0 for the other two.',
    ['bank', 'condition'],
  ),
  recollect_bank_calls_total: counter(
    'Calls that went to a bank, by outcome: ok, refused, no_answer (unknown), not_sent (never left us), not_let_in (no token for us, or our signature refused), defect (ours or theirs).',
    ['bank', 'operation', 'outcome'],
  ),
  recollect_bank_call_duration_seconds: histogram(
    'How long calls to a bank took.',
    ['bank', 'operation'],
    CALLS,
  ),
  recollect_issuer_calls_total: counter(
    'Calls to the e-money issuer by outcome: ok, refused, no_answer, defect.',
    ['operation', 'outcome'],
  ),
  recollect_issuer_call_duration_seconds: histogram(
    'How long calls to the e-money issuer took.',
    ['operation'],
    CALLS,
  ),

  recollect_webhook_requests_total: counter(
    'Webhooks sent by outcome: acknowledged, refused (another status), no_answer.',
    ['outcome'],
  ),
  recollect_webhook_request_duration_seconds: histogram(
    'How long endpoints took to answer a webhook.',
    [],
    CALLS,
  ),
  recollect_webhook_deliveries_waiting: gauge(
    'Deliveries that are due now, or wait for their next try (retry). 10000 means 10000 or more.',
    ['state'],
  ),

  recollect_unallocated_items: gauge('Open items of the unallocated list.', []),
  recollect_unallocated_pence: gauge('Money of these items, in pence.', []),
  recollect_unallocated_oldest_age_seconds: gauge(
    'How long the oldest of them has been open; 0: there is none.',
    [],
  ),

  recollect_invariant: gauge(
    'The state of an invariant (a law of money) at the last check: 1 for kept, broken or unknown, 0 for the other two.',
    ['law', 'state'],
  ),
  recollect_invariant_last_check_timestamp_seconds: gauge(
    'When the invariant was last checked, by the clock of the service.',
    ['law'],
  ),
  recollect_reconciliation_open_items: gauge(
    'Differences between our books and the issuer that nobody has resolved.',
    [],
  ),
  recollect_reconciliation_oldest_open_age_seconds: gauge(
    'How long ago the oldest of them was found; 0: there is none.',
    [],
  ),
  recollect_reconciliation_last_report_timestamp_seconds: gauge(
    'When the report of the latest day was made; absent: there is none.',
    [],
  ),
  recollect_reconciliation_last_report_complete: gauge(
    'Whether that report could compare everything (1) or not (0); absent: there is none.',
    [],
  ),

  recollect_merchants_held: gauge(
    'Merchants that an operator holds: suspended, or their pay-outs.',
    ['hold'],
  ),
  recollect_operator_requests_waiting: gauge(
    'What operators asked for and a second one has not agreed with yet, by kind.',
    ['kind'],
  ),
  recollect_operator_key_expiry_seconds: gauge(
    'Until the last valid key of an operator ends who signs in with keys alone: of whom it ends first; absent: there is none.',
    [],
  ),
  recollect_vault_seals: gauge(
    'How often an encryption key has sealed, over all processes, as far as they have stored it. A retired key is absent.',
    ['key'],
  ),
  recollect_bank_stopped: gauge(
    'Whether an operator has stopped all orders to a bank (1) or not (0).',
    ['bank'],
  ),

  recollect_certificate_remaining_seconds: gauge(
    'How long a certificate of a bank connection is valid: ours (tls.cert), or its authorities (tls.ca). Below 0: expired.',
    ['bank', 'certificate'],
  ),
  recollect_database_connections: gauge(
    'Connections of this process to PostgreSQL: in use, or idle, of the pool for requests (api) or for collections (engine).',
    ['pool', 'state'],
  ),
  recollect_database_connections_max: gauge('The most that this process opens.', ['pool']),
  recollect_database_connections_waiting: gauge(
    'Pieces of work of this process that wait for a connection.',
    ['pool'],
  ),

  recollect_http_request_duration_seconds: histogram(
    'How long requests took, by the first part of their path and the class of their status.',
    ['area', 'status'],
    OWN_WORK,
  ),
  recollect_http_work: gauge(
    'Requests that are worked on (running) or queued (waiting), by class of work.',
    ['work', 'state'],
  ),
  recollect_http_refused_total: counter(
    'Requests refused because there were too many at once, by class of work.',
    ['work'],
  ),
  recollect_log_events_total: counter('Lines of the log from warn on, by event.', [
    'event',
    'level',
  ]),
} as const satisfies Readonly<Record<string, Metric>>;

type Table = typeof METRICS;
export type MetricName = keyof Table;
/** The names of the metrics of a kind. */
export type NameOf<K extends Metric['kind']> = {
  [N in MetricName]: Table[N]['kind'] extends K ? N : never;
}[MetricName];
/** The value of each label of a metric. */
export type LabelsOf<N extends MetricName> = Readonly<Record<Table[N]['labels'][number], string>>;
