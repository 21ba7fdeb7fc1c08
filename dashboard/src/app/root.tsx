import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';

/** Moves the reader to the new page, as a browser would: focus goes to its heading, else to its main part. */
function useFocusOnArrival(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    const main = document.getElementById('main');
    const target = main?.querySelector<HTMLElement>('h1') ?? main;
    target?.focus({ preventScroll: true });
  }, [pathname]);
}

/** What stands around every page, signed in or not. */
export function Root() {
  const { state } = useNavigation();
  useFocusOnArrival();
  return (
    <>
      {state === 'idle' ? null : <div className="loading-bar" aria-hidden="true" />}
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
