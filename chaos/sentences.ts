/** What the services say in their logs, by sentence. */
export class Sentences {
  readonly counts = new Map<string, number>();
  /** The first line of each kind, for whoever wants to know more. */
  readonly first = new Map<string, string>();

  /** Takes a line of a log: one of ours is JSON, anything else is said by Node itself. */
  hear(line: string): void {
    const sentence = sentenceOf(line);
    if (sentence === null) return;
    this.counts.set(sentence, (this.counts.get(sentence) ?? 0) + 1);
    if (!this.first.has(sentence)) this.first.set(sentence, line);
  }
}

function sentenceOf(line: string): string | null {
  try {
    const { level, msg } = JSON.parse(line) as { level?: number; msg?: string };
    if (typeof msg !== 'string') return null;
    return `${level === 50 ? 'error' : level === 40 ? 'warn' : level} ${msg}`;
  } catch {
    return line.startsWith('recollect: ') ? line.slice(0, 110) : null;
  }
}
