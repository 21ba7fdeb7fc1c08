import type { Vault } from './vault.ts';

/** What lists and pages show again and again is opened once a minute. */
const KEPT_MS = 60_000;
/** How many texts are kept, before all are forgotten. */
const MOST_KEPT = 10_000;

interface Opened {
  plain: Map<string, string>;
  untilMs: number;
}

const opened = new WeakMap<Pick<Vault, 'open'>, Opened>();

function openedBy(vault: Pick<Vault, 'open'>): Opened {
  const known = opened.get(vault);
  const nowMs = performance.now();
  if (known !== undefined && nowMs < known.untilMs && known.plain.size < MOST_KEPT) return known;
  const fresh = { plain: new Map<string, string>(), untilMs: nowMs + KEPT_MS };
  opened.set(vault, fresh);
  return fresh;
}

/**
 * Opens a text as `vault.open` does, and keeps it in memory for a minute at most, by what was sealed and by its context. For what
 * is shown to whoever may see it, never for what lets us in somewhere, such as a bank's tokens.
 */
export function openKept(vault: Pick<Vault, 'open'>, sealed: string, context: string): string {
  const { plain } = openedBy(vault);
  const key = `${context} ${sealed}`;
  const known = plain.get(key);
  if (known !== undefined) return known;
  const text = vault.open(sealed, context);
  plain.set(key, text);
  return text;
}
