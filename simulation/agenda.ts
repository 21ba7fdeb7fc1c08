/** Something that somebody will do. */
interface Entry {
  at: Temporal.Instant;
  /** Orders what falls on one moment; unique. */
  name: string;
  act: () => Promise<void> | void;
}

function isBefore(a: Entry, b: Entry): boolean {
  const order = Temporal.Instant.compare(a.at, b.at);
  return order === 0 ? a.name < b.name : order < 0;
}

/** What merchants, customers and partners will do, in the order of time; what falls on one moment by name. */
export class Agenda {
  readonly #entries: Entry[] = [];
  #added = 0;

  /** Notes it down; among those of one moment and name the earlier noted comes first. */
  add(at: Temporal.Instant, name: string, act: Entry['act']): void {
    this.#added += 1;
    const entry = { at, name: `${name} ${String(this.#added).padStart(12, '0')}`, act };
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#entries[middle];
      if (other !== undefined && isBefore(other, entry)) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
  }

  /** The next moment at which somebody does something. */
  next(): Temporal.Instant | null {
    return this.#entries[0]?.at ?? null;
  }

  /** Does what has come; answers how much. What an act adds for the same moment is done too. */
  async actUntil(now: Temporal.Instant): Promise<number> {
    let done = 0;
    for (;;) {
      const [first] = this.#entries;
      if (first === undefined || Temporal.Instant.compare(first.at, now) > 0) return done;
      this.#entries.shift();
      await first.act();
      done += 1;
    }
  }
}
