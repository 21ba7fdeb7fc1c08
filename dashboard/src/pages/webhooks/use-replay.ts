import type { Replay } from '@recollect/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ReplayProgress, replayRange } from '../../api/webhooks.ts';
import { renew } from '../../app/query-client.ts';

/** Returns a replay of a range with its progress; null: none was started. It stops when the user leaves the page. */
export function useReplay() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<ReplayProgress | null>(null);
  const stopping = useRef<AbortController | null>(null);
  // After that it could be neither seen nor stopped, and back on the page a second one could be started beside it.
  useEffect(() => () => stopping.current?.abort(), []);
  return {
    progress,
    /** Throws what a call throws; `progress` then shows how far it came. */
    async start(range: Replay): Promise<void> {
      const controller = new AbortController();
      stopping.current = controller;
      setProgress(null);
      try {
        setProgress(await replayRange(range, controller.signal, setProgress));
      } finally {
        void renew(queries);
      }
    },
    stop: () => stopping.current?.abort(),
  };
}
