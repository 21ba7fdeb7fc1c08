import { Button } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';
import { leave } from './sign-out.ts';

const TITLE = 'You are not on this merchant’s team';

/** For who is signed in and on nobody's team, any more or yet. */
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
