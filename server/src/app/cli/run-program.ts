import { ConfigError } from '../../platform/config/config.ts';
import type { Env } from '../../platform/config/readers.ts';
import { MigrationError } from '../../platform/db/migrate.ts';
import { PostgresStartError } from '../../platform/postgres/folder.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { errorCode, errorMessage } from '../../platform/values/thrown.ts';
import { program } from './program.ts';

/** Runs `recollect` with these arguments. Errors print one line per problem on standard error and set an exit code. */
export async function runProgram(env: Env, args: readonly string[]): Promise<void> {
  try {
    await program(env).parseAsync(args, { from: 'user' });
  } catch (error) {
    for (const line of linesOf(error)) process.stderr.write(`recollect: ${line}\n`);
    process.exitCode = 1;
  }
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
  return error instanceof ConfigError ? error.message.split('\n') : [oneLine(error)];
}
