import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedView } from '../../../server/src/dashboard/saved-views/view.ts';
import { dashboard } from './client.ts';

export type { SavedView };

const KEY = ['saved-views'];

/** Fetches the views that the team has saved, of all lists. */
export function useSavedViews() {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => (await dashboard.get<{ data: SavedView[] }>('/api/views')).data,
  });
}

/** Saves a view of a list, and deletes one. */
export function useViewActions() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: KEY });
  return {
    save: useMutation({
      mutationFn: (view: Omit<SavedView, 'id'>) => dashboard.post<SavedView>('/api/views', view),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => dashboard.delete(`/api/views/${encodeURIComponent(id)}`),
      onSuccess,
    }),
  };
}
