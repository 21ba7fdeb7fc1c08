import { Menu as MenuIcon, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Link, Outlet } from 'react-router';
import { Logo } from '../ui/logo.tsx';
import { NowProvider } from '../ui/time-zone.tsx';
import { AccountNotice } from './account-notice.tsx';
import { Starting } from './frame.tsx';
import { HoldNotice } from './hold-notice.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { useFreshness, usePulse } from './pulse.ts';
import { SandboxBar } from './sandbox-bar.tsx';
import { OpenSearch, useSearchShortcut } from './search-context.ts';
import { SearchDialog } from './search-dialog.tsx';
import { SessionGate } from './session.tsx';
import { Sidebar } from './sidebar.tsx';

function Drawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <ModalOverlay
      className="overlay drawer-overlay"
      isOpen={isOpen}
      onOpenChange={onClose}
      isDismissable
    >
      <Modal className="drawer">
        <Dialog aria-label="Menu" className="drawer-inside">
          <Button
            className="icon-button drawer-close"
            aria-label="Close the menu"
            onPress={onClose}
          >
            <X aria-hidden="true" />
          </Button>
          <Sidebar onLeave={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function TopBar() {
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="top-bar">
      <Link to="/" className="brand">
        <Logo /> Recollect
      </Link>
      <Button className="icon-button" aria-label="Menu" onPress={() => setOpen(true)}>
        <MenuIcon aria-hidden="true" />
      </Button>
      <Drawer isOpen={isOpen} onClose={() => setOpen(false)} />
    </header>
  );
}

/** Focuses the page's content without an entry in the history, which the guard of unsaved changes would have to understand. */
function SkipLink() {
  return (
    <button
      type="button"
      className="skip-link"
      onClick={() => document.getElementById('main')?.focus()}
    >
      Skip to content
    </button>
  );
}

function Inside() {
  const pulse = usePulse();
  useFreshness(pulse);
  const [isSearching, setSearching] = useState(false);
  const openSearch = useCallback(() => setSearching(true), []);
  useSearchShortcut(openSearch);
  return (
    <NowProvider now={pulse.now}>
      <OpenSearch value={openSearch}>
        <SkipLink />
        <div className="shell">
          <TopBar />
          <aside className="side">
            <Sidebar />
          </aside>
          <div className="stage">
            <SandboxBar pulse={pulse} />
            <HoldNotice />
            <AccountNotice />
            <main id="main" tabIndex={-1}>
              <Outlet />
            </main>
          </div>
        </div>
        <LeaveGuard />
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
