import { Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig, VERSION } from '../../platform/config/config.ts';
import type { Env } from '../../platform/config/readers.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { addServiceCommands } from './client/commands.ts';
import type { AdminDocument } from './client/document.ts';
import { addImport } from './client/import.ts';
import { addMcpCommand } from './client/mcp.ts';
import { addMerchantCommands } from './merchant/commands.ts';
import { addArchive } from './operations/archive.ts';
import { addBanks } from './operations/banks.ts';
import { addHoldEverything } from './operations/hold.ts';
import { addKeyRing } from './operations/keys.ts';
import { addOperators } from './operations/operators.ts';
import { addReindex } from './operations/reindex.ts';
import { addSafeguarding } from './operations/safeguarding.ts';
import { addStatement } from './operations/statement.ts';
import { addVault } from './operations/vault.ts';
import { addSandbox } from './sandbox/commands.ts';
import { serve } from './serving/serve.ts';
import { withLogin } from './session/host.ts';
import type { AuditFinding } from './session/offline.ts';

/** Loads, on demand, the commands that need only the database. */
const offline = async () => await import('./session/offline.ts');

/** Builds the `recollect` command: what works without a service, and, by its document, what calls one. */
export function program(env: Env, service: AdminDocument | null = null): Command {
  const root = new Command('recollect')
    .description('Recurring collections over open banking')
    .version(VERSION)
    .option(
      '--key-file <path>',
      'a file with your operator’s key; default: RECOLLECT_OPERATOR_KEY_FILE, RECOLLECT_OPERATOR_KEY',
    )
    .showHelpAfterError();
  const config = (): Config => withLogin(readConfig(env), env);
  addServing(root, env);
  addBooks(root, config);
  addOperators(root, config);
  addBanks(root, env, config);
  addHoldEverything(root, config);
  addKeyRing(root, config);
  addVault(root, config);
  addArchive(root, config);
  addStatement(root, config);
  addSafeguarding(root, config);
  addReindex(root, config);
  addSandbox(root, config);
  addImport(root, env, config);
  addMerchantCommands(root, { env, config });
  addMcpCommand(root, env, config);
  if (service !== null) addServiceCommands(root, env, service);
  return root;
}

function addServing(root: Command, env: Env): void {
  root
    .command('start')
    .description('start everything, including the sandbox, and show the addresses')
    .action(() => serve(env, { withScreen: true }));
  root
    .command('serve')
    .description('start the service')
    .option('--roles <roles>', 'which roles this process runs: api, portal, engine')
    .addOption(new Option('--engine <number>').argParser(engineNumber).hideHelp())
    .action(({ roles, engine }: { roles?: string; engine?: number }) =>
      serve(roles === undefined ? env : { ...env, ROLES: roles }, { engine }),
    );
  root
    .command('check-config')
    .description('check the settings and the files they name, and report any problems')
    .action(async () => {
      const { checkConfigCommand } = await import('./serving/check-config.ts');
      const { lines, isGood } = await checkConfigCommand(env);
      process.stdout.write(`${lines.join('\n')}\n`);
      if (!isGood) process.exitCode = 1;
    });
}

/** Reads which engine a process is: `serve` passes it to those that it starts. */
function engineNumber(value: string): number {
  if (process.send === undefined || !/^[1-9]\d?$/.test(value))
    throw new InvalidArgumentError('serve itself passes it on: set ENGINES.');
  return Number(value);
}

function addBooks(root: Command, config: () => Config): void {
  root
    .command('migrate')
    .description('migrate the database to this version')
    .action(async () => {
      await (await offline()).migrateCommand(config());
      process.stdout.write('the database is up to date\n');
    });
  root
    .command('audit')
    .description('check the books against the laws of money')
    .action(async () => {
      const findings = await (await offline()).auditCommand(config());
      for (const finding of findings) process.stdout.write(findingLines(finding));
      if (findings.some(({ broken, error }) => broken.length > 0 || error !== undefined))
        process.exitCode = 1;
    });
}

/** Formats the audit's finding for one law: whether it holds, and what breaks it. */
function findingLines({ law, sentence, broken, unknown, unknownSince }: AuditFinding): string {
  const word = broken.length > 0 ? 'BROKEN ' : unknown === undefined ? 'holds  ' : 'unknown';
  const why = `${unknown} (unknown since ${formatInstant(unknownSince)})`;
  const reasons = unknown === undefined ? broken : [...broken, why];
  return [
    `${word}  ${law}: ${sentence}`,
    ...reasons.map((reason) => `           ${reason}`),
    '',
  ].join('\n');
}
