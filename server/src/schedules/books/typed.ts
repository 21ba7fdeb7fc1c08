import { parsePounds } from '../../platform/values/money.ts';

/** The kinds of objects that a search finds by the beginning of an id. */
export const ID_KINDS = ['sch', 'pay', 'cus', 'set'] as const;

/** What was typed into the search of everything, beside its words. */
export interface Typed {
  text: string;
  /** The beginning of an id. */
  id: { type: (typeof ID_KINDS)[number]; prefix: string } | null;
  /** An amount in pence. */
  pence: number | null;
}

/** An attempt's name at the bank stands for its payment. */
const ID = /^((?:sch|pay|cus|set)_[0-9A-Za-z]{1,22}?)(?:-a\d{1,3})?$/;
/** What has more digits is a number of something else. */
const LARGEST_TYPED = 99_999_999_999;

/** Reads what was typed: the beginning of an id, an amount in pounds, or text. */
export function readTyped(typed: string): Typed {
  const text = typed.trim();
  const prefix = ID.exec(text)?.[1];
  const type = ID_KINDS.find((kind) => prefix?.startsWith(kind));
  const pence = parsePounds(text);
  return {
    text,
    id: type === undefined || prefix === undefined ? null : { type, prefix },
    pence: pence !== null && pence <= LARGEST_TYPED ? pence : null,
  };
}
