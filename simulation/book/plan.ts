import { firstAfter, isSameRhythm, momentOf, type Policy, type Rhythm } from './rhythm.ts';

/** What a merchant and its customer agreed to. */
export interface Terms {
  pence: number;
  isPerOccurrence: boolean;
  rhythm: Rhythm;
  policy: Policy;
  endAt: number | null;
}

/** Something that decides what is collected, in milliseconds. */
export type Act = { at: number } & (
  | { kind: 'agreed'; terms: Terms; until: number }
  | { kind: 'paused'; resumeAt: number | null | undefined }
  | { kind: 'resumed' }
  | { kind: 'ended' }
  | { kind: 'doubted' }
);

/** A merchant has set what one occurrence collects; null: nothing, undefined: as usual again. */
export interface Setting {
  at: number;
  due: number;
  pence: number | null | undefined;
}

/** An occurrence that has come. */
export interface Expected {
  due: number;
  /** What it may collect; empty: nothing, and its merchant is told so. */
  pence: readonly number[];
  /** Where several answers are lawful, it may also be missing. */
  isCertain: boolean;
}

/** Two processes differ by up to a minute, and what falls due is done in steps of up to five. */
const BEFORE = 6 * 60_000;
const AFTER = 2 * 60_000;

/** Whether a moment lies so near to an act that it may come before or after it. */
export const isNear = (acts: readonly Act[], due: number): boolean =>
  acts.some((act) => due >= act.at - BEFORE && due <= endOf(act) + AFTER);

const endOf = (act: Act): number => (act.kind === 'agreed' ? act.until : act.at);

/** Returns every occurrence that has come up to now, from what was agreed and done. */
export function occurrencesOf(
  acts: readonly Act[],
  settings: readonly Setting[],
  now: number,
): Expected[] {
  const walk = new Walk(acts, settings);
  for (const [n, act] of acts.entries()) {
    if (act.at > now) break;
    walk.goTo(act.at);
    walk.take(act);
    walk.goTo(Math.min(now, acts[n + 1]?.at ?? now));
  }
  return walk.all();
}

/** The life of a schedule, from act to act. */
class Walk {
  readonly #acts: readonly Act[];
  readonly #settings: readonly Setting[];
  readonly #found = new Map<number, Expected>();
  #terms: Terms | null = null;
  #state: 'waiting' | 'active' | 'paused' | 'ended' = 'waiting';
  #resumeAt: number | null = null;
  /** The next occurrence, and up to which they may have come already. */
  #next = 0;
  #maybe = -1;
  /** Until then it is open whether the last agreement holds already. */
  #openUntil = 0;
  #isDoubted = false;

  constructor(acts: readonly Act[], settings: readonly Setting[]) {
    this.#acts = acts;
    this.#settings = settings;
  }

  all(): Expected[] {
    return [...this.#found.values()].sort((a, b) => a.due - b.due);
  }

  /** What comes up to a moment. */
  goTo(at: number): void {
    const resumeAt = this.#resumeAt;
    if (this.#state === 'paused' && resumeAt !== null && resumeAt <= at) {
      this.#resumeAt = null;
      if (this.#terms !== null) this.#resume(resumeAt - 1);
    }
    if (this.#terms === null || this.#state !== 'active') return;
    for (;;) {
      const due = momentOf(this.#terms, this.#next);
      if (due === null || due > at) return;
      this.#come(this.#terms, due, this.#next > this.#maybe);
      this.#next += 1;
    }
  }

  #come(terms: Terms, due: number, isNew: boolean): void {
    const isOpen = due <= this.#openUntil || isNear(this.#acts, due);
    const pence = this.#penceAt(terms, due);
    const known = this.#found.get(due);
    this.#found.set(due, {
      due,
      pence: [...new Set([...(known?.pence ?? []), ...pence])],
      isCertain: isNew && !isOpen && !this.#isDoubted && (known?.isCertain ?? true),
    });
  }

  #penceAt(terms: Terms, due: number): number[] {
    const usual = terms.isPerOccurrence ? null : terms.pence;
    let pence: number | null = usual;
    for (const one of this.#settings)
      if (one.due === due && one.at <= due) pence = one.pence === undefined ? usual : one.pence;
    return pence === null ? [] : [pence];
  }

  take(act: Act): void {
    if (this.#state === 'ended') return;
    if (act.kind === 'agreed') this.#agree(act);
    else if (act.kind === 'paused') {
      // A pause that repeats one, and does not say until when, leaves that as it is.
      if (this.#state !== 'paused' || act.resumeAt !== undefined)
        this.#resumeAt = act.resumeAt ?? null;
      this.#state = 'paused';
    } else if (act.kind === 'resumed') {
      this.#resumeAt = null;
      if (this.#state === 'paused') this.#resume(act.at);
    } else if (act.kind === 'ended') this.#state = 'ended';
    else this.#isDoubted = true;
  }

  #resume(after: number): void {
    this.#state = 'active';
    if (this.#terms !== null) this.#next = Math.max(this.#next, firstAfter(this.#terms, after));
  }

  /** What was agreed holds at some moment until `until`; in between, the old terms and the new ones are lawful. */
  #agree({ at, until, terms }: Extract<Act, { kind: 'agreed' }>): void {
    const old = this.#terms;
    this.#terms = terms;
    this.#openUntil = Math.max(this.#openUntil, until);
    if (this.#state === 'waiting') this.#state = 'active';
    if (old === null || !isSameRhythm(old.rhythm, terms.rhythm)) {
      if (old !== null && this.#state === 'active') this.#stillOld(old, until);
      this.#next = firstAfter(terms, at);
      this.#maybe = -1;
      return;
    }
    // The n-th occurrence stays the n-th, wherever it moves. One that has passed in a pause may come back by a move, or not.
    if (this.#state === 'paused') this.#maybe = Math.max(this.#maybe, firstAfter(old, at) - 1);
    this.#next = Math.max(this.#next, this.#state === 'active' ? firstAfter(old, at) : 0);
    if (this.#state === 'active') this.#maybe = Math.max(this.#maybe, this.#stillOld(old, until));
  }

  /** The occurrences of the old terms while it is open which hold. Returns the number of the last. */
  #stillOld(old: Terms, until: number): number {
    let last = -1;
    for (let n = this.#next; ; n++) {
      const due = momentOf(old, n);
      if (due === null || due > until) return last;
      this.#come(old, due, false);
      last = n;
    }
  }
}
