import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { print, say } from '../session/output.ts';
import type { ReconcileOptions } from './reconcile-work.ts';

/** Adds `reconcile`: compares a day's books with the issuer's. Commands that need the books are loaded on demand. */
export function addReconcile(root: Command, config: () => Config): void {
  const reconcile = root
    .command('reconcile')
    .description("reconcile the books of a day with the issuer's statement and balances")
    .option('--date <date>', 'the London day, such as 2026-11-23; default: yesterday')
    .option(
      '--statement <files...>',
      "the day's statement as camt.053 files, of all accounts at the issuer",
    )
    .option('--csv', 'print the open differences as CSV')
    .action(async (options: ReconcileOptions) => {
      const { reconcileCommand } = await import('./reconcile-work.ts');
      const { lines, agrees } = await reconcileCommand(config(), options);
      for (const line of lines) print(line);
      if (!agrees) process.exitCode = 1;
    });
  reconcile
    .command('resolve <item>')
    .description('say how a difference was resolved')
    .requiredOption('--reason <text>', 'what was done about it: kept with the difference')
    .action(async (item: string, { reason }: { reason: string }) => {
      const { resolveCommand } = await import('./reconcile-work.ts');
      const isDone = await resolveCommand(config(), item, reason);
      say({ isDone, line: isDone ? `${item}: resolved` : `there is no open difference "${item}"` });
    });
}
