import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';
import { show } from './output.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./operators-work.ts');

/** Adds `operator`: who may call the operators' API, and their keys. */
export function addOperators(root: Command, config: () => Config): void {
  const operator = root.command('operator').description('operators and their keys for /admin/v1');
  operator
    .command('create <name>')
    .description('create an operator with a first key, which is shown once')
    .option('--email <address>', 'by which they sign in to the console through single sign-on')
    .action(async (name: string, { email }: { email?: string }) =>
      show(await (await work()).createOperatorCommand(config(), name, email)),
    );
  operator
    .command('email <operator> [address]')
    .description(
      'set the address of an operator, by id or name, for single sign-on; none: remove it',
    )
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
    .description('create another key of an operator, by id or name; it is shown once')
    .option('--name <name>', 'what it is for', 'key')
    .action(async (who: string, { name }: { name: string }) =>
      show(await (await work()).createOperatorKeyCommand(config(), who, name)),
    );
  operator
    .command('revoke <operator> <key_id>')
    .description("revoke an operator's key immediately")
    .action(async (who: string, keyId: string) =>
      show(await (await work()).revokeOperatorKeyCommand(config(), who, keyId)),
    );
}
