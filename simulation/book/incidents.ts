/** Something went wrong in this time, for whomever it concerns; what is not over yet ends at infinity. */
export interface Trouble {
  from: number;
  until: number;
}

/** Whoever is concerned by what went wrong everywhere. */
export const EVERYWHERE = '*';

/** What went wrong, when, and for whom: where nothing did, there is one lawful answer and no other. */
export class Incidents {
  readonly #of = new Map<string, Trouble[]>();

  /** Something went wrong for these: payments, consents, banks, merchants, wallets. */
  note(names: readonly string[], from: number, until = from): Trouble {
    const trouble = { from, until };
    for (const name of names) {
      const known = this.#of.get(name) ?? [];
      known.push(trouble);
      this.#of.set(name, known);
    }
    return trouble;
  }

  /** Whether anything went wrong for one of these between two moments. */
  touches(names: readonly string[], from: number, until: number): boolean {
    return names.some((name) =>
      (this.#of.get(name) ?? []).some((one) => one.until >= from && one.from <= until),
    );
  }

  /** The end of what went wrong last for one of these in this time; null: nothing did. */
  lastIn(names: readonly string[], from: number, until: number): number | null {
    let last: number | null = null;
    for (const name of names)
      for (const one of this.#of.get(name) ?? [])
        if (one.until >= from && one.from <= until) last = Math.max(last ?? 0, one.until);
    return last;
  }
}
