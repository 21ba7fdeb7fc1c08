/** Returns a page with other text between its two markers, `<!-- name -->` and `<!-- end of name -->`; null: it lacks them. */
export function withMarked(page: string, name: string, text: string): string | null {
  const marker = `<!-- ${name} -->\n`;
  const begin = page.indexOf(marker);
  const end = page.indexOf(`<!-- end of ${name} -->`, begin);
  if (begin < 0 || end < 0) return null;
  return `${page.slice(0, begin)}${marker}${text}${page.slice(end)}`;
}
