import assert from 'node:assert/strict';
import { type Command, CommanderError } from 'commander';
import { program } from '../src/app/cli/program.ts';
import { linesOf } from '../src/app/cli/run-program.ts';
import { issuerOfSandbox } from '../src/sandbox/partners.ts';
import type { TestService } from './service.ts';

/** A command's exit code and output. */
interface Ended {
  code: number;
  out: string;
  err: string;
}

type Env = Readonly<Record<string, string>>;

/** An operator who runs commands beside a running service. */
export interface Operator {
  /** Runs a command that must succeed; returns its output. */
  does(...args: string[]): Promise<string>;
  /** Runs a command that must be refused: one line, exit code 1. */
  refused(...args: string[]): Promise<string>;
  /** Runs a command with wrong arguments; returns the first line of its output. */
  misspelt(...args: string[]): Promise<string>;
  /** Runs a command that finds a problem, which is exit code 1; returns its output. */
  finds(...args: string[]): Promise<string>;
  /** Runs a command, however it ends. */
  run(...args: string[]): Promise<Ended>;
  /** Returns another operator, or the same with other settings. */
  as(name: string, env?: Env): Operator;
}

/** Returns an operator on the machine of a service. */
export async function operatorOf({ running }: TestService): Promise<Operator> {
  const { dataDir, databaseUrl } = running.config;
  const url = running.sandbox?.partners.issuer.url ?? '';
  const issuer = await issuerOfSandbox(dataDir, url);
  const env = {
    MODE: 'sandbox',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl ?? '',
    ISSUER_URL: issuer.url,
    ISSUER_KEY_ID: issuer.keyId,
    ISSUER_SECRET: issuer.secret,
    ISSUER_NOTIFICATION_SECRET: issuer.notificationSecret,
  };
  return operator(env, 'Robin Fern');
}

function operator(env: Env, name: string): Operator {
  // A key says who it is: then no name is typed.
  const who = env.RECOLLECT_OPERATOR_KEY === undefined ? ['--operator', name] : [];
  const ended = async (code: number, args: readonly string[]): Promise<Ended> => {
    const result = await run(env, [...who, ...args]);
    assert.equal(result.code, code, `${args.join(' ')}: ${result.out}${result.err}`);
    return result;
  };
  return {
    async does(...args) {
      const { out, err } = await ended(0, args);
      assert.equal(err, '');
      return out.trimEnd();
    },
    async refused(...args) {
      const { out, err } = await ended(1, args);
      assert.deepEqual([out, err.trimEnd().split('\n').length], ['', 1], err);
      return err.trimEnd();
    },
    async misspelt(...args) {
      const { out, err } = await ended(1, args);
      assert.equal(out, '');
      return err.split('\n')[0] ?? '';
    },
    finds: async (...args) => (await ended(1, args)).out.trimEnd(),
    run: (...args) => run(env, [...who, ...args]),
    as: (other, more = {}) => operator({ ...env, ...more }, other),
  };
}

/** Runs the command line in this process, as `main.ts` does. */
async function run(env: Env, args: readonly string[]): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const names = ['stdout', 'stderr'] as const;
  const real = names.map((name) => process[name].write);
  for (const [n, name] of names.entries())
    process[name].write = ((text: string | Uint8Array, ...rest: never[]) => {
      // The test runner reports on the same stream, in bytes.
      if (typeof text !== 'string') return real[n]?.call(process[name], text, ...rest);
      said[name] += text;
      return true;
    }) as typeof process.stdout.write;
  const before = process.exitCode;
  process.exitCode = undefined;
  let code: number;
  try {
    await neverExiting(program(env)).parseAsync(args, { from: 'user' });
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    code = 1;
    if (!(error instanceof CommanderError))
      said.stderr += linesOf(error)
        .map((line) => `recollect: ${line}\n`)
        .join('');
  } finally {
    process.exitCode = before;
    for (const [n, name] of names.entries()) process[name].write = real[n] ?? process[name].write;
  }
  return { code, out: said.stdout, err: said.stderr };
}

function neverExiting(command: Command): Command {
  for (const sub of command.commands) neverExiting(sub);
  return command.exitOverride();
}
