// What the programs around the product share: a description for `--help`, and errors that name the option.
import { Command, InvalidArgumentError } from 'commander';

/** The exit code of wrong use; 1 is for what a program found to be wrong. */
const WRONG_USE = 2;

/** A program that is started by `npm run <script> --`. It ends with exit code 2 where an option is wrong. */
export function program(script: string, description: string): Command {
  return new Command(`npm run ${script} --`)
    .description(description)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE));
}

/** A whole number from 1. Throws what is said to whoever typed another thing. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
