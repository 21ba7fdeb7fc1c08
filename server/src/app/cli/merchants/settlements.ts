import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { print, say } from '../session/output.ts';

/** Adds `settlement`: pay-outs that need an operator. Commands that need the books are loaded on demand. */
export function addSettlements(root: Command, config: () => Config): void {
  const settlement = root.command('settlement').description('pay-outs that need a decision');
  settlement
    .command('waiting')
    .description('list the settlements that need a decision, and why')
    .action(async () => {
      const { waitingSettlementsCommand } = await import('./settlements-work.ts');
      for (const line of await waitingSettlementsCommand(config())) print(line);
    });
  settlement
    .command('confirm <settlement_id>')
    .description('confirm the account is correct: the money goes out with the next settlement')
    .requiredOption('--reason <text>', 'who confirmed it, and how; kept in the audit trail')
    .action(async (settlementId: string, { reason }: { reason: string }) => {
      const { confirmAccountCommand } = await import('./settlements-work.ts');
      const isDone = await confirmAccountCommand(config(), settlementId, reason);
      const refused = `no settlement ${settlementId} waits for its account`;
      say({
        isDone,
        line: isDone ? `${settlementId}: its money goes out with the next settlement` : refused,
      });
    });
  settlement
    .command('ask <settlement_id>')
    .description(
      'check a pay-out of a different amount with the issuer again, once corrected there',
    )
    .requiredOption(
      '--reason <text>',
      'who at the issuer corrected it, and how; kept in the audit trail',
    )
    .action(async (settlementId: string, { reason }: { reason: string }) => {
      const { askAgainCommand } = await import('./settlements-work.ts');
      const isDone = await askAgainCommand(config(), settlementId, reason);
      const refused = `no settlement ${settlementId} waits for its amount`;
      say({ isDone, line: isDone ? `${settlementId}: checking with the issuer again` : refused });
    });
}
