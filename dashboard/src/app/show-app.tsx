import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { Toasts } from '../ui/overlays/toast.tsx';
import { queryClient } from './query-client.ts';

/** Shows an app's pages in the document. */
export function showApp(router: ComponentProps<typeof RouterProvider>['router']): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
}
