import type { ImportResult } from '@recollect/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { recollect } from './client.ts';

/** How far an import, or its check, is: 0 to 1. */
type Share = number;

/** Checks a file, or imports it, and says how far it is. */
export function useImport(checkOnly: boolean) {
  const [share, setShare] = useState<Share>(0);
  const run = useMutation({
    mutationFn: async (file: File): Promise<ImportResult> => {
      setShare(0);
      const content = new Uint8Array(await file.arrayBuffer());
      return recollect.schedules.import(content, {
        checkOnly,
        onProgress: ({ done, total }) => setShare(total === 0 ? 1 : done / total),
      });
    },
  });
  return { ...run, share };
}
