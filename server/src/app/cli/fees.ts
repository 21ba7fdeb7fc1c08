import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';
import type { FeeOptions } from './fees-work.ts';
import { show } from './output.ts';

/** Adds `merchant fees`. Commands that need the books are loaded on demand. */
export function addFees(merchant: Command, config: () => Config): void {
  merchant
    .command('fees <merchant_id>')
    .description(
      'show the fees of a merchant, or set what is taken of each collection from a day on',
    )
    .option('--fixed-pence <pence>', 'the fixed part, in pence; default with the other: 0')
    .option('--basis-points <number>', 'hundredths of a percent of the amount; default: 0')
    .option('--from <date>', 'the first day, London time; default: the next one')
    .action(async (merchantId: string, options: FeeOptions) => {
      const { feesCommand } = await import('./fees-work.ts');
      show(await feesCommand(config(), merchantId, options));
    });
}
