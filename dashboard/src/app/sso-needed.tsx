import { useLocation } from 'react-router';
import { ssoAddress } from '../api/people/sso.ts';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { useTitle } from '../ui/page.tsx';
import { leave } from './sign-out.ts';

const TITLE = 'Sign in with your company’s account';

/** Shown instead of every page to a member who came in another way than their team requires. */
export function SsoNeeded({ team }: { team: string }) {
  const { pathname, search } = useLocation();
  useTitle(TITLE);
  return (
    <main id="main" className="page lost">
      <h1 tabIndex={-1}>{TITLE}</h1>
      <p className="page-lead">
        Your team requires single sign-on. You come back to this page afterwards.
      </p>
      <div className="actions">
        <LinkButton variant="primary" href={ssoAddress(team, `${pathname}${search}`)}>
          Continue
        </LinkButton>
        <Button onPress={leave}>Sign out</Button>
      </div>
    </main>
  );
}
