import type { Stage } from '../../platform/engine/stage.ts';
import type { Log } from '../../platform/log/log.ts';
import { redactFields } from '../../platform/log/log.ts';
import { LOG_EVENTS } from '../../platform/log/log-events.ts';
import { realNow } from '../../platform/time/clock.ts';
import type { Sender } from '../../webhooks/sender.ts';
import { type CallResult, measureCalls } from '../metrics/calls.ts';
import { current, recordAbout, runAs } from './spans.ts';
import type { Telemetry } from './telemetry.ts';
import { paymentIdsIn, traceIdOf } from './trace-id.ts';

// Like what measures, this works from outside. Attributes are ids, codes and numbers: no names, accounts, amounts or secrets.

const realMs = (): number => realNow().epochMilliseconds;

/** Returns the name of an error's class: its message may quote what does not belong in a trace. */
const nameOf = (error: unknown): string =>
  error instanceof Error ? error.constructor.name : 'Error';

/** Returns the same stage, each of whose runs that found work is a span. */
export function traceStage(stage: Stage, { record, newIds }: Telemetry): Stage {
  return {
    ...stage,
    async run(now, limit) {
      const ids = newIds();
      const startMs = realMs();
      const ended = (items: number, error: string | null): void =>
        record({
          name: `stage ${stage.name}`,
          kind: 'internal',
          startMs,
          endMs: realMs(),
          attributes: { 'recollect.stage': stage.name, 'recollect.items': items },
          error,
          ids,
        });
      try {
        const items = await runAs(ids, () => stage.run(now, limit));
        if (items > 0) ended(items, null);
        return items;
      } catch (error) {
        ended(0, nameOf(error));
        throw error;
      }
    },
  };
}

/** Returns the same port, each of whose calls is a span in the trace of every payment that it is about. */
export function traceCalls<T extends object>(port: T, peer: string, { record }: Telemetry): T {
  return measureCalls(port, {
    besides: [],
    outcomeOf: (result: CallResult) => ('error' in result ? nameOf(result.error) : ''),
    done: (operation, outcome, seconds, about) => {
      const endMs = realMs();
      recordAbout(record, about, {
        name: `${peer} ${operation}`,
        kind: 'client',
        startMs: endMs - seconds * 1000,
        endMs,
        attributes: { 'peer.service': peer, 'recollect.operation': operation },
        error: outcome === '' ? null : outcome,
      });
    },
  });
}

const EVENT = /^\{"event":"([a-z_.]+)"/;

/** Returns the same sender, each of whose webhooks is a span in its payment's trace. */
export function traceSender(sender: Sender, { record }: Telemetry): Sender {
  return {
    async send(outgoing) {
      const startMs = realMs();
      const answer = await sender.send(outgoing);
      recordAbout(record, outgoing.body, {
        name: `webhook ${EVENT.exec(outgoing.body)?.[1] ?? 'test'}`,
        kind: 'client',
        startMs,
        endMs: realMs(),
        attributes: { 'http.response.status_code': answer.status ?? 0 },
        error: answer.error === null ? null : 'not acknowledged',
      });
      return answer;
    },
    close: () => sender.close(),
  };
}

/** Records a request that was answered; `route` null: no route serves its path. */
export function traceRequest(
  { record }: Telemetry,
  route: string | null,
  status: number,
  elapsedMs: number,
): void {
  const endMs = realMs();
  record({
    name: route ?? 'unknown path',
    kind: 'server',
    startMs: endMs - elapsedMs,
    endMs,
    attributes: { 'http.route': route ?? '', 'http.response.status_code': status },
    error: status >= 500 ? String(status) : null,
  });
}

/** Returns the same log, whose events go to the collector too, with the trace of the one payment that they name. */
export function traceLog(log: Log, { log: send, newIds }: Telemetry): Log {
  return {
    ...log,
    report(event, given) {
      const fields = given ?? {};
      const [paymentId, ...others] = paymentIdsIn(fields);
      const isOfOne = paymentId !== undefined && others.length === 0;
      const ids = isOfOne ? { ...newIds(), traceId: traceIdOf(paymentId) } : current();
      const { level, message } = LOG_EVENTS[event];
      send({ level, event, message, fields: redactFields(fields), ids });
      log.report(event, fields);
    },
  };
}
