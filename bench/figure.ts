/** One of the figures of docs/performance.md: what it measures, and how. */
export interface Figure {
  /** The word after `npm run bench --`, and the name of its file of results. */
  name: string;
  title: string;
  /** Measures, telling its progress by `say`. */
  run(options: FigureOptions): Promise<Row[]>;
}

export interface FigureOptions {
  /** Rounds of each contender; the middle one counts. */
  rounds: number;
  /** The full sizes, which may take an hour; otherwise those that fit into minutes. */
  isFull: boolean;
  say(line: string): void;
}

/** One line of a table: what was measured under which circumstances. Times, rates and sizes carry their unit in their name. */
export type Row = Readonly<Record<string, number | string>>;

/** A file of results: enough to draw the plot and to judge what it is worth. */
export interface Results {
  figure: string;
  title: string;
  measuredAt: string;
  rounds: number;
  machine: {
    cores: number;
    cpu: string;
    memoryGiB: number;
    node: string;
    postgres: string;
    /** Runnable processes, averaged over the minute before the first round: what else was running. */
    loadBefore: number;
  };
  rows: Row[];
}
