import { type Command, InvalidArgumentError } from 'commander';
import { OPERATOR_ROLES, type OperatorRole } from '../../../operators/access/roles.ts';
import type { Config } from '../../../platform/config/config.ts';
import { show } from '../session/output.ts';
import type { CreateOptions } from './operators-work.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./operators-work.ts');

/** Reads roles, comma-separated. Throws InvalidArgumentError for a word that is none. */
function readRoles(text: string): OperatorRole[] {
  return text.split(',').map((word) => {
    const role = OPERATOR_ROLES.find((one) => one === word.trim());
    if (role === undefined)
      throw new InvalidArgumentError(`roles are ${OPERATOR_ROLES.join(', ')}.`);
    return role;
  });
}

/** Adds `operator`: who may call the operators' API, and their keys. */
export function addOperators(root: Command, config: () => Config): void {
  const operator = root.command('operator').description('operators and their keys for /admin/v1');
  operator
    .command('create <name>')
    .description(
      'make one of the first two operators, whose key is shown once; from then on it asks, and an operator agrees in the console',
    )
    .option('--email <address>', 'where notices go, and by which they sign in to the console')
    .option('--roles <roles>', 'what they may do, comma-separated; default: everything', readRoles)
    .option('--reason <text>', 'why; kept in the audit trail')
    .action(async (name: string, options: CreateOptions) =>
      show(await (await work()).createOperatorCommand(config(), name, options)),
    );
  operator
    .command('roles <operator> <roles>')
    .description(
      'set what an operator may do, comma-separated: auditor, support, payments, security; more of them is asked for',
    )
    .requiredOption('--reason <text>', 'why; kept in the audit trail')
    .action(async (who: string, roles: string, { reason }: { reason: string }) =>
      show(await (await work()).setOperatorRolesCommand(config(), who, readRoles(roles), reason)),
    );
  operator
    .command('email <operator> [address]')
    .description('ask for another address of an operator, by id or name; none: remove it at once')
    .action(async (who: string, address?: string) =>
      show(await (await work()).setOperatorEmailCommand(config(), who, address)),
    );
  operator
    .command('list')
    .description('list operators, removed ones too')
    .action(async () => show(await (await work()).listOperatorsCommand(config())));
  operator
    .command('remove <operator>')
    .description('remove an operator, by id or name; the keys stop working at once')
    .action(async (who: string) => show(await (await work()).removeOperatorCommand(config(), who)));
  operator
    .command('key <operator>')
    .description(
      'with your own key, make another one, shown once; else ask for a new first key of an operator, which goes to them by email',
    )
    .option('--name <name>', 'what it is for', 'key')
    .option('--reason <text>', 'why; kept in the audit trail')
    .action(async (who: string, options: { name: string; reason?: string }) =>
      show(await (await work()).createOperatorKeyCommand(config(), who, options)),
    );
  operator
    .command('revoke <operator> <key_id>')
    .description("revoke an operator's key immediately")
    .action(async (who: string, keyId: string) =>
      show(await (await work()).revokeOperatorKeyCommand(config(), who, keyId)),
    );
}
