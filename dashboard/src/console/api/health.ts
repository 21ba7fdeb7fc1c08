import { type BankCondition, RecollectError } from '@recollect/sdk';
import { useQuery } from '@tanstack/react-query';

interface Partner {
  status: 'answers' | 'no_answer' | 'not_called';
  answered_seconds_ago: number | null;
  failed_seconds_ago: number | null;
  failures_in_a_row: number;
}

/** The health of the process behind this port. */
export interface Health {
  status: 'ok' | 'degraded' | 'failing';
  problems: { part: string; says: string; runbook: string }[];
  database: { status: 'answers' | 'cannot_write' | 'no_answer'; milliseconds: number | null };
  engine: {
    status: 'running' | 'stuck' | 'stopped' | 'not_here';
    looked_seconds_ago: number | null;
    behind: { stage: string; seconds: number }[] | null;
  };
  banks: {
    bank: string;
    stopped: boolean | null;
    condition: BankCondition | null;
    since_seconds: number | null;
    waiting: { payments: number } | null;
  }[];
  issuer: Partner;
  bank_holidays: { extra: string[]; without: string[] };
}

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
