import { createHash } from 'node:crypto';

/** All that happened, and how often what kind of trouble was made. */
export class History {
  readonly #lines: string[] = [];
  readonly counts = new Map<string, number>();
  readonly #now: () => Temporal.Instant;

  constructor(now: () => Temporal.Instant) {
    this.#now = now;
  }

  /** Something happened at this virtual moment. */
  note(...words: readonly (string | number)[]): void {
    this.#lines.push(`${this.#now().toString()} ${words.join(' ')}`);
  }

  /** What our own books say, added at the end. */
  add(lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(line);
  }

  /** Counts something for the figures. */
  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  get length(): number {
    return this.#lines.length;
  }

  /** What was added since it was so long. */
  since(length: number): string[] {
    return this.#lines.slice(length);
  }

  /** The lines, in an order that depends on nothing but them. */
  sorted(): string[] {
    return [...this.#lines].sort();
  }

  /** Over all lines. */
  sha256(): string {
    const hash = createHash('sha256');
    for (const line of this.sorted()) hash.update(`${line}\n`);
    return hash.digest('hex');
  }
}

/** What was answered, in a word. */
export function wordOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  if (typeof answer !== 'object' || answer === null) return '';
  if ('outcome' in answer) return String(answer.outcome);
  return 'status' in answer ? String(answer.status) : '';
}
