import { createSignInLink } from '../../../merchants/sign-in/links/links.ts';
import { readAccount } from '../../../merchants/team/accounts.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { change } from '../session/offline.ts';

/**
 * `user link`: creates a link that signs a user of the sandbox in once. Throws ConfigError in live mode, where nobody is shown
 * what lets another person in, 404 `not_found` if no user has this address.
 */
export async function createLinkCommand(config: Config, email: string): Promise<object> {
  if (config.mode === 'live')
    throw new ConfigError(
      'sign-in links are for the sandbox: `recollect user reset` asks for a link that goes to the person by email',
    );
  return change(config, async ({ platform, tx }) => {
    const account = await readAccount(tx, email);
    const { url, expiresAt } = await createSignInLink(platform, tx, account.email);
    return { url, expires_at: formatInstant(expiresAt) };
  });
}
