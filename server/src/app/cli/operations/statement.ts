import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { print } from '../session/output.ts';

/** Adds `reconcile statement`: a day of the books, held against files that may be too large for a service to read. */
export function addStatement(root: Command, config: () => Config): void {
  root
    .command('reconcile')
    .description("the books, held against the issuer's")
    .command('statement <files...>')
    .description(
      "reconcile a day with the issuer's statement as camt.053 files, of all accounts, and with its balances",
    )
    .option('--date <date>', 'the London day, such as 2026-11-23; default: yesterday')
    .action(async (files: string[], { date }: { date?: string }) => {
      const { statementCommand } = await import('./statement-work.ts');
      const { lines, agrees } = await statementCommand(config(), files, date);
      for (const line of lines) print(line);
      if (!agrees) process.exitCode = 1;
    });
}
