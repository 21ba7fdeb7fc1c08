import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';
import type { AccountOptions } from './account-work.ts';
import { show } from './output.ts';

/** Adds `merchant account`. Commands that need the database are loaded on demand. */
export function addAccount(merchant: Command, config: () => Config): void {
  merchant
    .command('account <merchant_id>')
    .description(
      'show the settlement account and the change that waits, ask for another account, or decide on that change',
    )
    .option(
      '--sort-code <digits>',
      'of the account to change to, a day after a second operator agrees',
    )
    .option('--account-number <digits>')
    .option('--account-name <name>', 'the account holder')
    .option('--agree <change_id>', 'agree, as a second operator, with the change that waits')
    .option('--take-back <change_id>', 'cancel the change that waits')
    .option('--reason <text>', 'why; kept in the audit trail')
    .action(async (merchantId: string, options: AccountOptions) => {
      const { accountCommand } = await import('./account-work.ts');
      show(await accountCommand(config(), merchantId, options));
    });
}
