/** How a language writes a value that JSON can carry. */
export interface Notation {
  readonly object: readonly [open: string, close: string];
  readonly list: readonly [open: string, close: string];
  readonly key: (name: string) => string;
  readonly text: (value: string) => string;
  /** True, false and null. */
  readonly words: readonly [yes: string, no: string, nothing: string];
  /** Between an object's brackets and what they hold on one line. */
  readonly gap: string;
  readonly indent: string;
  /** What follows the last part, where each is on a line of its own. */
  readonly last: ',' | '';
}

const WIDTH = 88;

/** Writes a value in a language: on one line where it fits behind what stands before it, else one part on each line. */
export function written(value: unknown, notation: Notation, indent = '', before = 0): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value === 'number') return String(value);
  const [yes, no, nothing] = notation.words;
  if (typeof value !== 'object') return value === true ? yes : no;
  if (value === null) return nothing;
  const inner = indent + notation.indent;
  const isList = Array.isArray(value);
  const [open, close] = isList ? notation.list : notation.object;
  const parts = (at: string): string[] =>
    isList
      ? value.map((one) => written(one, notation, at))
      : Object.entries(value).map(([name, one]) => {
          const key = notation.key(name);
          return key + written(one, notation, at, key.length);
        });
  const gap = isList ? '' : notation.gap;
  const flat = parts('').join(', ');
  const line = flat === '' ? open + close : open + gap + flat + gap + close;
  if (!flat.includes('\n') && indent.length + before + line.length <= WIDTH) return line;
  const lines = parts(inner).map((part) => inner + part);
  return `${open}\n${lines.join(',\n')}${notation.last}\n${indent}${close}`;
}

const quoted = (value: string): string => JSON.stringify(value);
const inSingle = (value: string): string =>
  `'${value.replaceAll(/[\\']/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`;

export const TYPESCRIPT: Notation = {
  object: ['{', '}'],
  list: ['[', ']'],
  key: (name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : inSingle(name)}: `,
  text: inSingle,
  words: ['true', 'false', 'null'],
  gap: ' ',
  indent: '  ',
  last: ',',
};

export const PYTHON: Notation = {
  object: ['{', '}'],
  list: ['[', ']'],
  key: (name) => `${quoted(name)}: `,
  text: quoted,
  words: ['True', 'False', 'None'],
  gap: '',
  indent: '    ',
  last: ',',
};

/** Between double quotes PHP reads escapes, and variables too. */
const inPhp = (value: string): string =>
  /[\r\n]/.test(value) ? quoted(value).replaceAll('$', '\\$') : inSingle(value);

export const PHP: Notation = {
  object: ['[', ']'],
  list: ['[', ']'],
  key: (name) => `${inSingle(name)} => `,
  text: inPhp,
  words: ['true', 'false', 'null'],
  gap: '',
  indent: '    ',
  last: ',',
};

export const JSON_TEXT: Notation = {
  object: ['{', '}'],
  list: ['[', ']'],
  key: (name) => `${quoted(name)}: `,
  text: quoted,
  words: ['true', 'false', 'null'],
  gap: ' ',
  indent: '  ',
  last: '',
};
