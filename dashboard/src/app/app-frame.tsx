import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Link, Outlet } from 'react-router';
import { Wordmark } from '../ui/brand.tsx';
import { Menu as MenuIcon, X } from '../ui/icons.tsx';

interface FrameProps {
  /** The navigation; on a phone, `onLeave` closes the drawer around it. */
  sidebar: (onLeave?: () => void) => ReactNode;
  /** What stands above every page. */
  above?: ReactNode;
}

interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

function Drawer({ isOpen, onClose, children }: DrawerProps) {
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
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function TopBar({ sidebar }: Pick<FrameProps, 'sidebar'>) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <header className="top-bar">
      <Link to="/" className="brand">
        <Wordmark />
      </Link>
      <Button className="icon-button" aria-label="Menu" onPress={() => setOpen(true)}>
        <MenuIcon aria-hidden="true" />
      </Button>
      <Drawer isOpen={isOpen} onClose={close}>
        {sidebar(close)}
      </Drawer>
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

/** The frame around the pages of an app: a sidebar on wide screens, a bar with a drawer on a phone. */
export function AppFrame({ sidebar, above }: FrameProps) {
  return (
    <>
      <SkipLink />
      <div className="shell">
        <TopBar sidebar={sidebar} />
        <aside className="side">{sidebar()}</aside>
        <div className="stage">
          {above}
          <main id="main" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
    </>
  );
}
