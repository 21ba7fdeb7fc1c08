/** How what an act is about stood at a moment. */
export type Ground = Readonly<Record<string, string>>;

/** Returns what is no longer as it was when an act was prepared, by field; null: everything is. */
export function changesOf(before: Ground, now: Ground): Record<string, string> | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = names.filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return null;
  return Object.fromEntries(
    changed.map((name) => [name, `was ${before[name] ?? 'unset'}, is ${now[name] ?? 'unset'}`]),
  );
}
