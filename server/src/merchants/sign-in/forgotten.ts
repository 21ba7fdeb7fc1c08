import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { listMemberships } from '../team/store.ts';
import { createEmailedLink } from './links/links.ts';
import { findUserByEmail } from './user-store.ts';

/** Sends links to people who have forgotten their password. */
export interface Forgotten {
  /**
   * Sends a link to this address if a member has it; returns whether this service sends emails at all. The work is done after the
   * response, so that its time tells nobody which addresses are known.
   */
  ask(email: string): boolean;
  /** Resolves when everything asked for is written. */
  idle(): Promise<void>;
}

/** One email in so many milliseconds, however often somebody asks. */
const ONE_PER_MS = 300_000;

export function makeForgotten(platform: Platform): Forgotten {
  const { config, db, log } = platform;
  const writing = new Set<Promise<void>>();
  return {
    ask(email) {
      if (config.smtpUrl === null) return false;
      const written = db
        .transaction((tx) => sendLink(platform, tx, email.trim().toLowerCase()))
        .then(() => platform.wake())
        .catch((error: unknown) => log.report('sign_in.password_link_failed', { err: error }))
        .finally(() => writing.delete(written));
      writing.add(written);
      return true;
    },
    async idle() {
      await Promise.all(writing);
    },
  };
}

/** Writes the notice with the link, for a team that the user is on. */
async function sendLink(platform: Platform, tx: Tx, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email);
  if (user === null) return;
  const [membership] = await listMemberships(tx, user.userId);
  if (membership === undefined) return;
  const { url } = await createEmailedLink(platform, tx, user.userId);
  const turn = Math.floor(realNow().epochMilliseconds / ONE_PER_MS);
  await platform.notify(tx, platform.clock.now(), [
    {
      merchantId: membership.merchantId,
      kind: 'new_password',
      causeId: `${user.userId} ${turn}`,
      to: { name: user.name, email: user.email },
      facts: { email: user.email, url },
    },
  ]);
}
