import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { say } from '../session/output.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./hold-work.ts');

/** Adds `hold everything` and `release everything`: docs/guides/backup.md#restore. */
export function addHoldEverything(root: Command, config: () => Config): void {
  root
    .command('hold')
    .description('holds of the whole service')
    .command('everything')
    .description(
      'stop every bank and hold every pay-out, before an engine runs on a restored database',
    )
    .requiredOption('--reason <text>', 'why; kept in the audit trail')
    .action(async ({ reason }: { reason: string }) =>
      say(await (await work()).holdEverythingCommand(config(), reason)),
    );
  root
    .command('release')
    .description('the end of holds of the whole service')
    .command('everything')
    .description('resume the banks and release the pay-outs that were held for one reason')
    .requiredOption('--held-for <text>', 'the reason for which they were held')
    .requiredOption('--reason <text>', 'why they go on; kept in the audit trail')
    .action(async ({ heldFor, reason }: { heldFor: string; reason: string }) =>
      say(await (await work()).releaseEverythingCommand(config(), heldFor, reason)),
    );
}
