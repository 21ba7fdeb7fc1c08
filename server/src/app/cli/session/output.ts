/** The result of a command, in one line. */
export interface CommandResult {
  line: string;
  isDone: boolean;
}

/** Prints a line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a value as JSON. */
export function show(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Prints a result; a refusal goes to stderr and sets exit code 1. */
export function say({ line, isDone }: CommandResult): void {
  if (isDone) print(line);
  else {
    process.stderr.write(`recollect: not done: ${line}\n`);
    process.exitCode = 1;
  }
}

const NARROW = 100;

/** Returns the columns of the terminal; in a pipe, lines may be of any length. */
export function screenWidth(): number {
  return process.stdout.isTTY ? (process.stdout.columns ?? NARROW) : Number.POSITIVE_INFINITY;
}
