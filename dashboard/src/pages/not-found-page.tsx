import { LinkButton } from '../ui/link-button.tsx';
import { useTitle } from '../ui/page.tsx';

const TITLE = 'There is no page at this address';

/** Stands where the dashboard has no page. */
export function NotFoundPage() {
  useTitle(TITLE);
  return (
    <div className="page lost">
      <p className="lost-code" aria-hidden="true">
        404
      </p>
      <h1 tabIndex={-1}>{TITLE}</h1>
      <p className="page-lead">
        It may have been mistyped, or the link is old. Everything is reachable from the overview.
      </p>
      <div className="actions">
        <LinkButton variant="primary" to="/">
          Go to the overview
        </LinkButton>
      </div>
    </div>
  );
}
