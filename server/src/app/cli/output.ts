/** The result of a command, in one line. */
export interface Said {
  line: string;
  isDone: boolean;
}

/** Prints a value as JSON. */
export function show(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints a result; a refusal goes to stderr and sets exit code 1. */
export function say({ line, isDone }: Said): void {
  if (isDone) process.stdout.write(`${line}\n`);
  else {
    process.stderr.write(`recollect: not done: ${line}\n`);
    process.exitCode = 1;
  }
}
