import { ConfigError } from '../../platform/config.ts';
import { ApiError } from '../../platform/errors.ts';
import { MigrationError } from '../../platform/migrate.ts';
import { PostgresStartError } from '../../platform/postgres/error.ts';
import { type Env, program } from './program.ts';

/** Runs `recollect` with these arguments. What goes wrong is a line for each problem on standard error, and an exit code. */
export async function runProgram(env: Env, args: readonly string[]): Promise<void> {
  try {
    await program(env).parseAsync(args, { from: 'user' });
  } catch (error) {
    for (const line of linesOf(error)) process.stderr.write(`recollect: ${line}\n`);
    process.exitCode = 1;
  }
}

/** Errors that an operator can act on are one clear line; anything else shows where it comes from. */
function oneLine(error: unknown): string {
  if (error instanceof ApiError)
    return [
      error.message,
      ...Object.entries(error.details ?? {}).map(([field, why]) => `${field}: ${why}`),
    ].join('; ');
  if (
    error instanceof ConfigError ||
    error instanceof MigrationError ||
    error instanceof PostgresStartError
  )
    return error.message;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string')
    return `${error.code}: ${error.message || 'a connection was refused'}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns what an operator reads of an error: a line, or one for each problem of a wrong configuration. */
export function linesOf(error: unknown): string[] {
  return error instanceof ConfigError ? error.message.split('\n') : [oneLine(error)];
}
