/** One of the figures of docs/performance.md: what it measures, and how. */
export interface Figure {
  /** The word after `npm run bench --`, and the name of its results file. */
  name: string;
  title: string;
  /** Measures, reporting progress through `say`. */
  run(options: FigureOptions): Promise<Row[]>;
}

export interface FigureOptions {
  /** Rounds per contender; the median counts. */
  rounds: number;
  /** The full sizes, which may take an hour; otherwise those that take minutes. */
  isFull: boolean;
  say(line: string): void;
}

/** One row of a table: a measurement and its circumstances. Times, rates and sizes have their unit in their name. */
export type Row = Readonly<Record<string, number | string>>;

/** How the name of a row begins that says what the machine allows, and not what a contender reached. */
export const BOUND = 'the machine: ';

/** A results file: enough to draw the plot and to judge its value. */
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
