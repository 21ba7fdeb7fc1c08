import { useEffect, useState } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { BASE } from '../app/base.ts';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { useTitle } from '../ui/page.tsx';
import { NotFoundPage } from './not-found-page.tsx';

const BROKEN =
  'Something went wrong on our side, and nothing was changed. Reload the page. If it happens again, tell us what you were doing.';

/** Whether a page's code or style could not be fetched: without a connection, or after a new version was deployed. */
function isNotFetched(error: unknown): boolean {
  return error instanceof Error && /import|module|preload/i.test(error.message);
}

/** Replaces a page that crashed, or whose code could not be fetched. */
export function CrashPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return isNotFetched(error) ? <NotFetched /> : <Broken error={error} />;
}

const RELOADED_AT = 'recollect.reloaded-at';
/** A page that fails again so soon after a reload is not reloaded again: it would go round for ever. */
const ONCE_IN_MS = 30_000;
const POLL_MS = 2_000;

/** Whether the service answers. The browser's own word for it, `navigator.onLine`, only tells whether there is a network. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch(`${BASE}/`, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Reloads the page, once, as soon as the service answers; returns what it waits for, or that a reload did not help. */
function useReload(): 'looking' | 'offline' | 'useless' {
  const [standing, setStanding] = useState<'looking' | 'offline' | 'useless'>('looking');
  useEffect(() => {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < ONCE_IN_MS)
      return setStanding('useless');
    let timer = 0;
    let isLeft = false;
    const look = async () => {
      const isBack = await isReachable();
      if (isLeft) return;
      if (isBack) {
        sessionStorage.setItem(RELOADED_AT, String(Date.now()));
        return location.reload();
      }
      setStanding('offline');
      timer = window.setTimeout(() => void look(), POLL_MS);
    };
    void look();
    return () => {
      isLeft = true;
      window.clearTimeout(timer);
    };
  }, []);
  return standing;
}

/** A browser never asks again for code that it once failed to fetch, so nothing but a reload shows the page. */
function NotFetched() {
  const standing = useReload();
  switch (standing) {
    case 'looking':
      return null;
    case 'offline':
      return (
        <Lost title="You are offline">This page appears as soon as you are connected again.</Lost>
      );
    case 'useless':
      return (
        <Lost title="This page could not be loaded">
          The dashboard may be being updated. Wait a moment, then reload the page.
        </Lost>
      );
  }
}

function Broken({ error }: { error: unknown }) {
  return (
    <Lost title="This page could not be shown" detail={error instanceof Error ? error.message : ''}>
      {BROKEN}
    </Lost>
  );
}

interface LostProps {
  title: string;
  children: string;
  detail?: string;
}

function Lost({ title, children, detail = '' }: LostProps) {
  useTitle(title);
  return (
    <div className="page lost" role="alert">
      <h1 tabIndex={-1}>{title}</h1>
      <p className="page-lead">{children}</p>
      {detail === '' ? null : <p className="quiet small">{detail}</p>}
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
