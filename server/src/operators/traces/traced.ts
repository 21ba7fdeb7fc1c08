import type { Stage } from '../../platform/engine/stage.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Sender } from '../../webhooks/sender.ts';

/** Wraps what a service does, so that it is traced. */
export interface Traced {
  stage(stage: Stage): Stage;
  calls<T extends object>(port: T, peer: string): T;
  sender(sender: Sender): Sender;
  log(log: Log): Log;
  request(route: string | null, status: number, elapsedMs: number): void;
  close(): Promise<void>;
}

/** Traces nothing, at no cost. */
export const NOT_TRACED: Traced = {
  stage: (stage) => stage,
  calls: (port) => port,
  sender: (sender) => sender,
  log: (log) => log,
  request: () => undefined,
  close: async () => undefined,
};

/** Starts to trace. OpenTelemetry's SDK is loaded for this alone: it takes a third of a second. */
export async function startTracing(): Promise<Traced> {
  const { startTelemetry } = await import('./telemetry.ts');
  const { traceCalls, traceLog, traceRequest, traceSender, traceStage } = await import(
    './trace.ts'
  );
  const telemetry = await startTelemetry();
  return {
    stage: (stage) => traceStage(stage, telemetry),
    calls: (port, peer) => traceCalls(port, peer, telemetry),
    sender: (sender) => traceSender(sender, telemetry),
    log: (log) => traceLog(log, telemetry),
    request: (...response) => traceRequest(telemetry, ...response),
    close: () => telemetry.close(),
  };
}
