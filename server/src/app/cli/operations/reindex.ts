import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { print } from '../session/output.ts';

/** Adds `customer reindex`, which walks through all customers and schedules: an upgrade may need it. */
export function addReindex(root: Command, config: () => Config): void {
  root
    .command('customer')
    .description('personal data of customers')
    .command('reindex')
    .description('index customers and schedules again, after a version that folds names otherwise')
    .action(async () => {
      const { reindexCommand } = await import('./reindex-work.ts');
      print(await reindexCommand(config()));
    });
}
