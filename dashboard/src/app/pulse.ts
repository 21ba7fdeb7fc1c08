import { RecollectError } from '@recollect/sdk';
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { PulseView } from '../../../server/src/dashboard/pulse-view.ts';
import { dashboard } from '../api/client.ts';
import { REQUESTS } from '../api/developers.ts';
import { REPORTS } from '../api/reports.ts';
import { renew } from './query-client.ts';
import { useMe } from './session.tsx';

const EVERY_MS = 2_000;
const PULSE = 'pulse';

/**
 * Polls every other second, while the tab is visible, whether anything has changed. It starts from the pulse that came with the
 * member, which is fetched before any page: otherwise a change between a page's first response and the first pulse would go
 * unnoticed.
 */
export function usePulse(): PulseView {
  const client = useQueryClient();
  const me = useMe();
  const { data, error, errorUpdatedAt } = useQuery({
    queryKey: [PULSE],
    queryFn: () => dashboard.get<PulseView>('/api/pulse'),
    initialData: me.pulse,
    refetchInterval: EVERY_MS,
    staleTime: 0,
    retry: false,
  });
  const isRefused = error instanceof RecollectError && error.status === 403;
  const refusedAt = isRefused ? errorUpdatedAt : null;
  useEffect(() => {
    // The user may have left the team: refetch at each refusal, because a single request may fail.
    if (refusedAt !== null) void client.invalidateQueries({ queryKey: ['me'] });
  }, [client, refusedAt]);
  return data;
}

/**
 * Refetches what the pulse reports as changed: for the request log only the log, because each request adds a line to it and
 * changes nothing else; for any other change everything but the reports, which are of one moment. For the shell, once.
 */
export function useFreshness(pulse: PulseView): void {
  const client = useQueryClient();
  useVersionChange(pulse.version, () => renew(client, { predicate: isShown }));
  useVersionChange(pulse.requests_version, () => renew(client, { queryKey: [REQUESTS] }));
}

const isShown = ({ queryKey }: Query): boolean => queryKey[0] !== PULSE && queryKey[0] !== REPORTS;

/** Calls `changed` when the version changes. */
function useVersionChange(version: string, changed: () => Promise<void>): void {
  const seen = useRef(version);
  const onChange = useEffectEvent(changed);
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    void onChange();
  }, [version]);
}
