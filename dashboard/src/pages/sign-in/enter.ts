import { useNavigate, useSearchParams } from 'react-router';
import { queryClient } from '../../app/query-client.ts';

/** Only places within the dashboard: never another site, whatever a link says. */
function placeOf(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}

/** Goes in, to where one wanted to go before the sign-in. */
export function useEnter(): () => void {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return () => {
    queryClient.clear();
    void navigate(placeOf(search.get('next')), { replace: true });
  };
}
