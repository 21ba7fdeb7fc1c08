import {
  AuthorisationDenied,
  AuthorisationInvalid,
  type Bank,
  BankRefused,
  BankUnavailable,
  SignatureRefused,
  TokenRefused,
} from '../../banks/bank.ts';
import type { BankOperation } from '../../banks/condition.ts';
import type { ConditionRecorder } from '../../banks/condition-recorder.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { WORK_CLASSES, type Work } from '../../platform/http/admission/work-queue.ts';
import type { Log } from '../../platform/log/log.ts';
import { LOG_EVENTS } from '../../platform/log/log-events.ts';
import { type Issuer, IssuerRefused, IssuerUnavailable } from '../../wallets/issuer.ts';
import type { Sender } from '../../webhooks/sender.ts';
import { type CallResult, measureCalls } from './calls.ts';
import type { Metrics } from './metrics.ts';

// What measures works from outside: nothing that is measured knows of it. A counter begins at 0 before its first event, or
// Prometheus would not see that event as an increase.

const MS_PER_SECOND = 1000;
const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / MS_PER_SECOND;

/** Returns the same stage, which counts what it claims, its failures, and how long its runs take. */
export function measureStage(stage: Stage, metrics: Metrics): Stage {
  const { name } = stage;
  metrics.count('recollect_stage_items_total', { stage: name }, 0);
  metrics.count('recollect_stage_failures_total', { stage: name }, 0);
  return {
    ...stage,
    async run(now, limit) {
      const started = performance.now();
      try {
        const items = await stage.run(now, limit);
        if (items > 0) {
          metrics.count('recollect_stage_items_total', { stage: name }, items);
          const took = secondsSince(started);
          metrics.observe('recollect_stage_run_duration_seconds', { stage: name }, took);
        }
        return items;
      } catch (error) {
        metrics.count('recollect_stage_failures_total', { stage: name });
        throw error;
      }
    },
  };
}

const BANK_OUTCOMES = ['ok', 'refused', 'no_answer', 'not_sent', 'not_let_in', 'defect'] as const;
type BankOutcome = (typeof BANK_OUTCOMES)[number];
const ISSUER_OUTCOMES = ['ok', 'refused', 'no_answer', 'defect'] as const;
const WEBHOOK_OUTCOMES = ['acknowledged', 'refused', 'no_answer'] as const;

/** Called with the outcome of each call. */
type RecordOutcome = (outcome: string, operation: string) => void;

/** Returns what counts each call of an operation by its outcome, from 0 on before its first, and passes the outcome on. */
function counting(
  outcomes: readonly string[],
  count: (operation: string, outcome: string, by: number) => void,
  note?: RecordOutcome,
): (operation: string, outcome: string) => void {
  const begun = new Set<string>();
  return (operation, outcome) => {
    if (!begun.has(operation)) for (const each of outcomes) count(operation, each, 0);
    begun.add(operation);
    count(operation, outcome, 1);
    note?.(outcome, operation);
  };
}

/** What the calls of a port are for, by the metrics' names of the operations. */
const OPERATION_OF: Readonly<Record<string, BankOperation>> = {
  create_consent: 'consent',
  authorisation_url: 'consent',
  complete_authorisation: 'consent',
  read_consent: 'consent',
  delete_consent: 'consent',
  refresh: 'token',
  confirm_funds: 'funds',
  submit_payment: 'payment',
  read_payment: 'read',
};
/** A refusal is an answer, and so is one that finds our request wrong. */
const WITHOUT_ANSWER = new Set(['no_answer', 'not_sent', 'not_let_in']);

/** Returns what notes the calls to a bank in its condition. */
export function conditionNote(
  keeper: Pick<ConditionRecorder, 'note'>,
  bankId: string,
): RecordOutcome {
  return (outcome, name) => {
    const operation = OPERATION_OF[name];
    if (operation !== undefined) keeper.note(bankId, operation, !WITHOUT_ANSWER.has(outcome));
  };
}

/** Returns the same bank, each of whose calls is counted by its outcome and timed. */
export function measureBank(bank: Bank, metrics: Metrics, note?: RecordOutcome): Bank {
  const { bankId } = bank;
  const count = counting(
    BANK_OUTCOMES,
    (operation, outcome, by) =>
      metrics.count('recollect_bank_calls_total', { bank: bankId, operation, outcome }, by),
    note,
  );
  return measureCalls(bank, {
    besides: ['verifyNotification'],
    outcomeOf: bankOutcome,
    done: (operation, outcome, seconds) => {
      count(operation, outcome);
      const labels = { bank: bankId, operation };
      metrics.observe('recollect_bank_call_duration_seconds', labels, seconds);
    },
  });
}

