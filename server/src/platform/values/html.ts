/** What an attribute or a text of a page may not contain, also where an attribute has no quotes. */
const SPECIAL = /["&'<=>`]/g;

const escaped = (text: string): string =>
  text.replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`);

/** The text of a value: nothing for null and undefined, the members of a list one after the other. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join('') : String(value);
}

/**
 * Makes HTML of a template: whatever stands in `${…}` is escaped. `!${…}` is taken as it is: write it only around HTML that this
 * function made, or that stands in our own code.
 */
export function html({ raw }: TemplateStringsArray, ...values: readonly unknown[]): string {
  const parts = values.map((value, index) => {
    const before = raw[index] ?? '';
    // The mark is looked for in the template alone: a value that ends in ! marks nothing.
    return before.endsWith('!')
      ? before.slice(0, -1) + textOf(value)
      : before + escaped(textOf(value));
  });
  return parts.join('') + (raw[values.length] ?? '');
}
