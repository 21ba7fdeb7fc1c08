import { RecollectError } from '@recollect/sdk';
import { useQuery } from '@tanstack/react-query';
import type { Report as Health } from '../../../../server/src/operators/health/report.ts';

const EVERY_MS = 10_000;

/** Reads the health; a process that fails says so with 503, with the same report. */
async function readHealth(): Promise<Health> {
  const response = await globalThis.fetch('/health', { cache: 'no-store' });
  if (response.ok || response.status === 503) return (await response.json()) as Health;
  throw new RecollectError({
    code: 'unexpected_response',
    message: `Unexpected response (HTTP status ${response.status}).`,
    status: response.status,
  });
}

export function useHealth() {
  return useQuery({ queryKey: ['health'], queryFn: readHealth, refetchInterval: EVERY_MS });
}
