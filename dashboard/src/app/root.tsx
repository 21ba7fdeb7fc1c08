import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';

/** Moves the focus to the new page, as a browser would: to its heading, or else its main part. */
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

/** The frame of every page, signed in or not. */
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
