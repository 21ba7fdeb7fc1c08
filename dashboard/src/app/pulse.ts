import { RecollectError } from '@recollect/sdk';
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { PulseView } from '../../../server/src/dashboard/pulse-view.ts';
import { dashboard } from '../api/client.ts';
import { REQUESTS } from '../api/developers.ts';
import { renew } from './query-client.ts';
import { useMe } from './session.tsx';

const EVERY_MS = 2_000;
const PULSE = 'pulse';

/**
 * Asks every other second, while the tab is seen, whether anything has changed. It begins with what came with the member, who
 * is asked for before any page: what happens between a page's first answer and the first pulse would not be news otherwise.
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
    // Off the team, perhaps: asked again at each refusal, as one question may get no answer.
    if (refusedAt !== null) void client.invalidateQueries({ queryKey: ['me'] });
  }, [client, refusedAt]);
  return data;
}

/**
 * Has refetched what the pulse says has changed: the request log separately, because each request is one more line of it
 * and changes nothing else; everything when anything else has. For the shell, once.
 */
export function useFreshness(pulse: PulseView): void {
  const client = useQueryClient();
  useNews(pulse.version, () => renew(client, { predicate: isShown }));
  useNews(pulse.requests_version, () => renew(client, { queryKey: [REQUESTS] }));
}

const isShown = ({ queryKey }: Query): boolean => queryKey[0] !== PULSE;

/** Calls back when a version is another one than before. */
function useNews(version: string, changed: () => Promise<void>): void {
  const seen = useRef(version);
  const onChange = useEffectEvent(changed);
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    void onChange();
  }, [version]);
}
