import { Command, Option } from 'commander';
import { ROLES } from '../../merchants/role.ts';
import { type Config, readConfig, VERSION } from '../../platform/config/config.ts';
import type { Env } from '../../platform/config/readers.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { addCustomers } from './merchants/customers.ts';
import { addHoldEverything } from './merchants/hold.ts';
import { addImport } from './merchants/import.ts';
import { addMerchantKeys } from './merchants/merchant-keys.ts';
import { addMerchants } from './merchants/merchants.ts';
import { addSettlements } from './merchants/settlements.ts';
import type { RemoveOptions, ResetOptions, UserOptions } from './merchants/users.ts';
import { addArchive } from './operations/archive.ts';
import { addBanks } from './operations/banks.ts';
import { addKeyRing } from './operations/keys.ts';
import { addOperations } from './operations/operations.ts';
import { addOperators } from './operations/operators.ts';
import { addReconcile } from './operations/reconcile.ts';
import { addRequests } from './operations/requests.ts';
import { addVault } from './operations/vault.ts';
import { addSandbox } from './sandbox/commands.ts';
import { serve } from './serving/serve.ts';
import type { AuditFinding } from './session/offline.ts';
import { noteOperator, type OperatorOptions } from './session/operator.ts';
import { show } from './session/output.ts';

/** Loads, on demand, the commands that need only the database. */
const offline = async () => await import('./session/offline.ts');
const users = async () => await import('./merchants/users.ts');

/** Builds the `recollect` command. */
export function program(env: Env): Command {
  const root = new Command('recollect')
    .description('Recurring collections over open banking')
    .version(VERSION)
    .option('--operator <name>', 'who you are, for the audit trail; default: your login')
    .option(
      '--key-file <path>',
      'a file with your operator’s key, which proves who you are: to agree takes it; default: RECOLLECT_OPERATOR_KEY',
    )
    .showHelpAfterError();
  const config = (): Config => noteOperator(readConfig(env), env, root.opts<OperatorOptions>());
  addServing(root, env);
  addBooks(root, config);
  addMerchants(root, config);
  addMerchantKeys(root, config);
  addUsers(root, config);
  addOperators(root, config);
  addRequests(root, config);
  addCustomers(root, config);
  addOperations(root, config);
  addSettlements(root, config);
  addBanks(root, env, config);
  addHoldEverything(root, config);
  addKeyRing(root, config);
  addVault(root, config);
  addArchive(root, config);
  addReconcile(root, config);
  addSandbox(root, config);
  addImport(root, config);
  return root;
}

function addServing(root: Command, env: Env): void {
  root
    .command('start')
    .description('start everything, including the sandbox, and show the addresses')
    .action(() => serve(env, true));
  root
    .command('serve')
    .description('start the service')
    .option('--roles <roles>', 'which roles this process runs: api, portal, engine')
    .action((options: { roles?: string }) =>
      serve(options.roles === undefined ? env : { ...env, ROLES: options.roles }, false),
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

function addUsers(root: Command, config: () => Config): void {
  const user = root.command('user').description("the people of a merchant's team");
  user
    .command('create <merchant_id>')
    .description('add someone to the team; prints a one-time link to set a password')
    .requiredOption('--email <address>')
    .requiredOption('--name <name>')
    .addOption(new Option('--role <role>', 'what they may do').choices([...ROLES]).default('owner'))
    .action(async (merchantId: string, options: UserOptions) =>
      show(await (await users()).createUserCommand(config(), merchantId, options)),
    );
  user
    .command('link <email>')
    .description('in the sandbox: create a one-time sign-in link, valid for 24 hours')
    .action(async (email: string) =>
      show(await (await users()).createLinkCommand(config(), email)),
    );
  user
    .command('list [merchant_id]')
    .description('list the team, or every account, with its ways to sign in and since when')
    .action(async (merchantId: string | undefined) =>
      show(await (await users()).listUsersCommand(config(), merchantId)),
    );
  user
    .command('reset <email>')
    .description(
      'ask for the reset of password, passkeys, sessions, links and invitations sent; an operator agrees in the console, and the link goes to the person by email',
    )
    .option('--second-factor', 'ask for the removal of the second factor instead')
    .requiredOption('--reason <text>', 'why; kept in the audit trail')
    .action(async (email: string, options: ResetOptions) =>
      show(await (await users()).resetUserCommand(config(), email, options)),
    );
  user
    .command('remove <email>')
    .description(
      'remove someone from every team and delete the account; the keys they created are revoked. For an owner it asks: an operator agrees in the console',
    )
    .requiredOption('--reason <text>', 'why; kept in the audit trail')
    .option('--merchant <merchant_id>', 'remove from this team only; the account stays')
    .option('--even-last-owner', 'even if it leaves a team without an owner')
    .action(async (email: string, options: RemoveOptions) =>
      show(await (await users()).removeUserCommand(config(), email, options)),
    );
}
