import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';

/** `settlement`: pay-outs that came back. Commands that work on the books are loaded when they are called. */
export function addSettlements(root: Command, config: () => Config): void {
  const settlement = root
    .command('settlement')
    .description('pay-outs that came back and wait for their account');
  settlement
    .command('waiting')
    .description('list the settlements that wait until the account is confirmed or changed')
    .action(async () => {
      const { waitingSettlementsCommand } = await import('./settlements-work.ts');
      for (const line of await waitingSettlementsCommand(config()))
        process.stdout.write(`${line}\n`);
    });
  settlement
    .command('confirm <settlement_id>')
    .description('say that the account is right: the money goes with the next settlement')
    .requiredOption('--reason <text>', 'who confirmed it, and how: kept in the audit trail')
    .action(async (settlementId: string, { reason }: { reason: string }) => {
      const { confirmAccountCommand } = await import('./settlements-work.ts');
      if (await confirmAccountCommand(config(), settlementId, reason))
        process.stdout.write(`${settlementId}: its money goes with the next settlement\n`);
      else {
        process.stderr.write(`recollect: not done: no settlement ${settlementId} waits\n`);
        process.exitCode = 1;
      }
    });
}
