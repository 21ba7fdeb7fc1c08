/** The parts of dependency-cruiser's JSON output that we read. */
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
 * Returns the violations of a cruise, one per line, and every TypeScript file that it did not read: without its parser it would
 * read none and report no violation.
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
