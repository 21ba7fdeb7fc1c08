import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';
import { say } from './output.ts';

/** `settlement`: pay-outs that need an operator. Commands that work on the books are loaded when they are called. */
export function addSettlements(root: Command, config: () => Config): void {
  const settlement = root.command('settlement').description('pay-outs that wait for a person');
  settlement
    .command('waiting')
    .description('list the settlements that wait for a person, and why')
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
      const isDone = await confirmAccountCommand(config(), settlementId, reason);
      const refused = `no settlement ${settlementId} waits for its account`;
      say({
        isDone,
        line: isDone ? `${settlementId}: its money goes with the next settlement` : refused,
      });
    });
  settlement
    .command('ask <settlement_id>')
    .description(
      'ask the issuer again about a pay-out of another amount, once it was put right there',
    )
    .requiredOption(
      '--reason <text>',
      'who at the issuer put it right, and how: kept in the audit trail',
    )
    .action(async (settlementId: string, { reason }: { reason: string }) => {
      const { askAgainCommand } = await import('./settlements-work.ts');
      const isDone = await askAgainCommand(config(), settlementId, reason);
      const refused = `no settlement ${settlementId} waits for its amount`;
      say({ isDone, line: isDone ? `${settlementId}: the issuer is asked again` : refused });
    });
}
