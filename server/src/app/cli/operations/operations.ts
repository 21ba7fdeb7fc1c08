import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { say, show } from '../session/output.ts';
import type { FailOptions, OperatorDecision, OverdueOptions } from './operations-work.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./operations-work.ts');

/** Adds the decisions that neither bank nor service can make: on payments, and on unallocated money. */
export function addOperations(root: Command, config: () => Config): void {
  addPayments(root.command('payment').description('payments that need an operator'), config);
  addOverdue(
    root.command('overdue').description('whatever has not come to its end in time'),
    config,
  );
  addUnallocated(
    root
      .command('unallocated')
      .description('money received that has not been matched to a payment'),
    config,
  );
}

/** Adds the option that every decision takes. The decision is recorded under the program's operator. */
const withWord = (command: Command, reason: string): Command =>
  command.requiredOption('--reason <text>', reason);

function addPayments(payment: Command, config: () => Config): void {
  withWord(
    payment
      .command('fail <payment_id>')
      .description(
        'mark a payment as failed when its outcome stays unknown and its money has not arrived',
      ),
    'who at the bank confirmed it, and when; kept in the audit trail',
  )
    .option(
      '--evidence <text>',
      'what proves the outcome of a payment that the bank reports as open',
    )
    .option('--bank-is-silent', 'the bank gave the payment an ID but no longer responds about it')
    .action(async (paymentId: string, options: FailOptions) =>
      say(await (await work()).failPaymentCommand(config(), paymentId, options)),
    );
  payment
    .command('list')
    .description('list payments that need an operator, oldest first, with their age')
    .option('--waiting', 'those waiting for an operator (the only list there is)')
    .action(async () => show(await (await work()).listWaitingCommand(config())));
}

function addOverdue(overdue: Command, config: () => Config): void {
  overdue
    .command('list')
    .description('list whatever has not come to its end in time, oldest first')
    .action(async () => show(await (await work()).listOverdueCommand(config())));
  withWord(
    overdue
      .command('end <noun> <id>')
      .description('end it by your word: the issuer and the bank are asked first'),
    'who said what, and when; kept in the audit trail',
  )
    .requiredOption('--outcome <done|not-done>', 'whether it has happened')
    .option('--evidence <text>', 'what proves it')
    .action(async (noun: string, id: string, o: OverdueOptions) =>
      say(await (await work()).endOverdueCommand(config(), { noun, id }, o)),
    );
}

function addUnallocated(unallocated: Command, config: () => Config): void {
  unallocated
    .command('list')
    .description('list money waiting for a decision, oldest first')
    .option('--all', 'include money already decided')
    .option('--merchant <merchant_id>')
    .action(async (options: { all?: true; merchant?: string }) =>
      show(await (await work()).listUnallocatedCommand(config(), options)),
    );
  unallocated
    .command('show <item_id>')
    .description('show everything known about it, including the paying account')
    .action(async (id: string) => show(await (await work()).showUnallocatedCommand(config(), id)));
  const why = 'why, with the evidence; kept in the audit trail';
  for (const [name, end, about] of [
    ['allocate', 'allocated', 'apply it to a payment of the same amount'],
    ['accept', 'accepted_in_part', 'accept it as part payment of a payment'],
  ] as const)
    withWord(unallocated.command(`${name} <item_id>`).description(about), why)
      .requiredOption('--payment <payment_id>', 'the payment to apply it to')
      .action(async (id: string, o: OperatorDecision & { payment: string }) =>
        say(await (await work()).endUnallocatedCommand(config(), id, { ...o, end })),
      );
  withWord(
    unallocated
      .command('paid-on <item_id>')
      .description('record that it was paid manually to the rightful recipient'),
    why,
  )
    .option(
      '--payment <payment_id>',
      'the payment it settles, which is collected no more, or none; default: the likely payment',
    )
    .action(async (id: string, o: OperatorDecision & { payment?: string }) =>
      say(await (await work()).endUnallocatedCommand(config(), id, { ...o, end: 'paid_on' })),
    );
  for (const [name, end, about] of [
    ['return', 'returned', 'record that the issuer has returned it to the payer'],
    ['credit', 'credited', "add money in a merchant's own wallet to the merchant's balance"],
  ] as const)
    withWord(unallocated.command(`${name} <item_id>`).description(about), why).action(
      async (id: string, o: OperatorDecision) =>
        say(await (await work()).endUnallocatedCommand(config(), id, { ...o, end })),
    );
}
