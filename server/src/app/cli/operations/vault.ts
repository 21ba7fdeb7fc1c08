import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { print, say } from '../session/output.ts';

/** Adds `vault`: what is encrypted at rest. Commands that need the database are loaded on demand. */
export function addVault(root: Command, config: () => Config): void {
  root
    .command('vault')
    .description('what is encrypted in the database')
    .command('rewrap')
    .description('encrypt everything again with the first key, while the service runs')
    .option('--dry-run', 'only count what is encrypted with other keys')
    .action(async (options: { dryRun?: true }) => {
      const { rewrapCommand } = await import('./vault-work.ts');
      say(await rewrapCommand(config(), { isDry: options.dryRun === true, onLine: print }));
    });
}
