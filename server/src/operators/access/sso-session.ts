import type { Platform } from '../../platform/platform.ts';
import type { LinkedOperator } from './identity-store.ts';

type Vault = Pick<Platform['vault'], 'seal' | 'open'>;

const CONTEXT = 'operators:sso';

/** Returns what stands in for an operator's key in a session that the identity provider opened: sealed, so nobody makes it up. */
export function sealSsoSession(vault: Vault, { operatorId, linkedAt }: LinkedOperator): string {
  return vault.seal(`${operatorId} ${linkedAt.epochMilliseconds}`, CONTEXT);
}

/** Returns whose session it is, and of which link; null if it is made up, or sealed with a key that has retired. */
export function openSsoSession(vault: Vault, sealed: string): Omit<LinkedOperator, 'name'> | null {
  try {
    const [operatorId = '', linkedAt] = vault.open(sealed, CONTEXT).split(' ');
    return { operatorId, linkedAt: Temporal.Instant.fromEpochMilliseconds(Number(linkedAt)) };
  } catch {
    return null;
  }
}
