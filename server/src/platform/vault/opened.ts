import type { Vault } from './vault.ts';

/** What lists and pages show again and again is opened once a minute. */
const KEPT_MS = 60_000;
/** How many texts are kept, before all are forgotten. */
const MOST_KEPT = 10_000;

const opened = new WeakMap<Pick<Vault, 'open'>, Map<string, string>>();

/** Forgets after a minute, whether or not anything is opened again. */
function openedBy(vault: Pick<Vault, 'open'>): Map<string, string> {
  const known = opened.get(vault);
  if (known !== undefined && known.size < MOST_KEPT) return known;
  const fresh = new Map<string, string>();
  opened.set(vault, fresh);
  setTimeout(() => {
    fresh.clear();
    if (opened.get(vault) === fresh) opened.delete(vault);
  }, KEPT_MS).unref();
  return fresh;
}

/**
 * Opens a text as `vault.open` does, and keeps it in memory for a minute at most, by what was sealed and by its context. For what
 * is shown to whoever may see it, never for what lets us in somewhere, such as a bank's tokens.
 */
export function openKept(vault: Pick<Vault, 'open'>, sealed: string, context: string): string {
  const plain = openedBy(vault);
  const key = `${context} ${sealed}`;
  const known = plain.get(key);
  if (known !== undefined) return known;
  const text = vault.open(sealed, context);
  plain.set(key, text);
  return text;
}
