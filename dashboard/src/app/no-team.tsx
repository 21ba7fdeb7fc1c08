import { Button } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';
import { leave } from './sign-out.ts';

const TITLE = 'You are not on this merchant’s team';

/** Shown to a signed-in user who is not on any team. */
export function NoTeam() {
  useTitle(TITLE);
  return (
    <main id="main" className="page lost">
      <h1 tabIndex={-1}>{TITLE}</h1>
      <p className="page-lead">
        An owner may have removed you. Ask them for an invitation, or sign in with another account.
      </p>
      <div className="actions">
        <Button variant="primary" onPress={leave}>
          Sign out
        </Button>
      </div>
    </main>
  );
}
