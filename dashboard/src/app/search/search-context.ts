import { createContext, useContext, useEffect } from 'react';

/** Opens the search of everything. */
export const OpenSearch = createContext<() => void>(() => undefined);

/** Returns what opens the search of everything. */
export function useOpenSearch(): () => void {
  return useContext(OpenSearch);
}

/** How the shortcut is written on this machine. */
export const SHORTCUT = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** Calls `open` on ⌘K and Ctrl+K, wherever the focus is. */
export function useSearchShortcut(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return;
      if (!event.metaKey && !event.ctrlKey) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [open]);
}
