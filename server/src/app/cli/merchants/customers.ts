import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { say } from '../session/output.ts';
import type { EraseOptions } from './customers-work.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./customers-work.ts');

/** Adds `customer`: what a person may ask for about themselves. */
export function addCustomers(root: Command, config: () => Config): void {
  const customer = root.command('customer').description('personal data of customers');
  customer
    .command('erase <customer_id>')
    .description('erase the personal data of a customer; payments and ledger stay')
    .requiredOption('--reason <text>', 'who asked for it, and when; kept in the audit trail')
    .option('--metadata', 'erase the metadata of their schedules too')
    .action(async (customerId: string, options: EraseOptions) =>
      say(await (await work()).eraseCommand(config(), customerId, options)),
    );
  customer
    .command('export <customer_id>')
    .description('write everything that is held of a customer as JSON')
    .requiredOption('--reason <text>', 'who asked for it, and when; kept in the audit trail')
    .action(async (customerId: string, { reason }: EraseOptions) =>
      say(await (await work()).exportCommand(config(), customerId, reason)),
    );
  customer
    .command('reindex')
    .description('index customers and schedules again, after a version that folds names otherwise')
    .action(async () => say(await (await work()).reindexCommand(config())));
}
