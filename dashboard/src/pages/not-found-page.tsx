import { LinkButton } from '../ui/link-button.tsx';
import { useTitle } from '../ui/page.tsx';

const TITLE = 'Page not found';

/** Shown at an address without a page. */
export function NotFoundPage() {
  useTitle(TITLE);
  return (
    <div className="page lost">
      <p className="lost-code" aria-hidden="true">
        404
      </p>
      <h1 tabIndex={-1}>{TITLE}</h1>
      <p className="page-lead">The address may be mistyped, or the link may be out of date.</p>
      <div className="actions">
        <LinkButton variant="primary" to="/">
          Go to the overview
        </LinkButton>
      </div>
    </div>
  );
}
