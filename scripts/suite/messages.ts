// What the runner and its workers tell each other.

/** What the runner orders: the path of a test file to run, or null: no file is left. */
export interface Order {
  file: string | null;
}

/** How a test, or a `describe` around some, ended. */
export interface Outcome {
  name: string;
  /** Where it stands, as `file:line:column`. */
  place: string;
  kind: 'test' | 'suite';
  state: 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo';
  /** Why it failed, as Node shows the error. Empty: it did not, or only because of a test inside. */
  error: string;
}

/** What a worker reports of the file that it runs. */
export type Report =
  | ({ type: 'outcome' } & Outcome)
  /** Something failed outside every test, or was left open. */
  | { type: 'stray'; error: string }
  | { type: 'done'; cpuMs: number };
