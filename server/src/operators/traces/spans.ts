import { AsyncLocalStorage } from 'node:async_hooks';
import { paymentIdsIn, traceIdOf } from './trace-id.ts';

/** The ids of a span, in hexadecimal digits: 32 and 16. */
export interface SpanIds {
  traceId: string;
  spanId: string;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that has ended. */
export interface Span {
  name: string;
  kind: 'internal' | 'client' | 'server';
  /** By the machine's clock, also in the sandbox. */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** What went wrong; null: nothing did. */
  error: string | null;
  /** Its own ids; absent: the trace of its payment, or a new one. */
  ids?: SpanIds;
  traceId?: string;
  /** The run of a stage, or the request, that it was a part of. */
  partOf?: SpanIds | undefined;
}

/** Receives spans as they end. */
export type RecordSpan = (span: Span) => void;

/** Makes ids for a span whose own parts have to name it before it ends. */
export type NewIds = () => SpanIds;

/** The work that this code is a part of. */
const running = new AsyncLocalStorage<SpanIds>();

/** Runs `work` as a part of the span that has these ids. */
export const runAs = <T>(ids: SpanIds, work: () => T): T => running.run(ids, work);

/** Returns the ids of the span that this code is a part of. */
export const current = (): SpanIds | undefined => running.getStore();

/**
 * Records a piece of work in the trace of every payment that `about` names; if it names none, as a part of what runs. A span in a
 * payment's trace has a link to what runs.
 */
export function recordAbout(record: RecordSpan, about: unknown, span: Span): void {
  const partOf = current();
  const payments = paymentIdsIn(about);
  if (payments.length === 0)
    record({ ...span, partOf, ...(partOf === undefined ? {} : { traceId: partOf.traceId }) });
  for (const paymentId of payments)
    record({
      ...span,
      traceId: traceIdOf(paymentId),
      partOf,
      attributes: { ...span.attributes, 'recollect.payment_id': paymentId },
    });
}
