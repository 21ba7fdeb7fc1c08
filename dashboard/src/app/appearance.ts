import { useSyncExternalStore } from 'react';

/** What a user may choose of how pages look; the first holds until another is chosen. */
export const APPEARANCE = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
} as const;
type Name = keyof typeof APPEARANCE;
type Choice<N extends Name> = (typeof APPEARANCE)[N][number];

const listeners = new Set<() => void>();

function current<N extends Name>(name: N): Choice<N> {
  const choices: readonly Choice<N>[] = APPEARANCE[name];
  const chosen = document.documentElement.dataset[name];
  return choices.find((each) => each === chosen) ?? APPEARANCE[name][0];
}

function choose<N extends Name>(name: N, choice: Choice<N>): void {
  const key = `recollect.${name}`;
  const isFirst = choice === APPEARANCE[name][0];
  if (isFirst) delete document.documentElement.dataset[name];
  else document.documentElement.dataset[name] = choice;
  try {
    if (isFirst) localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // No storage: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns what was chosen, and a function to choose otherwise; this browser keeps it. public/appearance.js sets it at first. */
export function useAppearance<N extends Name>(name: N): [Choice<N>, (choice: Choice<N>) => void] {
  const chosen = useSyncExternalStore(subscribe, () => current(name));
  return [chosen, (choice) => choose(name, choice)];
}
