import { lines, number, p95, type Row, rate, WINDOW } from './panel.ts';
import { BANKS, ISSUER, WEBHOOKS } from './partner-rows.ts';

const OVERVIEW: Row = {
  title: 'Overview',
  panels: [
    number('Processes', 'recollect_build_info', 'count(recollect_build_info)'),
    number(
      'Broken invariants',
      'recollect_invariant',
      'count(max by (law) (recollect_invariant{state="broken"}) > 0) or vector(0)',
    ),
    number(
      'Oldest overdue work',
      'recollect_stage_oldest_due_age_seconds',
      'max(recollect_stage_oldest_due_age_seconds)',
      's',
    ),
    number(
      'Unknown outcomes',
      'recollect_payments_outcome_unknown',
      'sum(max by (bank) (recollect_payments_outcome_unknown))',
    ),
    number(
      'Unallocated money',
      'recollect_unallocated_pence',
      'max(recollect_unallocated_pence) / 100',
      'currencyGBP',
    ),
    number(
      'Open differences',
      'recollect_reconciliation_open_items',
      'max(recollect_reconciliation_open_items)',
    ),
    number(
      'Unreadable parts',
      'recollect_scrape_error',
      'sum(max by (part) (recollect_scrape_error))',
    ),
    number(
      'First certificate expires in',
      'recollect_certificate_remaining_seconds',
      'min(recollect_certificate_remaining_seconds)',
      's',
    ),
  ],
};

const STAGES: Row = {
  title: 'Stages',
  panels: [
    lines(
      'Age of the oldest due work',
      'recollect_stage_oldest_due_age_seconds',
      'max by (stage) (recollect_stage_oldest_due_age_seconds)',
      '{{stage}}',
      's',
    ),
    lines(
      'Database answers and takes changes',
      'recollect_database_up',
      'min by (instance) (recollect_database_up)',
      '{{instance}}',
    ),
    lines(
      'Clocks against the database',
      'recollect_clock_skew_seconds',
      'max by (instance) (abs(recollect_clock_skew_seconds))',
      '{{instance}}',
      's',
    ),
    lines(
      'Throughput',
      'recollect_stage_items_total',
      rate('recollect_stage_items_total', 'stage'),
      '{{stage}}',
      'ops',
    ),
    lines(
      'Failed runs',
      'recollect_stage_failures_total',
      rate('recollect_stage_failures_total', 'stage'),
      '{{stage}}',
      'ops',
    ),
    lines(
      'Duration of a run (p95)',
      'recollect_stage_run_duration_seconds',
      p95('recollect_stage_run_duration_seconds', 'stage'),
      '{{stage}}',
      's',
    ),
  ],
};

const MONEY: Row = {
  title: 'Money',
  panels: [
    lines(
      'Invariants that are not kept',
      'recollect_invariant',
      'max by (law, state) (recollect_invariant{state!="kept"})',
      '{{law}} {{state}}',
    ),
    lines(
      'Time since the invariants were checked',
      'recollect_invariant_last_check_timestamp_seconds',
      'time() - max by (law) (recollect_invariant_last_check_timestamp_seconds)',
      '{{law}}',
      's',
    ),
    lines(
      'Held merchants',
      'recollect_merchants_held',
      'max by (hold) (recollect_merchants_held)',
      '{{hold}}',
    ),
    lines(
      'Waiting for a second operator',
      'recollect_operator_requests_waiting',
      'max by (kind) (recollect_operator_requests_waiting)',
      '{{kind}}',
    ),
    lines(
      'First end of an operator’s last key',
      'recollect_operator_key_expiry_seconds',
      'min(recollect_operator_key_expiry_seconds)',
      'ends',
      's',
    ),
    lines(
      'Seals of each encryption key',
      'recollect_vault_seals',
      'max by (key) (recollect_vault_seals)',
      '{{key}}',
    ),
    lines(
      'Unallocated items',
      'recollect_unallocated_items',
      'max(recollect_unallocated_items)',
      'items',
    ),
    lines(
      'Age of the oldest unallocated item',
      'recollect_unallocated_oldest_age_seconds',
      'max(recollect_unallocated_oldest_age_seconds)',
      'oldest',
      's',
    ),
    lines(
      'Age of the oldest open difference',
      'recollect_reconciliation_oldest_open_age_seconds',
      'max(recollect_reconciliation_oldest_open_age_seconds)',
      'oldest',
      's',
    ),
    lines(
      'Time since the last reconciliation',
      'recollect_reconciliation_last_report_timestamp_seconds',
      'time() - max(recollect_reconciliation_last_report_timestamp_seconds)',
      'last report',
      's',
    ),
    lines(
      'Last reconciliation complete',
      'recollect_reconciliation_last_report_complete',
      'min(recollect_reconciliation_last_report_complete)',
      'complete',
    ),
  ],
};

const REQUESTS: Row = {
  title: 'Requests',
  panels: [
    lines(
      'Requests by status',
      'recollect_http_request_duration_seconds',
      rate('recollect_http_request_duration_seconds_count', 'area, status'),
      '{{area}} {{status}}',
      'reqps',
    ),
    lines(
      'Duration of a request (p95)',
      'recollect_http_request_duration_seconds',
      p95('recollect_http_request_duration_seconds', 'area'),
      '{{area}}',
      's',
    ),
    lines(
      'Requests running and waiting',
      'recollect_http_work',
      'sum by (work, state) (recollect_http_work)',
      '{{work}} {{state}}',
    ),
    lines(
      'Refused requests',
      'recollect_http_refused_total',
      rate('recollect_http_refused_total', 'work'),
      '{{work}}',
      'reqps',
    ),
  ],
};

const PROCESSES: Row = {
  title: 'Processes',
  panels: [
    lines(
      'Database connections in use',
      'recollect_database_connections',
      'sum by (instance, pool) (recollect_database_connections{state="in_use"}) / sum by (instance, pool) (recollect_database_connections_max)',
      '{{instance}} {{pool}}',
      'percentunit',
    ),
    lines(
      'Work that waits for a connection',
      'recollect_database_connections_waiting',
      'sum by (instance, pool) (recollect_database_connections_waiting)',
      '{{instance}} {{pool}}',
    ),
    lines(
      'Warnings and errors of the log',
      'recollect_log_events_total',
      `sum by (event, level) (increase(recollect_log_events_total${WINDOW})) > 0`,
      '{{level}} {{event}}',
    ),
    lines(
      'Event-loop delay (p99)',
      {
        text: 'How late the event loop of a process is: above half a second it is blocked.',
      },
      'max by (instance) (nodejs_eventloop_lag_p99_seconds)',
      '{{instance}}',
      's',
    ),
    lines(
      'CPU',
      { text: 'Share of one core that a process uses.' },
      rate('process_cpu_seconds_total', 'instance'),
      '{{instance}}',
      'percentunit',
    ),
    lines(
      'Memory',
      { text: 'Memory of a process, code included.' },
      'max by (instance) (process_resident_memory_bytes)',
      '{{instance}}',
      'bytes',
    ),
  ],
};

/** Every row, in the order in which one looks: what is wrong, where, and with which process. */
export const ROWS: readonly Row[] = [
  OVERVIEW,
  STAGES,
  BANKS,
  ISSUER,
  MONEY,
  WEBHOOKS,
  REQUESTS,
  PROCESSES,
];
