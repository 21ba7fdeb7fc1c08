import type { NoticeKind } from './kinds.ts';
import type { Facts, Setting } from './sentences.ts';
import { letterOf } from './words.ts';

/** About two text messages: gateways charge for each part. */
const LONGEST = 300;
/** What remains of a sentence, however long the link is. */
const SHORTEST_SENTENCE = 40;

/** Characters that phones' own alphabet has, for those that would make a text message twice as long. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[“”„]/g, '"'],
  [/[‘’‚]/g, "'"],
  [/[–—]/g, '-'],
  [/…/g, '...'],
  // A line break or an invisible character of a name would change how the message reads.
  [/[\p{Cc}\p{Cf}\s]+/gu, ' '],
];

const plain = (text: string): string =>
  PLAIN.reduce((left, [form, by]) => left.replace(form, by), text).trim();

const DOTS = '...';

/** Cuts a text to so many characters, never within one. */
function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, Math.max(0, most - DOTS.length));
  return `${kept.replace(/[\ud800-\udbff]$/, '').trimEnd()}${DOTS}`;
}

/**
 * Returns a notice to a customer as a text message: a sentence of its email and the link. It has at most 300 characters as
 * long as the link leaves room; the description is cut first, then the sentence, the link never.
 */
export function textOf(kind: NoticeKind, facts: Facts, setting: Setting): string {
  return `${sentenceOf(kind, facts, setting)}${linkOf(kind, facts, setting)}`;
}

/** Returns the sentence of a text message as it is sent, without the link behind it. */
export function sentenceOf(kind: NoticeKind, facts: Facts, setting: Setting): string {
  const room = Math.max(SHORTEST_SENTENCE, LONGEST - linkOf(kind, facts, setting).length);
  const whole = wholeSentence(kind, facts, setting);
  if (whole.length <= room) return whole;
  const description = plain(facts.description ?? '');
  const short = cutTo(description, description.length - (whole.length - room));
  return cutTo(wholeSentence(kind, { ...facts, description: short }, setting), room);
}

function linkOf(kind: NoticeKind, facts: Facts, setting: Setting): string {
  const { button } = letterOf(kind, facts, setting);
  return button === undefined ? '' : ` ${button.url}`;
}

/** The subject says what it is about, except that of a change, which the first line names. */
function wholeSentence(kind: NoticeKind, facts: Facts, setting: Setting): string {
  const { subject, lines } = letterOf(kind, facts, setting);
  const sentence = plain(kind === 'payment_changes' ? (lines[0] ?? subject) : subject);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
