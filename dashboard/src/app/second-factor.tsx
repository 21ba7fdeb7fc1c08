import { lazy, Suspense, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';
import { leave } from './sign-out.ts';

/** The QR code's library is loaded only for the set-up. */
const TwoFactorSetUpDialog = lazy(async () => ({
  default: (await import('../pages/settings/security/two-factor-set-up.tsx')).TwoFactorSetUpDialog,
}));

const TITLE = 'Set up two-factor sign-in';

/** Shown instead of every page to a member without the second factor that their team requires. */
export function SecondFactorNeeded() {
  const [isOpen, setOpen] = useState(false);
  useTitle(TITLE);
  return (
    <main id="main" className="page lost">
      <h1 tabIndex={-1}>{TITLE}</h1>
      <p className="page-lead">
        Your team requires a second factor. You need an authenticator app on your phone, and your
        password. Everything else opens once you have entered the first code.
      </p>
      <div className="actions">
        <Button variant="primary" onPress={() => setOpen(true)}>
          Set up
        </Button>
        <Button onPress={leave}>Sign out</Button>
      </div>
      {isOpen ? (
        <Suspense fallback={null}>
          <TwoFactorSetUpDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </main>
  );
}
