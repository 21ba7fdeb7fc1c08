import type { Details } from './fields.ts';

const ZERO = /^-?0(?:\.0+)?(?:[eE].*)?$/;
/** Most numbers are so short that there is nothing to compare. */
const PLAIN = /^-?\d{1,15}$/;
const INEXACT_NUMBER = 'is a number that JSON readers would change: send it as a string';
const DUPLICATE_KEY = 'is given more than once';

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
  if (PLAIN.test(text) || ZERO.test(text)) return true;
  const value = Number(text);
  if (!Number.isFinite(value) || value === 0) return false;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return decimalOf(text) === decimalOf(String(value));
}

/** An object or array that is open: the names that it has had (null: an array), and where in it we are. */
interface Open {
  names: Set<string> | null;
  at: string | number;
}

/** Deeper values are refused by `unstorable`: there is no need to read on. */
const MAX_DEPTH = 64;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Returns where the text that begins with the quote at `from` ends: the place of its last quote. */
function endOfText(json: string, from: number): number {
  let end = json.indexOf('"', from + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json[before] === '\\') before--;
  return (at - before) % 2 === 0;
}

/** Reads valid JSON mark by mark, and notes what readers take differently. */
class Reading {
  readonly details: Details = Object.create(null);
  readonly #json: string;
  readonly #open: Open[] = [];
  #isName = false;

  constructor(json: string) {
    this.#json = json;
  }

  /** Reads the mark, text, number or blank at a place; returns the place after it. */
  read(at: number): number {
    const character = this.#json[at] ?? '';
    switch (character) {
      case '"':
        return this.#text(at);
      case '{':
      case '[':
        this.#open.push({ names: character === '{' ? new Set() : null, at: 0 });
        this.#isName = character === '{';
        return this.#open.length > MAX_DEPTH ? this.#json.length : at + 1;
      case '}':
      case ']':
        this.#open.pop();
        this.#isName = false;
        return at + 1;
      case ',':
        this.#goOn();
        return at + 1;
      default:
        return character === '-' || (character >= '0' && character <= '9')
          ? this.#number(at)
          : at + 1;
    }
  }

  #goOn(): void {
    const inside = this.#open.at(-1);
    this.#isName = inside?.names !== null;
    if (inside !== undefined && typeof inside.at === 'number') inside.at++;
  }

  #text(at: number): number {
    const end = endOfText(this.#json, at);
    const inside = this.#open.at(-1);
    if (this.#isName && inside?.names) {
      const text = this.#json.slice(at, end + 1);
      const name = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
      inside.at = name;
      if (inside.names.has(name)) this.#note(DUPLICATE_KEY);
      inside.names.add(name);
      this.#isName = false;
    }
    return end + 1;
  }

  #number(at: number): number {
    NUMBER.lastIndex = at;
    const [text = ' '] = NUMBER.exec(this.#json) ?? [];
    if (!isExact(text)) this.#note(INEXACT_NUMBER);
    return at + text.length;
  }

  #note(wrong: string): void {
    this.details[this.#open.map((one) => one.at).join('.') || 'body'] = wrong;
  }
}

/**
 * Returns what a text of valid JSON says that its readers take differently: numbers that change on the way, and names that an
 * object has twice. Such a body means one thing to its sender and another to us: docs/rules/api.md#strict-bodies.
 */
export function inexact(json: string): Details {
  const reading = new Reading(json);
  for (let at = 0; at < json.length; ) at = reading.read(at);
  return { ...reading.details };
}