/** Returns the outcome of a call; null for what the connector answered without the bank. What did not reach it counts. */
function bankOutcome(result: CallResult, hasCalled: boolean): BankOutcome | null {
  const outcome = outcomeOfResult(result);
  return hasCalled || (outcome !== 'ok' && outcome !== 'refused') ? outcome : null;
}

function outcomeOfResult(result: CallResult): BankOutcome {
  if ('value' in result) return hasFailed(result.value) ? 'refused' : 'ok';
  const { error } = result;
  if (error instanceof BankUnavailable) return error.notSent ? 'not_sent' : 'no_answer';
  if (error instanceof TokenRefused || error instanceof SignatureRefused) return 'not_let_in';
  const isRefusal =
    error instanceof BankRefused ||
    error instanceof AuthorisationDenied ||
    error instanceof AuthorisationInvalid;
  return isRefusal ? 'refused' : 'defect';
}

/** Whether a bank's report says that the payment failed. */
function hasFailed(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'outcome' in value && value.outcome === 'failed'
  );
}

/** Returns the same issuer, each of whose calls is counted by its outcome and timed. */
export function measureIssuer(issuer: Issuer, metrics: Metrics, note?: RecordOutcome): Issuer {
  const count = counting(
    ISSUER_OUTCOMES,
    (operation, outcome, by) =>
      metrics.count('recollect_issuer_calls_total', { operation, outcome }, by),
    note,
  );
  return measureCalls(issuer, {
    besides: ['parseNotification'],
    outcomeOf: issuerOutcome,
    done: (operation, outcome, seconds) => {
      count(operation, outcome);
      metrics.observe('recollect_issuer_call_duration_seconds', { operation }, seconds);
    },
  });
}

function issuerOutcome(
  result: CallResult,
  hasCalled: boolean,
): (typeof ISSUER_OUTCOMES)[number] | null {
  if ('value' in result) return hasCalled ? 'ok' : null;
  if (result.error instanceof IssuerUnavailable) return 'no_answer';
  return result.error instanceof IssuerRefused ? 'refused' : 'defect';
}

/** Returns the same sender of webhooks, which counts and times what it sends. */
export function measureSender(sender: Sender, metrics: Metrics): Sender {
  for (const outcome of WEBHOOK_OUTCOMES)
    metrics.count('recollect_webhook_requests_total', { outcome }, 0);
  return {
    async send(outgoing) {
      const answer = await sender.send(outgoing);
      const refused = answer.status === null ? 'no_answer' : 'refused';
      const outcome = answer.error === null ? 'acknowledged' : refused;
      metrics.count('recollect_webhook_requests_total', { outcome });
      const seconds = answer.durationMs / MS_PER_SECOND;
      metrics.observe('recollect_webhook_request_duration_seconds', {}, seconds);
      return answer;
    },
    close: () => sender.close(),
  };
}

/** Returns the same log, which counts its events. */
export function measureLog(log: Log, metrics: Metrics): Log {
  for (const [event, { level }] of Object.entries(LOG_EVENTS))
    metrics.count('recollect_log_events_total', { event, level }, 0);
  return {
    ...log,
    report(event, fields) {
      const { level } = LOG_EVENTS[event];
      metrics.count('recollect_log_events_total', { event, level });
      log.report(event, fields);
    },
  };
}

/** Notes an HTTP request by the pattern of its route; null: no route serves its path. */
export function measureRequest(
  metrics: Metrics,
  route: string | null,
  status: number,
  elapsedMs: number,
): void {
  const area = route?.split('/')[1] ?? '';
  const labels = { area: area === '' ? 'other' : area, status: `${Math.trunc(status / 100)}xx` };
  metrics.observe('recollect_http_request_duration_seconds', labels, elapsedMs / MS_PER_SECOND);
}

/** Returns what counts the requests that are refused because there are too many. */
export function measureRefusals(metrics: Metrics): (work: Work) => void {
  for (const work of WORK_CLASSES) metrics.count('recollect_http_refused_total', { work }, 0);
  return (work) => metrics.count('recollect_http_refused_total', { work });
}
