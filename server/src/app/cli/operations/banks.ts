import { type Command, Option } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { show } from '../session/output.ts';
import type { CheckOptions, RegistrationOptions } from './banks-work.ts';

/** Loads, on demand, what the commands do. */
const work = async () => await import('./banks-work.ts');

/** Adds the commands of the banks' file: registration, and a check of each connection. */
export function addBanks(root: Command, env: Env, config: () => Config): void {
  const bank = root.command('bank').description('the service’s banks');
  addRegister(bank, env, config);
  bank
    .command('check [bank_id]')
    .description(
      'check a bank connection, or all: certificates, discovery, keys, a token, and a signed round trip that moves no money',
    )
    .option('--file <path>', 'the banks’ file; default: BANKS_FILE')
    .option('--participants <url>', 'where the directory lists who takes part in commercial VRP')
    .option('--participants-token <file>', 'a file with an access token for that list')
    .option('--json', 'print the lines as JSON')
    .action(async (bankId: string | undefined, options: CheckOptions) => {
      const { text, isGood } = await (await work()).checkBanksCommand(env, bankId, options);
      process.stdout.write(text);
      if (!isGood) process.exitCode = 1;
    });
}

function addRegister(bank: Command, env: Env, config: () => Config): void {
  bank
    .command('register <bank_id>')
    .description(
      'register with a bank by Dynamic Client Registration, and write it into the banks’ file',
    )
    .option('--file <path>', 'the banks’ file; default: BANKS_FILE')
    .option('--discovery <url>', 'the bank’s issuer, or the address of its discovery document')
    .option('--statement <file>', 'the software statement from the directory')
    .option('--redirect-uri <url...>', 'where customers return; default: BASE_URL/consent/callback')
    .option('--title <name>', 'the bank’s name, as customers read it')
    .option('--resource-base <url>', 'its payment resources, up to and including /pisp')
    .option('--bank-org-id <id>', 'its organisation in the directory')
    .option('--bank-jwks-uri <url>', 'its public keys; default: as in its discovery document')
    .option('--ca <file>', 'the authority of its certificates, PEM')
    .option('--cert <file>', 'our transport certificate, PEM')
    .option('--key <file>', 'the private key of our transport certificate, PEM')
    .option('--signing-key <file>', 'our private signing key, a JWK with a kid')
    .option('--signing-service <url>', 'a program that signs, instead of --signing-key')
    .option('--signing-kid <kid>', 'the id of its key')
    .addOption(
      new Option('--token-auth <method>', 'how we prove who we are for a token').choices([
        'private_key_jwt',
        'tls_client_auth',
      ]),
    )
    .addOption(new Option('--update', 'change a registration').conflicts('delete'))
    .option('--delete', 'delete a registration; refused while consents are granted at the bank')
    .option('--json', 'print the outcome as JSON')
    .action(async (bankId: string, options: RegistrationOptions) => {
      const commands = await work();
      const outcome = await commands.registerBankCommand(env, config, bankId, options);
      if (options.json) show(outcome);
      else process.stdout.write(`${[outcome.line, ...outcome.warnings].join('\n')}\n`);
    });
}
