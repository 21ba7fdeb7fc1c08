import { type Command, Option } from 'commander';
import { HOLD_KINDS, type HoldKind } from '../../../merchants/hold.ts';
import { PAYMENT_CONTEXTS, PURPOSES, USE_CASES } from '../../../merchants/scheme.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { MerchantOptions } from '../session/offline.ts';
import { say, show } from '../session/output.ts';
import type { AccountOptions } from './account-work.ts';
import type { FeeOptions } from './fees-work.ts';
import type { SchemeOptions } from './scheme-work.ts';

/** Adds `merchant`. What its commands do is loaded on demand. */
export function addMerchants(root: Command, config: () => Config): void {
  const merchant = root.command('merchant').description('merchants');
  merchant
    .command('create')
    .description('create a merchant with a first API key, which is shown once')
    .requiredOption('--name <name>')
    .requiredOption('--email <address>')
    .requiredOption('--website <url>')
    .requiredOption('--address <text>')
    .requiredOption('--terms <text>', 'what the customer agrees to')
    .requiredOption('--sort-code <digits>', 'of the account that funds are paid out to')
    .requiredOption('--account-number <digits>')
    .option('--account-name <name>')
    .option('--legal-name <name>')
    .option('--return-url <url>', 'where customers go after their decision')
    .option('--time-zone <name>')
    .action(async (options: MerchantOptions) => {
      const { createMerchantCommand } = await import('../session/offline.ts');
      show(await createMerchantCommand(config(), options));
    });
  addList(merchant, config);
  addAccount(merchant, config);
  addFees(merchant, config);
  addScheme(merchant, config);
  addHolds(merchant, config);
}

function addList(merchant: Command, config: () => Config): void {
  merchant
    .command('list [words]')
    .description('list merchants, newest first, or those whose id, name or email has these words')
    .addOption(new Option('--hold <kind>', 'held merchants alone').choices([...HOLD_KINDS]))
    .action(async (words: string | undefined, { hold }: { hold?: HoldKind }) => {
      const { listMerchantsCommand } = await import('./merchants-work.ts');
      show(
        await listMerchantsCommand(config(), {
          ...(words === undefined ? {} : { q: words }),
          ...(hold === undefined ? {} : { hold }),
        }),
      );
    });
}

function addAccount(merchant: Command, config: () => Config): void {
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
    .option(
      '--agree <change_id>',
      'agree, as a second operator with their own key, with the change that waits',
    )
    .option('--take-back <change_id>', 'cancel the change that waits')
    .option('--reason <text>', 'why; kept in the audit trail')
    .action(async (merchantId: string, options: AccountOptions) => {
      const { accountCommand } = await import('./account-work.ts');
      show(await accountCommand(config(), merchantId, options));
    });
}

function addFees(merchant: Command, config: () => Config): void {
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

function addScheme(merchant: Command, config: () => Config): void {
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

/** Adds `merchant suspend`, `resume`, `hold` and `release`: docs/rules/holds.md. */
function addHolds(merchant: Command, config: () => Config): void {
  for (const [name, about] of [
    ['suspend', 'suspend a merchant: no new schedules, no payment orders'],
    ['resume', 'resume a suspended merchant; what waited is due at once'],
    ['hold', "hold a merchant's pay-outs: settlements wait, the money stays"],
    ['release', "release a merchant's pay-outs"],
  ] as const)
    merchant
      .command(`${name} <merchant_id>`)
      .description(about)
      .requiredOption('--reason <text>', 'why; kept in the audit trail')
      .action(async (merchantId: string, { reason }: { reason: string }) => {
        const { holdCommand } = await import('../operations/operators-work.ts');
        say(await holdCommand(config(), merchantId, name, reason));
      });
}
