/** What we read of dependency-cruiser's JSON answer. */
export interface Cruise {
  readonly modules: ReadonlyArray<{ readonly source: string }>;
  readonly summary: {
    readonly violations: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
      readonly cycle?: ReadonlyArray<{ readonly name: string }>;
      readonly via?: ReadonlyArray<{ readonly name: string }>;
    }>;
  };
}

/**
 * The broken rules of a cruise, one a line, and every TypeScript file that it did not read: without
 * its parser it would read none and find every rule kept.
 */
export function structureProblems(cruise: Cruise, paths: readonly string[]): string[] {
  const read = new Set(cruise.modules.map(({ source }) => source));
  const unread = paths.filter((path) => /[.]tsx?$/.test(path) && !read.has(path));
  const broken = cruise.summary.violations.map(({ from, to, rule, cycle, via }) => {
    const steps = (cycle ?? via ?? [{ name: to }]).map(({ name }) => name);
    return `${from}  ${rule.name}: → ${steps.join(' → ')}`;
  });
  return [...broken.sort(), ...unread.map((path) => `${path}  was not read by dependency-cruiser`)];
}
