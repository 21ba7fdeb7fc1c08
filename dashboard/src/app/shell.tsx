import { useCallback, useState } from 'react';
import { ProofGate } from '../pages/settings/proof/proof-gate.tsx';
import { NowProvider } from '../ui/values/time-zone.tsx';
import { AppFrame } from './app-frame.tsx';
import { Starting } from './frame.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { AccountNotice } from './notices/account-notice.tsx';
import { HoldNotice } from './notices/hold-notice.tsx';
import { useFreshness, usePulse } from './pulse.ts';
import { SandboxBar } from './sandbox-bar.tsx';
import { OpenSearch, useSearchShortcut } from './search/search-context.ts';
import { SearchDialog } from './search/search-dialog.tsx';
import { SessionGate } from './session.tsx';
import { Sidebar } from './sidebar.tsx';

function Inside() {
  const pulse = usePulse();
  useFreshness(pulse);
  const [isSearching, setSearching] = useState(false);
  const openSearch = useCallback(() => setSearching(true), []);
  useSearchShortcut(openSearch);
  return (
    <NowProvider now={pulse.now}>
      <OpenSearch value={openSearch}>
        <AppFrame
          sidebar={(onLeave) => <Sidebar {...(onLeave === undefined ? {} : { onLeave })} />}
          above={
            <>
              <SandboxBar pulse={pulse} />
              <HoldNotice />
              <AccountNotice />
            </>
          }
        />
        <LeaveGuard />
        <ProofGate />
        {isSearching ? <SearchDialog onClose={() => setSearching(false)} /> : null}
      </OpenSearch>
    </NowProvider>
  );
}

/** The frame of every page behind the sign-in. */
export function Shell() {
  return (
    <SessionGate waiting={<Starting />}>
      <Inside />
    </SessionGate>
  );
}
