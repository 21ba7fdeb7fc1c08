import { useNavigate, useSearchParams } from 'react-router';
import { queryClient } from '../../app/query-client.ts';

/** Returns a path within the dashboard only: never another site, whatever a link says. */
function localPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}

/** Returns a function that opens the page the user wanted before signing in. */
export function useEnter(): () => void {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return () => {
    queryClient.clear();
    void navigate(localPath(search.get('next')), { replace: true });
  };
}
