import { type Command, Option } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { SCOPES } from '../../../platform/http/calls/access.ts';
import { print, show } from '../session/output.ts';
import type { KeyOptions } from './merchant-keys-work.ts';

const work = async () => await import('./merchant-keys-work.ts');

/** Adds `key`: the merchants' API keys. Commands that need the database are loaded on demand. */
export function addMerchantKeys(root: Command, config: () => Config): void {
  const key = root.command('key').description('API keys');
  key
    .command('list <merchant_id>')
    .description(
      "list a merchant's keys, newest first, revoked ones too; never the keys themselves",
    )
    .action(async (merchantId: string) =>
      show(await (await work()).listKeysCommand(config(), merchantId)),
    );
  key
    .command('create <merchant_id>')
    .description('create a key, which is shown once')
    .option('--name <name>', 'what it is for', 'key')
    .option('--reason <text>', 'why; kept in the audit trail', 'made on the command line')
    .addOption(
      new Option('--scopes <scope...>', 'what it may do; default: everything but keys').choices([
        ...SCOPES,
      ]),
    )
    .option(
      '--allowed-ips <range...>',
      'the addresses and ranges that it may be used from; default: anywhere',
    )
    .action(async (merchantId: string, options: KeyOptions) =>
      show(await (await work()).createKeyCommand(config(), merchantId, options)),
    );
  key
    .command('revoke <merchant_id> <key_id>')
    .description('revoke a key immediately')
    .requiredOption('--reason <text>', 'why; kept in the audit trail')
    .action(async (merchantId: string, keyId: string, { reason }: { reason: string }) => {
      await (await work()).revokeKeyCommand(config(), merchantId, keyId, reason);
      print(`${keyId} is revoked`);
    });
}
