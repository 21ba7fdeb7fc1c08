import { type Command, Option } from 'commander';
import { OPERATOR_ROLES } from '../../../operators/access/books/roles.ts';
import type { Config } from '../../../platform/config/config.ts';
import { show } from '../session/output.ts';
import type { FirstOptions } from './operators-work.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./operators-work.ts');

/** Adds what makes the first operators, whom nobody could agree on, and what shuts out a leaked key whoever is left. */
export function addOperators(root: Command, config: () => Config): void {
  const operator = root.command('operator').description('operators, their roles and their keys');
  operator
    .command('create <name>')
    .description('make one of the first two operators on this machine; the key is shown once')
    .option('--email <address>', 'where notices go, and by which they sign in to the console')
    .addOption(
      new Option('--roles <role...>', 'what they may do; default: everything').choices(
        OPERATOR_ROLES,
      ),
    )
    .action(async (name: string, options: FirstOptions) =>
      show(await (await work()).createOperatorCommand(config(), name, options)),
    );
  operator
    .command('key <operator>')
    .description(
      'while fewer than two operators have a way in: make a key of one, by id or name, on this machine; it is shown once',
    )
    .option('--name <name>', 'what it is for', 'key')
    .action(async (who: string, { name }: { name: string }) =>
      show(await (await work()).createOperatorKeyCommand(config(), who, name)),
    );
  operator
    .command('shut-out <operator> <key_id>')
    .description("revoke an operator's leaked key on this machine, whoever is left")
    .action(async (who: string, keyId: string) =>
      show(await (await work()).shutOutCommand(config(), who, keyId)),
    );
}
