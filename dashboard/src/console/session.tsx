import { createContext, type ReactNode, use } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ErrorState } from '../ui/data/error-state.tsx';
import { TimeZoneProvider } from '../ui/values/time-zone.tsx';
import { isSignedOut } from './api/client.ts';
import { type Operator, type Role, useOperator } from './api/operators.ts';

const Me = createContext<Operator | null>(null);

/** Operators work by the clocks of London, as banks and settlements do. */
const TIME_ZONE = 'Europe/London';

/** Shows the pages to signed-in operators; sends everyone else to sign in. */
export function OperatorGate({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const me = useOperator();
  const { pathname, search } = useLocation();
  if (isSignedOut(me.error))
    return <Navigate to={`/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`} replace />;
  if (me.data !== undefined)
    return (
      <Me value={me.data}>
        <TimeZoneProvider timeZone={TIME_ZONE}>{children}</TimeZoneProvider>
      </Me>
    );
  if (!me.isError) return waiting;
  return (
    <main id="main" className="page lost">
      <h1 tabIndex={-1}>The console could not be loaded</h1>
      <ErrorState error={me.error} onRetry={() => void me.refetch()} />
    </main>
  );
}

/** Whether whoever is signed in may do what takes a role; every role reads. */
export function useMay(role: Role): boolean {
  return useMe().roles.includes(role);
}

/** Shows what takes a role to operators who have it. */
export function For({ may, children }: { may: Role; children: ReactNode }) {
  return useMay(may) ? children : null;
}

/** Returns the operator who is signed in. Throws outside the gate. */
export function useMe(): Operator {
  const me = use(Me);
  if (me === null) throw new Error('useMe outside the session');
  return me;
}
