import type { Command } from 'commander';
import type { Config } from '../../platform/config.ts';
import type { FailOptions, OperatorWord } from './operations-work.ts';
import { say, show } from './output.ts';

/** Commands that work on the books are loaded when they are called. */
async function work() {
  return await import('./operations-work.ts');
}

/** What an operator may say where neither bank nor service can: of payments, and of money that belongs to nobody yet. */
export function addOperations(root: Command, config: () => Config): void {
  addPayments(root.command('payment').description('payments that need an operator'), config);
  addUnallocated(
    root.command('unallocated').description('money that came and belongs to no payment yet'),
    config,
  );
}

/** What every decision takes; who decides is the operator of the program. */
const withWord = (command: Command, reason: string): Command =>
  command.requiredOption('--reason <text>', reason);

function addPayments(payment: Command, config: () => Config): void {
  withWord(
    payment
      .command('fail <payment_id>')
      .description('end a payment that cannot end on its own, and whose money has not come'),
    'who at the bank said so, and when: kept in the audit trail',
  )
    .option('--evidence <text>', 'what proves the end of a payment that the bank calls open')
    .option(
      '--bank-is-silent',
      'the bank gave the payment an id and does not answer for it any more',
    )
    .action(async (paymentId: string, options: FailOptions) =>
      say(await (await work()).failPaymentCommand(config(), paymentId, options)),
    );
  payment
    .command('list')
    .description('payments that wait for an operator, the oldest first, each with its age')
    .option('--waiting', 'those that cannot end on their own (the only list there is)')
    .action(async () => show(await (await work()).listWaitingCommand(config())));
}

function addUnallocated(unallocated: Command, config: () => Config): void {
  unallocated
    .command('list')
    .description('what waits for a decision, the oldest first')
    .option('--all', 'what was decided too')
    .option('--merchant <merchant_id>')
    .action(async (options: { all?: true; merchant?: string }) =>
      show(await (await work()).listUnallocatedCommand(config(), options)),
    );
  unallocated
    .command('show <item_id>')
    .description('all that is known of it, the account that paid included')
    .action(async (id: string) => show(await (await work()).showUnallocatedCommand(config(), id)));
  const why = 'why, with the evidence: kept in the audit trail';
  for (const [name, end, about] of [
    ['allocate', 'allocated', 'it is the whole amount of a payment, which it pays'],
    ['accept', 'accepted_in_part', 'it pays a payment of another amount, as far as it goes'],
  ] as const)
    withWord(unallocated.command(`${name} <item_id>`).description(about), why)
      .requiredOption('--payment <payment_id>', 'the payment that it pays')
      .action(async (id: string, o: OperatorWord & { payment: string }) =>
        say(await (await work()).endUnallocatedCommand(config(), id, { ...o, end })),
      );
  for (const [name, end, about] of [
    ['return', 'returned', 'the issuer has sent it back to who paid it'],
    ['paid-on', 'paid_on', 'it was paid on by hand to whom it is owed'],
  ] as const)
    withWord(unallocated.command(`${name} <item_id>`).description(about), why).action(
      async (id: string, o: OperatorWord) =>
        say(await (await work()).endUnallocatedCommand(config(), id, { ...o, end })),
    );
}

/** `bank list` and `bank trust`: how the service stands with its banks. */
export function addBanks(root: Command, config: () => Config): void {
  const bank = root.command('bank').description('how the service stands with its banks');
  bank
    .command('list')
    .description('consents in doubt, deletions that wait, and banks whose answers are not acted on')
    .action(async () => show(await (await work()).listBanksCommand(config())));
  bank
    .command('trust <bank_id>')
    .description('act again on the answers of a bank at which too many consents vanished at once')
    .requiredOption('--reason <text>', 'who at the bank said so, and when: kept')
    .action(async (bankId: string, { reason }: { reason: string }) =>
      say(await (await work()).trustBankCommand(config(), bankId, reason)),
    );
}
