/** The heading under which changes are written until a release. */
const UNRELEASED = '## [Unreleased]';
/** What the introduction says until there is a release. */
const BEFORE_THE_FIRST = / There is no release yet: below is what [\d.]+, the first one, holds\.\n/;

const headingOf = (version: string, date: string): string => `## [${version}] - ${date}`;

/** Returns where the section under a heading that begins with these words begins and ends; null: there is none. */
function sectionAt(text: string, heading: string): { from: number; to: number } | null {
  const start = `\n${text}`.indexOf(`\n${heading}`);
  if (start < 0) return null;
  const from = text.indexOf('\n', start);
  const next = text.indexOf('\n## ', from);
  return { from, to: next < 0 ? text.length : next + 1 };
}

/** Returns what the changelog says of a release, without its heading; null: it is not in it. */
export function notesOf(text: string, version: string): string | null {
  const section = sectionAt(text, `## [${version}] - `);
  return section === null ? null : text.slice(section.from, section.to).trim();
}

/**
 * Cuts the changelog: what stands under `[Unreleased]` becomes the release of that version and date (`2026-12-01`), and an empty
 * `[Unreleased]` stands above it. Throws if there is nothing to release, or the version was released before.
 */
export function cutChangelog(text: string, version: string, date: string): string {
  if (notesOf(text, version) !== null)
    throw new Error(`CHANGELOG.md has a release ${version} already`);
  const section = sectionAt(text, UNRELEASED);
  if (section === null) throw new Error(`CHANGELOG.md has no heading "${UNRELEASED}"`);
  const changes = text.slice(section.from, section.to).trim();
  if (changes === '') throw new Error('CHANGELOG.md has nothing under "[Unreleased]"');
  const rest = text.slice(section.to);
  return [
    text.slice(0, section.from).replace(BEFORE_THE_FIRST, '\n'),
    `\n\n${headingOf(version, date)}\n\n${changes}\n`,
    rest === '' ? '' : `\n${rest}`,
  ].join('');
}
