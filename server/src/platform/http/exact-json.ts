import type { Details } from './fields.ts';

/** A token of JSON: text, a number, a mark, or a word. Blanks are skipped. */
const TOKEN =
  /[\s]*("[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\],:]|true|false|null)/y;

const ZERO = /^-?0(?:\.0+)?(?:[eE].*)?$/;
const CHANGED = 'is a number that JSON readers would change: send it as a string';
const TWICE = 'is given more than once';

/** Objects and arrays nested more deeply than this are refused by `unstorable`; their path is not followed. */
const DEEPEST = 64;

/** Returns the digits of a decimal number and the power of ten of the last one: equal pairs are equal numbers. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const last = Number(power) - part.length + (digits.length - significant.length);
  return `${sign}${significant}e${last}`;
}

/**
 * Whether every reader of JSON gets this number, and writes it as it was: no whole number beyond 2^53, and no more digits than a
 * double holds.
 */
export function isExact(text: string): boolean {
  if (ZERO.test(text)) return true;
  const value = Number(text);
  if (!Number.isFinite(value) || value === 0) return false;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return decimalOf(text) === decimalOf(String(value));
}

/** An object or array that is open: its path, the names it has had, and where in it we are. */
interface Open {
  path: string;
  names: Set<string> | null;
  at: string | number;
}

const pathIn = (open: Open | undefined): string => {
  if (open === undefined) return '';
  return open.path === '' ? String(open.at) : `${open.path}.${open.at}`;
};

/**
 * Returns what a text of valid JSON says that its readers take differently: numbers that change on the way, and names that an
 * object has twice. Such a body means one thing to its sender and another to us: docs/rules/api.md#bodies.
 */
export function inexact(json: string): Details {
  const details: Details = Object.create(null);
  const open: Open[] = [];
  const token = new RegExp(TOKEN);
  let isName = false;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const [, text = ''] = found;
    const inside = open.at(-1);
    if (text === '{' || text === '[') {
      const path = open.length > DEEPEST ? '' : pathIn(inside);
      open.push({ path, names: text === '{' ? new Set() : null, at: 0 });
      isName = text === '{';
    } else if (text === '}' || text === ']') {
      open.pop();
      isName = false;
    } else if (text === ',') {
      if (typeof inside?.at === 'number' && inside.names === null) inside.at++;
      isName = inside?.names !== null;
    } else if (isName && inside !== undefined) {
      noteName(inside, text, details);
      isName = false;
    } else if (/^[-\d]/.test(text) && !isExact(text)) {
      details[pathIn(inside) || 'body'] = CHANGED;
    }
  }
  return { ...details };
}

function noteName(inside: Open, text: string, details: Details): void {
  const name = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
  inside.at = name;
  if (inside.names?.has(name) === true) details[pathIn(inside)] = TWICE;
  inside.names?.add(name);
}
