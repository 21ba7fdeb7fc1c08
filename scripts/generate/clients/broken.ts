/** Where a text that is too long may be broken: what stands before a bracket, the parts in it, and what follows. */
interface Parts {
  readonly before: string;
  readonly parts: readonly string[];
  readonly after: string;
}

const OPENING = '([{';
const CLOSING = ')]}';

/** Splits a text at the commas in its first bracket, those of brackets within it excepted; null: it has none. */
function partsOf(text: string): Parts | null {
  const start = text.search(/[([{]/);
  if (start < 0) return null;
  const parts: string[] = [];
  let [depth, from, isQuoted] = [0, start + 1, false];
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (OPENING.includes(char)) depth += 1;
    const isEnd = CLOSING.includes(char) && --depth === 0;
    if (isEnd || (char === ',' && depth === 1)) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
    if (isEnd)
      return {
        before: text.slice(0, start + 1),
        parts: parts.filter(Boolean),
        after: text.slice(at),
      };
  }
  return null;
}

/**
 * Breaks an expression or definition of Python or PHP that is wider than `width` in its first bracket, one part on each line, and
 * so on within the parts. `indent` is that of the line on which it begins.
 */
export function broken(text: string, indent: string, width: number): string {
  if (indent.length + text.length <= width) return text;
  const found = partsOf(text);
  if (found === null) return text;
  const inner = `${indent}    `;
  const { before, parts, after } = found;
  // Behind a lone part in square brackets a comma would make it a tuple.
  const comma = parts.length === 1 && before.endsWith('[') ? '' : ',';
  const lines = parts.map((part) => `${inner}${broken(part, inner, width - 1)}${comma}\n`);
  return `${before}\n${lines.join('')}${indent}${after}`;
}
