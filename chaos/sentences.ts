/** Counts the services' log messages, by sentence. */
export class Sentences {
  readonly counts = new Map<string, number>();
  /** What the services reported of broken laws of money, a line each. */
  readonly brokenLaws: string[] = [];

  /** Counts a line of a log: ours is JSON, anything else comes from Node itself. */
  hear(line: string): void {
    const sentence = sentenceOf(line);
    if (sentence === null) return;
    this.counts.set(sentence, (this.counts.get(sentence) ?? 0) + 1);
    if (line.includes('"event":"law.broken"')) this.brokenLaws.push(line.trim());
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
