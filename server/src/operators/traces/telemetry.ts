import { randomBytes } from 'node:crypto';
import { context, type Link, logs, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { VERSION } from '../../platform/config/config.ts';
import type { NewIds, RecordSpan, Span, SpanIds } from './spans.ts';

/** A line of the log from `warn` on, its fields redacted. */
export interface Line {
  level: 'warn' | 'error';
  event: string;
  message: string;
  fields: object;
  /** The span that it belongs to; absent: none. */
  ids: SpanIds | undefined;
}

/** Sends spans and lines to a collector, in batches, in the background. */
export interface Telemetry {
  record: RecordSpan;
  newIds: NewIds;
  log(line: Line): void;
  /** Sends what is left, and ends. */
  close(): Promise<void>;
}

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };
const SEVERITIES = { warn: 13, error: 17 } as const;
const SAMPLED = 1;

const newSpanId = (): string => randomBytes(8).toString('hex');
const newIds: NewIds = () => ({ traceId: randomBytes(16).toString('hex'), spanId: newSpanId() });
const linkTo = (ids: SpanIds): Link => ({ context: { ...ids, traceFlags: SAMPLED } });

/**
 * Starts OpenTelemetry's SDK, which reads its standard variables itself: where to send, with which headers, what is sampled. The
 * ids of a span are ours, so that a payment's trace goes on in whatever process works on it.
 */
export async function startTelemetry(): Promise<Telemetry> {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources');
  let next = newIds();
  const ours = { 'service.name': 'recollect', 'service.version': VERSION };
  const sdk = new NodeSDK({
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    resource: defaultResource().merge(resourceFromAttributes(ours)),
    instrumentations: [],
    metricReaders: [],
  });
  sdk.start();
  const tracer = trace.getTracer('recollect', VERSION);
  const logger = logs.getLogger('recollect', VERSION);
  const record: RecordSpan = (span) => {
    next = idsOf(span);
    const { name, kind, startMs, endMs, attributes, error, partOf } = span;
    const isInside = partOf?.traceId === next.traceId;
    const links = partOf === undefined || isInside ? [] : [linkTo(partOf)];
    const options = { kind: KINDS[kind], startTime: startMs, attributes, links, root: !isInside };
    const started = tracer.startSpan(name, options, isInside ? within(partOf) : context.active());
    if (error !== null) started.setStatus({ code: SpanStatusCode.ERROR, message: error });
    started.end(endMs);
  };
  return {
    record,
    newIds,
    log: ({ level, event, message, fields, ids }) =>
      logger.emit({
        severityNumber: SEVERITIES[level],
        severityText: level.toUpperCase(),
        eventName: event,
        body: message,
        attributes: { fields: JSON.stringify(fields) },
        ...(ids === undefined ? {} : { context: within(ids) }),
      }),
    async close() {
      await sdk.shutdown();
      trace.disable();
      logs.disable();
      context.disable();
    },
  };
}

const idsOf = ({ ids, traceId }: Span): SpanIds =>
  ids ?? { ...newIds(), ...(traceId === undefined ? {} : { traceId }) };

const within = (ids: SpanIds) =>
  trace.setSpanContext(context.active(), { ...ids, traceFlags: SAMPLED });
