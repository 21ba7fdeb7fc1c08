import { isRouteErrorResponse, useRouteError } from 'react-router';
import { BASE } from '../app/base.ts';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { useTitle } from '../ui/page.tsx';
import { NotFoundPage } from './not-found-page.tsx';

const OUTDATED =
  'There is a new version of the dashboard, or you lost your connection. Reload the page.';
const BROKEN =
  'Something went wrong on our side, and nothing was changed. Reload the page. If it happens again, tell us what you were doing.';

/** Whether a page's code could not be fetched: mostly because a new version of the dashboard has been deployed. */
function isOutdated(error: unknown): boolean {
  return error instanceof TypeError && /import|module/i.test(error.message);
}

const TITLE = 'This page could not be shown';

/** Replaces a page that crashed. */
export function CrashPage() {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return isMissing ? <NotFoundPage /> : <Broken error={error} />;
}

function Broken({ error }: { error: unknown }) {
  useTitle(TITLE);
  const advice = isOutdated(error) ? OUTDATED : BROKEN;
  return (
    <div className="page lost" role="alert">
      <h1 tabIndex={-1}>{TITLE}</h1>
      <p className="page-lead">{advice}</p>
      {error instanceof Error ? <p className="quiet small">{error.message}</p> : null}
      <div className="actions">
        <Button variant="primary" onPress={() => location.reload()}>
          Reload
        </Button>
        <LinkButton href={`${BASE}/`}>Go to the overview</LinkButton>
      </div>
    </div>
  );
}

/** The same outside the page frame. */
export function CrashOutside() {
  return (
    <main id="main">
      <CrashPage />
    </main>
  );
}
