import { RecollectError } from '@recollect/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, use, useEffect } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import type { MeView } from '../../../server/src/dashboard/me/view.ts';
import {
  chooseMerchant,
  chosenMerchant,
  dashboard,
  onRepeated,
  onSignedOut,
} from '../api/client.ts';
import { rememberSso, teamRequiringSso } from '../api/people/sso.ts';
import { ErrorState } from '../ui/data/error-state.tsx';
import { toast } from '../ui/overlays/toast.tsx';
import { TimeZoneProvider } from '../ui/values/time-zone.tsx';
import { BASE } from './base.ts';
import { NoTeam } from './no-team.tsx';
import { queryClient } from './query-client.ts';
import { SecondFactorNeeded } from './second-factor.tsx';
import { Session } from './session-context.ts';
import { SsoNeeded } from './sso-needed.tsx';

export type { MeView };
/** What a member may do; MeView lists this member's permissions. */
export type Permission = MeView['merchant']['permissions'][number];

const lacksSecondFactor = (error: unknown): boolean =>
  error instanceof RecollectError && error.code === 'second_factor_required';

/** Stay on the set-up until it completes: its backup codes are shown only once. */
const mayRefetch = ({ state }: { state: { error: unknown } }): boolean =>
  !lacksSecondFactor(state.error);

async function fetchMe(): Promise<MeView> {
  try {
    return await dashboard.get<MeView>('/api/me');
  } catch (error) {
    const isStale = error instanceof RecollectError && [403, 404].includes(error.status);
    const isAtTheDoor = lacksSecondFactor(error) || teamRequiringSso(error) !== null;
    if (!isStale || isAtTheDoor || chosenMerchant() === null) throw error;
    chooseMerchant(null); // the merchant chosen last time is no longer this member's
    return dashboard.get<MeView>('/api/me');
  }
}

/** Returns the path to sign in and come back to the current page. */
function useSignInPath(): string {
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  return here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`;
}

/** Shows the page to signed-in members; sends everyone else to sign in. */
export function SessionGate({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: fetchMe,
    staleTime: 60_000,
    refetchOnWindowFocus: mayRefetch,
    refetchOnReconnect: mayRefetch,
  });
  const signInPath = useSignInPath();
  const navigate = useNavigate();
  useEffect(
    () =>
      onSignedOut(() => {
        queryClient.clear();
        void navigate(signInPath, { replace: true });
      }),
    [navigate, signInPath],
  );
  useEffect(() => onRepeated(() => toast('Your first try worked. It was not done again.')), []);
  const { data } = me;
  useEffect(() => {
    if (data === undefined) return;
    chooseMerchant(data.merchant.id);
    if (data.uses_sso) rememberSso(data.merchant.id);
  }, [data]);
  const ssoTeam = teamRequiringSso(me.error);
  if (ssoTeam !== null) return <SsoNeeded team={ssoTeam} />;
  if (lacksSecondFactor(me.error)) return <SecondFactorNeeded />;
  if (me.error instanceof RecollectError && me.error.status === 403) return <NoTeam />;
  if (data !== undefined)
    return (
      <Session value={data}>
        <TimeZoneProvider timeZone={data.merchant.time_zone}>{children}</TimeZoneProvider>
      </Session>
    );
  if (!me.isError) return waiting;
  if (me.error instanceof RecollectError && me.error.status === 401)
    return <Navigate to={signInPath} replace />;
  return (
    <main id="main" className="page lost">
      <h1 tabIndex={-1}>The dashboard could not be loaded</h1>
      <ErrorState error={me.error} onRetry={() => void me.refetch()} />
    </main>
  );
}

/** Returns the signed-in user, their merchant and their permissions. Throws outside the session gate. */
export function useMe(): MeView {
  const me = use(Session);
  if (me === null) throw new Error('useMe outside the session');
  return me;
}

/** Returns whether the member's role allows it. */
export function useCan(permission: Permission): boolean {
  return useMe().merchant.permissions.includes(permission);
}

/** Shows its children if the member's role allows it, and `otherwise` if not. */
export function Can(props: { do: Permission; children: ReactNode; otherwise?: ReactNode }) {
  return useCan(props.do) ? props.children : (props.otherwise ?? null);
}

/** Switches to another of the member's merchants. */
export function switchMerchant(id: string): void {
  chooseMerchant(id);
  location.assign(`${BASE}/`);
}
