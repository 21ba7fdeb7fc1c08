import { RecollectError } from '@recollect/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PulseView } from '../../../server/src/dashboard/pulse-view.ts';
import { dashboard } from '../api/client.ts';

const EVERY_MS = 2_000;
const PULSE = 'pulse';

/** Asks every other second, while the tab is seen, whether anything has changed. */
export function usePulse(): PulseView | undefined {
  const client = useQueryClient();
  const { data, error, errorUpdatedAt } = useQuery({
    queryKey: [PULSE],
    queryFn: () => dashboard.get<PulseView>('/api/pulse'),
    refetchInterval: EVERY_MS,
    staleTime: 0,
    retry: false,
  });
  const isRefused = error instanceof RecollectError && error.status === 403;
  const refusedAt = isRefused ? errorUpdatedAt : null;
  useEffect(() => {
    // Off the team, perhaps: asked anew at each refusal, as one question may get no answer.
    if (refusedAt !== null) void client.invalidateQueries({ queryKey: ['me'] });
  }, [client, refusedAt]);
  return data;
}

/** Has every answer fetched anew when the pulse says that something has changed. For the shell, once. */
export function useFreshness(pulse: PulseView | undefined): void {
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  const version = pulse?.version ?? null;
  useEffect(() => {
    if (version === null) return;
    const isNews = seen.current !== null && seen.current !== version;
    seen.current = version;
    if (!isNews) return;
    void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== PULSE });
  }, [client, version]);
}
