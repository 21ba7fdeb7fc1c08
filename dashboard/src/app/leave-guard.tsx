import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Button } from '../ui/button.tsx';
import { hasUnsavedChanges, isDiscarding } from '../ui/fields/unsaved.ts';
import { Dialog, DialogActions } from '../ui/overlays/dialog.tsx';

/** Whoever has been signed out must get to the sign-in page, whatever they have typed. */
const ALWAYS_OPEN = '/sign-in';

/** Asks before a page with unsaved changes is left, by a link or by closing the window. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      nextLocation.pathname !== currentLocation.pathname &&
      nextLocation.pathname !== ALWAYS_OPEN &&
      !isDiscarding(nextLocation.state) &&
      hasUnsavedChanges(),
  );
  useAskBeforeClosing();
  if (blocker.state !== 'blocked') return null;
  const stay = () => blocker.reset();
  return (
    <Dialog isOpen onClose={stay} title="Leave without saving?" size="small" isAlert>
      <div className="dialog-body">
        <p>What you have entered on this page is not saved.</p>
      </div>
      <DialogActions>
        <Button onPress={stay} autoFocus>
          Keep editing
        </Button>
        <Button variant="danger" onPress={() => blocker.proceed()}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Has the browser ask, in its own words, before it closes or reloads the page. */
function useAskBeforeClosing(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsavedChanges()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
}
