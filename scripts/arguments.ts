// Shared by the programs around the product: a description for `--help`, and errors that name the option.
import { Command, InvalidArgumentError } from 'commander';

/** The exit code of wrong usage; 1 means that the program found a problem. */
const WRONG_USE = 2;

/** Returns a program that is started by `npm run <script> --`. It exits with code 2 if an option is wrong. */
export function program(script: string, description: string): Command {
  return new Command(`npm run ${script} --`)
    .description(description)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE));
}

/** Parses a whole number from 1. Throws an error message for the user otherwise. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
