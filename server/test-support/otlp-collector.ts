import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A span as OTLP's JSON carries it. */
export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
}

/** A line of the log as OTLP's JSON carries it. */
export interface OtlpLine {
  traceId?: string;
  eventName?: string;
  severityText: string;
  body: { stringValue: string };
}

/** A collector that keeps what it is sent: OTLP over HTTP, in JSON. */
export interface Collector {
  url: string;
  spans: OtlpSpan[];
  lines: OtlpLine[];
  /** Everything as it came. */
  text(): string;
  close(): Promise<void>;
}

interface Traces {
  resourceSpans?: { scopeSpans: { spans: OtlpSpan[] }[] }[];
  resourceLogs?: { scopeLogs: { logRecords: OtlpLine[] }[] }[];
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const spans: OtlpSpan[] = [];
  const lines: OtlpLine[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    bodies.push(body);
    const { resourceSpans = [], resourceLogs = [] } = JSON.parse(body) as Traces;
    for (const { scopeSpans } of resourceSpans)
      spans.push(...scopeSpans.flatMap((one) => one.spans));
    for (const { scopeLogs } of resourceLogs)
      lines.push(...scopeLogs.flatMap((one) => one.logRecords));
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  while (server.address() === null) await sleep(1);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    lines,
    text: () => bodies.join('\n'),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
