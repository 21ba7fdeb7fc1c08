import type { Command } from 'commander';
import { ConfigError } from '../../platform/config/config.ts';
import type { Env } from '../../platform/config/readers.ts';
import { MigrationError } from '../../platform/db/migrate.ts';
import { PostgresStartError } from '../../platform/postgres/folder.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { errorCode, errorMessage } from '../../platform/values/thrown.ts';
import { readDocument, ServiceRefusal } from './client/call.ts';
import { program } from './program.ts';

/** Runs `recollect` with these arguments. Errors print one line per problem on standard error and set an exit code. */
export async function runProgram(env: Env, args: readonly string[]): Promise<void> {
  try {
    const root = await programFor(env, args);
    await root.parseAsync(args, { from: 'user' });
  } catch (error) {
    for (const line of linesOf(error)) process.stderr.write(`recollect: ${line}\n`);
    process.exitCode = 1;
  }
}

/**
 * Builds the command that can do what the arguments ask for. Only what calls the service, and help, which lists it, needs the
 * service's document. Throws ConfigError if it is needed and nothing answers.
 */
export async function programFor(env: Env, args: readonly string[]): Promise<Command> {
  const local = program(env);
  const { operands } = local.parseOptions([...args]);
  const isHelp =
    args.includes('--help') || args.includes('-h') || [undefined, 'help'].includes(operands[0]);
  if (!isHelp && isHere(local, operands)) return local;
  try {
    return program(env, await readDocument(env));
  } catch (error) {
    if (!isHelp || !(error instanceof ConfigError)) throw error;
    return local.addHelpText('after', `\nThe service has more commands, and ${error.message}`);
  }
}

/** Whether these words name a command that is there, down to its verb. */
function isHere(command: Command, [word, ...rest]: readonly string[]): boolean {
  if (command.commands.length === 0) return true;
  const next = command.commands.find((one) => one.name() === word);
  return next !== undefined && isHere(next, rest);
}

/** Formats errors that an operator can act on as one clear line; any other error keeps its stack. */
function oneLine(error: unknown): string {
  if (error instanceof ApiError)
    return (
      [
        error.message,
        ...Object.entries(error.details ?? {}).map(([field, why]) => `${field}: ${why}`),
      ]
        // With a single wrong field the message already says what is wrong with it.
        .filter((line, i, all) => all.indexOf(line) === i)
        .join('; ')
    );
  if (
    error instanceof ConfigError ||
    error instanceof MigrationError ||
    error instanceof PostgresStartError
  )
    return error.message;
  const code = errorCode(error);
  if (code !== '') return `${code}: ${errorMessage(error) || 'a connection was refused'}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns what an operator reads of an error: one line, or one per problem of a wrong configuration. */
export function linesOf(error: unknown): string[] {
  if (error instanceof ServiceRefusal) return [...error.lines];
  return error instanceof ConfigError ? error.message.split('\n') : [oneLine(error)];
}
