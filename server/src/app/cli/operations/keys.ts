import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { say } from '../session/output.ts';

/** Adds `keys`: the ring of encryption keys. Commands that need the database are loaded on demand. */
export function addKeyRing(root: Command, config: () => Config): void {
  root
    .command('keys')
    .description('the encryption keys of this service')
    .command('retire <key_id>')
    .description('check that nothing is encrypted with a key any more, and retire it')
    .action(async (keyId: string) => {
      const { retireKeyCommand } = await import('./keys-work.ts');
      say(await retireKeyCommand(config(), keyId));
    });
}
