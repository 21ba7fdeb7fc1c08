// The messages between the runner and its workers.

/** An order of the runner: the path of a test file to run, or null: no file is left. */
export interface Order {
  file: string | null;
}

/** The result of a test, or of a `describe` around some. */
export interface Outcome {
  name: string;
  /** Its place in the source, as `file:line:column`. */
  place: string;
  kind: 'test' | 'suite';
  state: 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo';
  /** Why it failed, as Node shows the error. Empty: it passed, or failed only because of a test inside. */
  error: string;
}

/** A worker's report on the file that it runs. */
export type Report =
  | ({ type: 'outcome' } & Outcome)
  /** Something failed outside every test, or was left open. */
  | { type: 'stray'; error: string }
  | { type: 'done'; cpuMs: number };
