import type { Replay } from '@recollect/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ReplayProgress, replayRange } from '../../api/webhooks.ts';
import { renew } from '../../app/query-client.ts';

/** A replay of a range with its progress; null: none was started. It stops when its page is left. */
export function useReplay() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<ReplayProgress | null>(null);
  const stopping = useRef<AbortController | null>(null);
  // Nobody could see it any more, nor stop it; and back on the page a second one could be started beside it.
  useEffect(() => () => stopping.current?.abort(), []);
  return {
    progress,
    /** Throws what a call throws; `progress` then tells how far it came. */
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
