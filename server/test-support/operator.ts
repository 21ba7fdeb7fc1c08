import assert from 'node:assert/strict';
import { type Command, CommanderError } from 'commander';
import { linesOf, programFor } from '../src/app/cli/run-program.ts';
import { createOperator } from '../src/operators/access/service.ts';
import { issuerOfSandbox } from '../src/sandbox/partners.ts';
import type { TestService } from './service.ts';

/** A command's exit code and output. */
interface Ended {
  code: number;
  out: string;
  err: string;
}

type Env = Readonly<Record<string, string>>;

/** An operator with a key of their own, who runs commands beside a running service. */
export interface Operator {
  key: string;
  /** Runs a command that must succeed; returns its output. */
  does(...args: string[]): Promise<string>;
  /** Runs a command of the service that must succeed; returns the body of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
  gets(...args: string[]): Promise<any>;
  /** Runs a command that must be refused, with exit code 1; returns its lines, without that of the error's page. */
  refused(...args: string[]): Promise<string>;
  /** Runs a command with wrong arguments; returns the first line of its output. */
  misspelt(...args: string[]): Promise<string>;
  /** Runs a command that finds a problem, which is exit code 1; returns its output. */
  finds(...args: string[]): Promise<string>;
  /** Runs a command, however it ends. */
  run(...args: string[]): Promise<Ended>;
  /** Returns the same operator with other settings. */
  with(env: Env): Operator;
}

/** Makes an operator who may do everything, on the machine of a service. */
export async function operatorOf({ running }: TestService, name = 'Robin Fern'): Promise<Operator> {
  const { dataDir, databaseUrl } = running.config;
  const { platform, operatorUrl } = running;
  const now = platform.clock.now();
  const { secret } = await platform.db.transaction((tx) =>
    createOperator({ platform, tx, now }, name, 'a test'),
  );
  const url = running.sandbox?.partners.issuer.url ?? '';
  const issuer = await issuerOfSandbox(dataDir, url);
  return operator({
    MODE: 'sandbox',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl ?? '',
    ISSUER_URL: issuer.url,
    ISSUER_KEY_ID: issuer.keyId,
    ISSUER_SECRET: issuer.secret,
    ISSUER_NOTIFICATION_SECRET: issuer.notificationSecret,
    RECOLLECT_OPERATOR_URL: operatorUrl,
    RECOLLECT_OPERATOR_KEY: secret,
  });
}

function operator(env: Env): Operator {
  const ended = async (code: number, args: readonly string[]): Promise<Ended> => {
    const result = await run(env, args);
    assert.equal(result.code, code, `${args.join(' ')}: ${result.out}${result.err}`);
    return result;
  };
  return {
    key: env.RECOLLECT_OPERATOR_KEY ?? '',
    async does(...args) {
      const { out } = await ended(0, args);
      return out.trimEnd();
    },
    gets: async (...args) => JSON.parse((await ended(0, [...args, '--json'])).out),
    async refused(...args) {
      const { out, err } = await ended(1, args);
      assert.equal(out, '');
      return err.replace(/^recollect: see .*\n/m, '').trimEnd();
    },
    async misspelt(...args) {
      const { out, err } = await ended(1, args);
      assert.equal(out, '');
      return err.split('\n')[0] ?? '';
    },
    finds: async (...args) => (await ended(1, args)).out.trimEnd(),
    run: (...args) => run(env, args),
    with: (more) => operator({ ...env, ...more }),
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
    await neverExiting(await programFor(env, args)).parseAsync(args, { from: 'user' });
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
