import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { print } from '../session/output.ts';

/** Adds `safeguarding pack`: the resolution pack as a folder, made from the database alone. */
export function addSafeguarding(root: Command, config: () => Config): void {
  root
    .command('safeguarding')
    .description('what is owed to customers and merchants, and what is held')
    .command('pack')
    .description(
      'write the resolution pack: who is owed how much, what is held, and the records that prove it',
    )
    .requiredOption('--out <folder>', 'a folder that is there and empty')
    .option('--as-of <time>', 'as of when, such as 2026-11-30T00:00:00Z; default: now')
    .action(async ({ out, asOf }: { out: string; asOf?: string }) => {
      const { packCommand } = await import('./safeguarding-work.ts');
      for (const line of await packCommand(config(), out, asOf)) print(line);
    });
}
