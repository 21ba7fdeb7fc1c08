import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';

/** Commands that work on the books are loaded when they are called. */
async function work() {
  return await import('./operations-work.ts');
}

/** `payment fail` and `pay-in returned`: what an operator may say when neither bank nor service can. */
export function addOperations(root: Command, config: () => Config): void {
  root
    .command('payment')
    .description('payments that need an operator')
    .command('fail <payment_id>')
    .description('end a payment that was sent and has had no outcome for 23 hours, and no money')
    .requiredOption('--reason <text>', 'who at the bank said so, and when: kept in the audit trail')
    .option(
      '--bank-is-silent',
      'the bank gave the payment an id and does not answer for it any more',
    )
    .action(async (paymentId: string, options: { reason: string; bankIsSilent?: true }) =>
      say(await (await work()).failPaymentCommand(config(), paymentId, options)),
    );
  root
    .command('pay-in')
    .description('money that came to a wallet')
    .command('returned <movement_id>')
    .description('book that the issuer has sent an extra pay-in back')
    .requiredOption('--reason <text>', 'who sent it back, and why: kept in the audit trail')
    .action(async (movementId: string, { reason }: { reason: string }) =>
      say(await (await work()).returnPayInCommand(config(), movementId, reason)),
    );
}

/** `bank list` and `bank trust`: how the service stands with its banks. */
export function addBanks(root: Command, config: () => Config): void {
  const bank = root.command('bank').description('how the service stands with its banks');
  bank
    .command('list')
    .description('consents in doubt, deletions that wait, and banks whose answers are not acted on')
    .action(async () => {
      const states = await (await work()).listBanksCommand(config());
      process.stdout.write(`${JSON.stringify(states, null, 2)}\n`);
    });
  bank
    .command('trust <bank_id>')
    .description('act again on the answers of a bank at which too many consents vanished at once')
    .requiredOption('--reason <text>', 'who at the bank said so, and when: kept')
    .action(async (bankId: string, { reason }: { reason: string }) =>
      say(await (await work()).trustBankCommand(config(), bankId, reason)),
    );
}

/** What came of it: a line, and exit code 1 where it was refused. */
function say({ line, isDone }: { line: string; isDone: boolean }): void {
  if (isDone) process.stdout.write(`${line}\n`);
  else {
    process.stderr.write(`recollect: not done: ${line}\n`);
    process.exitCode = 1;
  }
}
