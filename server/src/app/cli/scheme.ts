import type { Command } from 'commander';
import { PAYMENT_CONTEXTS, PURPOSES, USE_CASES } from '../../merchants/scheme.ts';
import type { Config } from '../../platform/config.ts';
import { show } from './output.ts';
import type { SchemeOptions } from './scheme-work.ts';

/** Adds `merchant scheme`. Commands that need the database are loaded on demand. */
export function addScheme(merchant: Command, config: () => Config): void {
  merchant
    .command('scheme <merchant_id>')
    .description('show what the payment scheme knows of a merchant, or change it for new consents')
    .option('--use-case <name>', `one of ${USE_CASES.join(', ')}; none: not recorded`)
    .option('--category-code <digits>', 'what it sells (ISO 18245); none: not said')
    .option('--payment-context <name>', `one of ${PAYMENT_CONTEXTS.join(', ')}`)
    .option('--purpose-code <code>', `one of ${PURPOSES.join(', ')}; none: not said`)
    .option('--reason <text>', 'why; kept in the audit trail')
    .action(async (merchantId: string, options: SchemeOptions) => {
      const { schemeCommand } = await import('./scheme-work.ts');
      show(await schemeCommand(config(), merchantId, options));
    });
}
